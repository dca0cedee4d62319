package core

import (
	"crypto/rand"
	"encoding/hex"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"

	"plaza/storage/storageerr"
)

// Source: supabase/storage's limits. A key may be any path of these characters,
// also "..": it is only ever a value in a row.
var (
	validKey        = regexp.MustCompile(`^[A-Za-z0-9_/!.*'() &$=@;:+,?-]+$`)
	validBucketName = regexp.MustCompile(`^[A-Za-z0-9_!.*'() &$=@;:+,?-]{1,100}$`)
	sizeWithUnit    = regexp.MustCompile(`(?i)^([0-9]+(?:\.[0-9]+)?)(gb|mb|kb|b)$`)
)

// maxKey is how long a key may be, in bytes: two indexes have to hold it, and
// PostgreSQL's take about 2,700 bytes. S3 takes as many.
const maxKey = 1024

// analyticsSuffix marks names that upstream keeps for its analytics buckets.
const analyticsSuffix = "--iceberg"

// emptyFolder ends the key of an object that only keeps a folder there.
const emptyFolder = ".emptyFolderPlaceholder"

// CheckKey refuses what is no key of an object. Errors: InvalidKey.
func CheckKey(key string) error {
	if len(key) > maxKey || !validKey.MatchString(key) {
		return storageerr.InvalidKey(key)
	}
	return nil
}

// CheckBucketName refuses what is no name of a bucket. Errors: InvalidBucketName.
func CheckBucketName(name string) error {
	if !validBucketName.MatchString(name) {
		return storageerr.ErrInvalidBucketName
	}
	return nil
}

func checkNewBucketName(name string) error {
	if strings.TrimSpace(name) != name || strings.HasSuffix(name, analyticsSuffix) {
		return storageerr.ErrInvalidBucketName
	}
	return CheckBucketName(name)
}

// ParseSize reads a size with its unit, such as "20MB"; units are decimal.
// Errors: InvalidRequest.
func ParseSize(text string) (int64, error) {
	found := sizeWithUnit.FindStringSubmatch(text)
	if found == nil {
		return 0, storageerr.ErrFileSizeLimit
	}
	number, err := strconv.ParseFloat(found[1], 64)
	if err != nil {
		return 0, storageerr.ErrFileSizeLimit
	}
	size := number * map[string]float64{"gb": 1e9, "mb": 1e6, "kb": 1e3, "b": 1}[strings.ToLower(found[2])]
	if size > math.MaxInt64/2 {
		return 0, storageerr.ErrTooLarge
	}
	return int64(math.Round(size)), nil
}

// ownVersion is a UUID of version 7, as newVersion makes them. Upstream's server
// makes those of version 4.
var ownVersion = regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$`)

// storesOwn is the folder in which a store keeps what is no blob yet.
const storesOwn = ".plaza"

// newVersion makes a UUID of version 7: time first, so that neighbours in time
// are neighbours in indexes.
func newVersion(now time.Time) string {
	var id [16]byte
	rand.Read(id[:])
	for i, ms := 5, now.UnixMilli(); i >= 0; i, ms = i-1, ms>>8 {
		id[i] = byte(ms)
	}
	id[6] = 7<<4 | id[6]&0xf
	id[8] = 2<<6 | id[8]&0x3f
	text := hex.EncodeToString(id[:])
	return text[:8] + "-" + text[8:12] + "-" + text[12:16] + "-" + text[16:20] + "-" + text[20:]
}

// blobName names the blob of a row; empty where there can be none. It is what
// storage.blob_name says in SQL.
//
// A version of ours is a name by itself, so that no key reaches the store, and
// renaming touches no bytes. Data that upstream's server wrote is named by bucket,
// key and version; such a name must stay in its place, and out of ours.
func blobName(bucket, key, version string) string {
	if ownVersion.MatchString(version) {
		return version[len(version)-2:] + "/" + version
	}
	name := bucket + "/" + key
	if version != "" {
		name += "/" + version
	}
	parts := strings.Split(name, "/")
	for _, part := range parts {
		if part == "" || part == "." || part == ".." {
			return ""
		}
	}
	if parts[0] == storesOwn || len(parts) == 2 && len(parts[0]) == 2 && ownVersion.MatchString(parts[1]) {
		return ""
	}
	return name
}
