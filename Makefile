.PHONY: check bench load soak

# All that a change must pass; CI runs the same.
check:
	./check

# The figures of docs/data/performance.md. Run it on a quiet machine.
bench:
	go test -run '^$$' -bench . -benchmem ./...

# The server's figures of docs/data/performance.md: a thousand games and a cold start.
# Run it on a quiet machine; it takes two minutes.
load:
	go test -tags soak -timeout 20m -run 'TestLoad|TestColdStart' -v ./cmd ./web/studio

# The long proofs and solutions, and everything under the race detector.
soak:
	go test -race -timeout 1h ./...
	go test -tags soak -timeout 6h -v ./...
