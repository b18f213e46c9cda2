//go:build soak

package typed

// All of them are found again, Connect Four too.
func init() { carriedWithin = 1000 }
