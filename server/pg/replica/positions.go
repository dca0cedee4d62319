package replica

import (
	"hash/maphash"
	"sync/atomic"
)

// slots is the number of positions that are kept for callers. They take 128 KB.
const slots = 1 << 14

// Positions are what each caller must see.
//
// They are kept by a hash of the caller's key. Callers that share a slot may have to
// wait for each other's writes, which is never wrong and rarely noticed, since a replica
// is milliseconds behind. So no entry is ever evicted, and the memory is bounded.
type Positions struct {
	seed  maphash.Seed
	slots [slots]atomic.Uint64
	floor atomic.Uint64 // for all callers
}

// NewPositions returns positions that are all zero.
func NewPositions() *Positions { return &Positions{seed: maphash.MakeSeed()} }

// Wrote makes the reads of a caller wait for a position.
func (p *Positions) Wrote(key string, at LSN) { advance(p.slot(key), at) }

// Changed makes the reads of all callers wait for a position.
func (p *Positions) Changed(at LSN) { advance(&p.floor, at) }

// Needed returns what a read of a caller must see.
func (p *Positions) Needed(key string) LSN { return LSN(max(p.floor.Load(), p.slot(key).Load())) }

func (p *Positions) slot(key string) *atomic.Uint64 {
	return &p.slots[maphash.String(p.seed, key)%slots]
}

func advance(position *atomic.Uint64, to LSN) {
	for old := position.Load(); uint64(to) > old && !position.CompareAndSwap(old, uint64(to)); {
		old = position.Load()
	}
}
