package s3

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"

	"plaza/server/secret"
)

// The keys of a local stack of the Supabase CLI, which are the same on every machine. They
// are in the settings of its clients.
const (
	localSecret    = "super-secret-jwt-token-with-at-least-32-characters-long"
	localAccessKey = "625729a08b95bf1b7ff351a663f3a23c"
	localSecretKey = "850181e4652dd023b7a98c58ae0d2d34bd487ee0cc3254aed6eda37307425907"
)

// Keys returns the access key and the secret key of a project without configured keys.
// They are derived from its JWT secret.
func Keys(jwtSecret []byte) (access string, key secret.Text) {
	if string(jwtSecret) == localSecret {
		return localAccessKey, localSecretKey
	}
	derive := func(purpose string) []byte {
		mac := hmac.New(sha256.New, jwtSecret)
		mac.Write([]byte(purpose))
		return mac.Sum(nil)
	}
	return hex.EncodeToString(derive("s3 access key")[:16]), secret.Text(hex.EncodeToString(derive("s3 secret key")))
}
