package core

import (
	"crypto/rand"
	"encoding/hex"
	"math"
	"strconv"
	"strings"
	"time"

	"plaza/server/lazyregexp"
	"plaza/storage/storageerr"
)

// Source: supabase/storage's limits. A key may be any path of these characters, including
// "..", since it is only a value in a row.
var (
	validKey        = lazyregexp.New(`^[A-Za-z0-9_/!.*'() &$=@;:+,?-]+$`)
	validBucketName = lazyregexp.New(`^[A-Za-z0-9_!.*'() &$=@;:+,?-]{1,100}$`)
	sizeWithUnit    = lazyregexp.New(`(?i)^([0-9]+(?:\.[0-9]+)?)(gb|mb|kb|b)$`)
)

// maxKey is the maximum length of a key in bytes, as in S3. Two indexes contain keys, and an
// index entry of PostgreSQL may have about 2,700 bytes.
const maxKey = 1024

// analyticsSuffix is the suffix of names that upstream reserves for analytics buckets.
const analyticsSuffix = "--iceberg"

// emptyFolder is the last part of the key of an object that only represents a folder.
const emptyFolder = ".emptyFolderPlaceholder"

// CheckKey returns InvalidKey for a text that cannot be the key of an object.
func CheckKey(key string) error {
	if len(key) > maxKey || !validKey().MatchString(key) {
		return storageerr.InvalidKey(key)
	}
	return nil
}

// CheckBucketName returns InvalidBucketName for a text that cannot be the name of a bucket.
func CheckBucketName(name string) error {
	if !validBucketName().MatchString(name) {
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

// ParseSize parses a size with a unit, such as "20MB"; units are decimal.
// Errors: InvalidRequest.
func ParseSize(text string) (int64, error) {
	found := sizeWithUnit().FindStringSubmatch(text)
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

// ownVersion matches a UUID of version 7, as newVersion returns it. Upstream's server uses
// version 4.
var ownVersion = lazyregexp.New(`^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$`)

// storeFolder is the folder in which a store keeps incomplete blobs.
const storeFolder = ".plaza"

// newVersion returns a UUID of version 7. It begins with the time, so that new entries are
// neighbours in indexes.
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

// blobName returns the name of a row's blob, or an empty text if it can have none. It
// returns the same as storage.blob_name in SQL.
//
// The blob of a version of ours is named by the version alone, so that no key reaches the
// store and renaming an object does not move its blob. Blobs of upstream's server are
// named by bucket, key and version; such a name must not leave its bucket's folder or be
// one of ours.
func blobName(bucket, key, version string) string {
	if ownVersion().MatchString(version) {
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
	if parts[0] == storeFolder || len(parts) == 2 && len(parts[0]) == 2 && ownVersion().MatchString(parts[1]) {
		return ""
	}
	return name
}
