//go:build soak

package columns_test

// TestStrategies asks about two hundred thousand forgeries.
func init() { forgeries = 2_000 }
