//go:build !soak

package search_test

// effort multiplies the number of random trials; see soak_test.go.
const effort = 1
