//go:build soak

package columns_test

// TestStrategies asks about two million forgeries.
func init() { forgeries = 20_000 }
