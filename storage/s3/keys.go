package s3

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"

	"plaza/server/secret"
)

// What Supabase's command line sets on every machine: clients of a local stack
// that was made with it have them in their settings.
const (
	localSecret    = "super-secret-jwt-token-with-at-least-32-characters-long"
	localAccessKey = "625729a08b95bf1b7ff351a663f3a23c"
	localSecretKey = "850181e4652dd023b7a98c58ae0d2d34bd487ee0cc3254aed6eda37307425907"
)

// Keys are the access key and the secret key of a project whose configuration
// names none: they are made of its JWT secret, so that they change with it.
func Keys(jwtSecret []byte) (access string, key secret.Text) {
	if string(jwtSecret) == localSecret {
		return localAccessKey, localSecretKey
	}
	made := func(of string) []byte {
		mac := hmac.New(sha256.New, jwtSecret)
		mac.Write([]byte(of))
		return mac.Sum(nil)
	}
	return hex.EncodeToString(made("s3 access key")[:16]), secret.Text(hex.EncodeToString(made("s3 secret key")))
}
