package claims

import (
	"errors"
	"hash/maphash"
	"maps"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Errors of RefusedTokens.Check.
var (
	ErrSessionEnded = errors.New("session of the token has ended")
	ErrUserBanned   = errors.New("user is banned")
)

// RefusedTokens is the set of ended sessions and banned users whose tokens have not yet expired. Readers
// take no lock and allocate nothing.
//
// The set is divided into shards. Each shard is an immutable map behind an atomic pointer, so that
// a change only copies one shard.
type RefusedTokens struct {
	seed   maphash.Seed
	size   atomic.Int64
	adds   atomic.Uint64 // calls of Add
	mu     sync.Mutex    // held by writers
	shards [refusedShards]atomic.Pointer[map[string]refusal]
}

const refusedShards = 64

// refusal is one entry. A lifted ban is an entry with until in the past, so that an older message
// about the same user does not restore the ban.
type refusal struct {
	version   int64
	banned    bool
	until     int64 // end of the refusal, in seconds since 1970
	keepUntil int64 // when the entry may be removed, in seconds since 1970
}

// NewRefusedTokens returns an empty set.
func NewRefusedTokens() *RefusedTokens { return &RefusedTokens{seed: maphash.MakeSeed()} }

func (s *RefusedTokens) shard(id string) uint64 { return maphash.String(s.seed, id) % refusedShards }

// Check reports why a caller's token is refused, or nil.
//
// Errors: ErrSessionEnded, ErrUserBanned.
func (s *RefusedTokens) Check(who *Caller, now func() time.Time) error {
	if s == nil || s.size.Load() == 0 || who.SessionID == "" && who.Subject == "" {
		return nil
	}
	if found, ok := s.find(who.SessionID); ok && !found.banned && now().Unix() < found.until {
		return ErrSessionEnded
	}
	if found, ok := s.find(who.Subject); ok && found.banned && now().Unix() < found.until {
		return ErrUserBanned
	}
	return nil
}

// changes returns a number that changes when entries are added.
func (s *RefusedTokens) changes() uint64 {
	if s == nil {
		return 0
	}
	return s.adds.Load()
}

func (s *RefusedTokens) find(id string) (refusal, bool) {
	entries := s.shards[s.shard(id)].Load()
	if entries == nil {
		return refusal{}, false
	}
	found, ok := (*entries)[id]
	return found, ok
}

// Add adds rows in the database's format: "version,kind,id,until,kept", separated by spaces. kind is
// s (session) or u (user); the last two are seconds since 1970. If there are several rows for one
// id, the one with the highest version is used. Add returns the number of rows that it could not
// parse.
func (s *RefusedTokens) Add(rows string) (unread int) {
	defer s.adds.Add(1)
	var changes [refusedShards]map[string]refusal
	for row := range strings.FieldsSeq(rows) {
		id, entry, ok := parseRefusal(row)
		if !ok {
			unread++
			continue
		}
		shard := s.shard(id)
		if changes[shard] == nil {
			changes[shard] = make(map[string]refusal)
		}
		if known, ok := changes[shard][id]; !ok || known.version < entry.version {
			changes[shard][id] = entry
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for shard, entries := range changes {
		if len(entries) > 0 {
			s.merge(shard, entries)
		}
	}
	return unread
}

func parseRefusal(row string) (id string, entry refusal, ok bool) {
	fields := strings.Split(row, ",")
	if len(fields) != 5 || fields[1] != "s" && fields[1] != "u" {
		return "", entry, false
	}
	version, wrong1 := strconv.ParseInt(fields[0], 10, 64)
	until, wrong2 := strconv.ParseInt(fields[3], 10, 64)
	kept, wrong3 := strconv.ParseInt(fields[4], 10, 64)
	// The id is copied, so that it does not keep the whole message in memory.
	return strings.Clone(fields[2]), refusal{version, fields[1] == "u", until, kept}, wrong1 == nil && wrong2 == nil && wrong3 == nil
}

// merge replaces a shard by a copy with the changes that are newer than its entries, if any.
func (s *RefusedTokens) merge(shard int, changes map[string]refusal) {
	var old map[string]refusal
	if stored := s.shards[shard].Load(); stored != nil {
		old = *stored
	}
	maps.DeleteFunc(changes, func(id string, entry refusal) bool {
		known, ok := old[id]
		return ok && known.version >= entry.version
	})
	if len(changes) == 0 {
		return
	}
	merged := make(map[string]refusal, len(old)+len(changes))
	maps.Copy(merged, old)
	maps.Copy(merged, changes)
	s.shards[shard].Store(&merged)
	s.size.Add(int64(len(merged) - len(old)))
}

// Prune removes the entries whose tokens have all expired.
func (s *RefusedTokens) Prune(now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range s.shards {
		old := s.shards[i].Load()
		if old == nil {
			continue
		}
		left := make(map[string]refusal, len(*old))
		for id, entry := range *old {
			if now.Unix() < entry.keepUntil {
				left[id] = entry
			}
		}
		s.size.Add(int64(len(left) - len(*old)))
		s.shards[i].Store(&left)
	}
}

// Len returns the number of entries.
func (s *RefusedTokens) Len() int { return int(s.size.Load()) }
