package core

import (
	"math"
	"regexp"
	"strconv"
	"strings"
)

// Source: supabase/storage's limits. A key may be any path of these characters,
// also "..": it is only ever a value in a row.
var (
	validKey        = regexp.MustCompile(`^[A-Za-z0-9_/!.*'() &$=@;:+,?-]+$`)
	validBucketName = regexp.MustCompile(`^[A-Za-z0-9_!.*'() &$=@;:+,?-]{1,100}$`)
	validMimeType   = regexp.MustCompile(`^([a-zA-Z0-9\-+.]+)/([a-zA-Z0-9\-+.]+)(;\s*charset=[a-zA-Z0-9\-]+)?$|\*$`)
	sizeWithUnit    = regexp.MustCompile(`(?i)^([0-9]+(?:\.[0-9]+)?)(gb|mb|kb|b)$`)
)

// maxKey is how long a key may be, in bytes: two indexes have to hold it, and
// PostgreSQL's take about 2,700 bytes. S3 takes as many.
const maxKey = 1024

// maxMimeType is how long a type of a bucket's list may be, in characters.
const maxMimeType = 1000

// analyticsSuffix marks names that upstream keeps for its analytics buckets.
const analyticsSuffix = "--iceberg"

// emptyFolder ends the key of an object that only keeps a folder there.
const emptyFolder = ".emptyFolderPlaceholder"

// CheckKey refuses what is no key of an object. Errors: InvalidKey.
func CheckKey(key string) error {
	if len(key) > maxKey || !validKey.MatchString(key) {
		return errInvalidKey(key)
	}
	return nil
}

// CheckBucketName refuses what is no name of a bucket. Errors: InvalidBucketName.
func CheckBucketName(name string) error {
	if !validBucketName.MatchString(name) {
		return errInvalidBucketName()
	}
	return nil
}

func checkNewBucketName(name string) error {
	if strings.TrimSpace(name) != name || strings.HasSuffix(name, analyticsSuffix) {
		return errInvalidBucketName()
	}
	return CheckBucketName(name)
}

func checkMimeTypes(list []string) error {
	for _, mime := range list {
		if len(mime) > maxMimeType || !validMimeType.MatchString(mime) {
			return errMimeType(mime)
		}
	}
	return nil
}

// ParseSize reads a size with its unit, such as "20MB"; units are decimal.
// Errors: InvalidRequest.
func ParseSize(text string) (int64, error) {
	found := sizeWithUnit.FindStringSubmatch(text)
	if found == nil {
		return 0, ErrFileSizeLimit
	}
	number, err := strconv.ParseFloat(found[1], 64)
	if err != nil {
		return 0, ErrFileSizeLimit
	}
	size := number * map[string]float64{"gb": 1e9, "mb": 1e6, "kb": 1e3, "b": 1}[strings.ToLower(found[2])]
	if size > math.MaxInt64/2 {
		return 0, ErrTooLarge
	}
	return int64(math.Round(size)), nil
}
