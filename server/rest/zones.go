package rest

import "sync"

// maxZones is how many time zones may be used before connections are replaced.
// PostgreSQL keeps 24 kB for each time zone that a connection has used until the
// connection ends, and clients can use any number of zones.
const maxZones = 256

// maxZoneName is the longest name that PostgreSQL accepts, in bytes.
// Source: TZ_STRLEN_MAX.
const maxZoneName = 255

// zoneCounter counts the time zones in use.
type zoneCounter struct {
	mu   sync.Mutex
	used map[string]struct{}
}

// add records a zone. It reports whether the limit is reached, and then resets the count.
func (z *zoneCounter) add(zone string) (full bool) {
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
