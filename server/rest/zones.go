package rest

import "sync"

// maxZones is how many time zones may be used before connections are made anew.
// PostgreSQL keeps each that a connection has used, in 24 kB of memory, until the
// connection ends; a client can name any number of them.
const maxZones = 256

// maxZoneName is the longest name that PostgreSQL takes, in bytes.
// Source: TZ_STRLEN_MAX.
const maxZoneName = 255

// zones counts the time zones in use.
type zones struct {
	mu   sync.Mutex
	used map[string]struct{}
}

// note reports whether a zone is one too many. Then counting begins anew.
func (z *zones) note(zone string) (full bool) {
	if zone == "" || len(zone) > maxZoneName {
		return false
	}
	z.mu.Lock()
	defer z.mu.Unlock()
	if _, known := z.used[zone]; known {
		return false
	}
	if full = len(z.used) >= maxZones; full || z.used == nil {
		z.used = make(map[string]struct{})
	}
	z.used[zone] = struct{}{}
	return full
}
