package game

import (
	"fmt"
	"math"
	"strconv"
)

// AboutNumber writes a guessed number, at least 0, to one digit: "about 7", "about 20,000", "about 4 million",
// "about 2·10^12". From 10^15 on, where guesses by random games are out by powers of ten, it is "over 10^15".
func AboutNumber(x float64) string {
	switch {
	case x >= 1e15:
		return "over 10^15"
	case x < 1:
		return "less than 1"
	}
	return "about " + roundToOneDigit(x)
}

// roundToOneDigit writes a number of at least 1 rounded to its first digit.
func roundToOneDigit(x float64) string {
	power := math.Floor(math.Log10(x))
	digit := math.Round(x / math.Pow(10, power))
	if digit == 10 {
		digit, power = 1, power+1
	}
	switch n := int(digit * math.Pow(10, power)); {
	case n < 1000:
		return strconv.Itoa(n)
	case n < 1_000_000:
		return fmt.Sprintf("%d,000", n/1000)
	case n < 1_000_000_000:
		return fmt.Sprintf("%d million", n/1_000_000)
	}
	return fmt.Sprintf("%.0f·10^%.0f", digit, power)
}

// AboutBytes is AboutNumber of a size in bytes, in kB, MB, GB or TB.
func AboutBytes(x float64) string {
	units := []string{"kB", "MB", "GB"}
	for _, unit := range units {
		if x /= 1 << 10; x < 1000 {
			return AboutNumber(x) + " " + unit
		}
	}
	return AboutNumber(x/(1<<10)) + " TB"
}
