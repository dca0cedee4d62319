package password

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"golang.org/x/crypto/argon2"
	"golang.org/x/crypto/bcrypt"
)

// Source: the example of github.com/firebase/scrypt, whose parts are public.
const (
	firebasePassword = "user1password"
	firebaseHash     = "$fbscrypt$v=1,n=14,r=8,p=1,ss=Bw==,sk=jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==$42xEC+ixf3L2lw==$lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ=="
)

func argon(id bool, text string) string {
	salt := []byte("sixteen bytes ok")
	kind, derive := "i", argon2.Key
	if id {
		kind, derive = "id", argon2.IDKey
	}
	hash := derive([]byte(text), salt, 2, 1024, 1, 32)
	return fmt.Sprintf("$argon2%s$v=19$m=1024,t=2,p=1$%s$%s", kind, base64.RawStdEncoding.EncodeToString(salt), base64.RawStdEncoding.EncodeToString(hash))
}

func TestImportedHashFormats(t *testing.T) {
	t.Parallel()
	h := NewHasher(bcrypt.MinCost, 2)
	// Made by the argon2 command of the reference implementation.
	const reference = "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc"
	for name, tt := range map[string]struct{ hash, password string }{
		"argon2i": {argon(false, "Correct-Horse-1"), "Correct-Horse-1"}, "argon2id": {argon(true, "Correct-Horse-1"), "Correct-Horse-1"},
		"argon2id, of the reference": {reference, "password"}, "Firebase": {firebaseHash, firebasePassword},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if err := CheckSupported(tt.hash); err != nil {
				t.Fatal(err)
			}
			for candidate, want := range map[string]bool{tt.password: true, tt.password + "x": false, "": false} {
				if got, err := h.Matches(t.Context(), tt.hash, candidate); err != nil || got != want {
					t.Errorf("%q: %v, %v", candidate, got, err)
				}
			}
		})
	}
}

func TestInvalidHashesAreRefused(t *testing.T) {
	t.Parallel()
	h := NewHasher(bcrypt.MinCost, 2)
	for name, hash := range map[string]string{
		"nothing": "", "text": "Correct-Horse-1", "short bcrypt": "$2a$10$abc", "MD5": "$1$salt$abc",
		"argon2d": strings.Replace(argon(true, "x"), "argon2id", "argon2d", 1), "an older argon2": strings.Replace(argon(true, "x"), "v=19", "v=16", 1),
		"much memory": strings.Replace(argon(true, "x"), "m=1024", "m=999999999", 1), "no time": strings.Replace(argon(true, "x"), "t=2", "t=0", 1),
		"no lanes": strings.Replace(argon(true, "x"), "p=1", "p=0", 1), "argon2 without a hash": "$argon2id$v=19$m=1024,t=2,p=1$c2FsdA$", "no base64": "$argon2id$v=19$m=1024,t=2,p=1$!!$!!",
		"much scrypt": strings.Replace(firebaseHash, "n=14", "n=30", 1), "no signer key": "$fbscrypt$v=1,n=14,r=8,p=1,ss=Bw==,sk=$c2FsdA$aGFzaA",
		"scrypt of another version": strings.Replace(firebaseHash, "v=1", "v=2", 1), "huge": "$argon2id$v=19$m=1024,t=2,p=1$" + strings.Repeat("a", 600) + "$aGFzaA",
	} {
		if err := CheckSupported(hash); err == nil {
			t.Errorf("%s is supported", name)
		}
		if got, err := h.Matches(t.Context(), hash, "x"); err != nil || got {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
}
