package drop

import "crypto/sha256"

// Sealed returns a book's file of that beginning.
func Sealed(body []byte) []byte {
	sum := sha256.Sum256(body)
	return append(body[:len(body):len(body)], sum[:]...)
}
