package password

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"golang.org/x/crypto/argon2"
	"golang.org/x/crypto/bcrypt"
	"golang.org/x/crypto/scrypt"

	"plaza/server/lazyregexp"
)

// format is a supported kind of password hash: bcrypt, and those of systems that accounts
// are imported from.
type format interface {
	// matches reports whether a password matches the hash. It is slow by design.
	matches(password []byte) bool
}

// errFormat means that a hash has an unsupported format.
var errFormat = errors.New("use a hash of bcrypt, argon2i, argon2id or Firebase scrypt ($fbscrypt$…)")

// CheckSupported returns an error if an imported hash cannot be checked.
func CheckSupported(hash string) error {
	_, err := parse(hash)
	return err
}

func parse(hash string) (format, error) {
	switch {
	case strings.HasPrefix(hash, "$2"):
		if _, err := bcrypt.Cost([]byte(hash)); err != nil {
			return nil, err
		}
		return bcryptHash(hash), nil
	case strings.HasPrefix(hash, "$argon2"):
		return parseArgon2(hash)
	case strings.HasPrefix(hash, "$fbscrypt$"):
		return parseScrypt(hash)
	}
	return nil, errFormat
}

type bcryptHash string

func (h bcryptHash) matches(password []byte) bool {
	return len(password) <= MaxLength && bcrypt.CompareHashAndPassword([]byte(h), password) == nil
}

// Limits of the cost of one check. They are far above recommended parameters.
const (
	maxArgonMemory = 256 << 10 // KiB
	maxArgonTime   = 20
	maxArgonLanes  = 16
	maxScryptCost  = 18 // power of two
	maxScryptBlock = 16
	maxScryptLanes = 8
	maxHashLength  = 512
)

var argonPattern = lazyregexp.New(`^\$argon2(id|i)\$v=19\$m=([0-9]{1,9}),t=([0-9]{1,9}),p=([0-9]{1,3})(?:,keyid=[^,$]*)?(?:,data=[^$]*)?\$([^$]+)\$([^$]+)$`)

type argonHash struct {
	id           bool
	memory, time uint32
	lanes        uint8
	salt, hash   []byte
}

func parseArgon2(text string) (format, error) {
	match := argonPattern().FindStringSubmatch(text)
	if match == nil || len(text) > maxHashLength {
		return nil, fmt.Errorf("argon2: %w", errFormat)
	}
	var numbers [3]uint64
	for i := range numbers {
		numbers[i], _ = strconv.ParseUint(match[2+i], 10, 32)
	}
	salt, err := decode(match[5])
	hash, failed := decode(match[6])
	switch {
	case err != nil || failed != nil || len(hash) < 4:
		return nil, fmt.Errorf("argon2: salt or hash is no base64")
	case numbers[0] == 0 || numbers[0] > maxArgonMemory || numbers[1] == 0 || numbers[1] > maxArgonTime || numbers[2] == 0 || numbers[2] > maxArgonLanes:
		return nil, fmt.Errorf("argon2: more than m=%d, t=%d, p=%d is not checked here", maxArgonMemory, maxArgonTime, maxArgonLanes)
	}
	return argonHash{match[1] == "id", uint32(numbers[0]), uint32(numbers[1]), uint8(numbers[2]), salt, hash}, nil
}

func (h argonHash) matches(password []byte) bool {
	derive := argon2.Key
	if h.id {
		derive = argon2.IDKey
	}
	made := derive(password, h.salt, h.time, h.memory, h.lanes, uint32(len(h.hash)))
	return subtle.ConstantTimeCompare(made, h.hash) == 1
}

// scryptPattern is the format of Firebase's hashes in supabase/auth.
var scryptPattern = lazyregexp.New(`^\$fbscrypt\$v=1,n=([0-9]{1,2}),r=([0-9]{1,2}),p=([0-9]{1,2}),(?:ss=([^,$]+),)?sk=([^,$]+)\$([^$]+)\$([^$]+)$`)

type scryptHash struct {
	cost, block, lanes    int
	salt, signer, written []byte
}

func parseScrypt(text string) (format, error) {
	match := scryptPattern().FindStringSubmatch(text)
	if match == nil || len(text) > maxHashLength {
		return nil, fmt.Errorf("fbscrypt: %w", errFormat)
	}
	var numbers [3]int
	for i := range numbers {
		numbers[i], _ = strconv.Atoi(match[1+i])
	}
	var parts [4][]byte // separator, signer key, salt, hash
	for i := range parts {
		var err error
		if parts[i], err = decode(match[4+i]); err != nil {
			return nil, errors.New("fbscrypt: a part is no base64")
		}
	}
	if numbers[0] < 1 || numbers[0] > maxScryptCost || numbers[1] < 1 || numbers[1] > maxScryptBlock || numbers[2] < 1 || numbers[2] > maxScryptLanes {
		return nil, fmt.Errorf("fbscrypt: more than n=%d, r=%d, p=%d is not checked here", maxScryptCost, maxScryptBlock, maxScryptLanes)
	}
	if len(parts[1]) == 0 || len(parts[3]) == 0 {
		return nil, errors.New("fbscrypt: signer key or hash is empty")
	}
	return scryptHash{1 << numbers[0], numbers[1], numbers[2], append(parts[2], parts[0]...), parts[1], parts[3]}, nil
}

// matches derives a key from the password and encrypts the signer key with it. The result is
// Firebase's hash. Source: github.com/firebase/scrypt.
func (h scryptHash) matches(password []byte) bool {
	const keySize = 32
	key, err := scrypt.Key(password, h.salt, h.cost, h.block, h.lanes, keySize)
	if err != nil {
		return false
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return false
	}
	made := make([]byte, len(h.signer))
	cipher.NewCTR(block, make([]byte, aes.BlockSize)).XORKeyStream(made, h.signer)
	return subtle.ConstantTimeCompare(made, h.written) == 1
}

// decode decodes base64 in the standard or the URL alphabet, with or without padding.
func decode(text string) ([]byte, error) {
	text = strings.NewReplacer("-", "+", "_", "/").Replace(strings.TrimRight(text, "="))
	return base64.RawStdEncoding.DecodeString(text)
}
