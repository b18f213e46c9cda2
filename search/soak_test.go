//go:build soak

package search_test

// effort multiplies the number of random trials in a soak test: go test -tags
// soak takes some minutes.
const effort = 20
