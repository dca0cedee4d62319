package core

import (
	"crypto/rand"
	"encoding/hex"
	"regexp"
	"strings"
	"time"
)

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
