.PHONY: check bench soak

# All that a change must pass; CI runs the same.
check:
	./check

# The figures of docs/performance.md. Run it on a quiet machine.
bench:
	go test -run '^$$' -bench . -benchmem ./...

# The long proofs and solutions.
soak:
	go test -tags soak -timeout 6h -v ./...
