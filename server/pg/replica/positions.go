package replica

import (
	"hash/maphash"
	"sync/atomic"
)

// slots is the number of positions that are kept for callers. They take 128 KB.
const slots = 1 << 14

// Positions has, for each caller, the position that a replica must have replayed to answer
// the caller's reads: that of the caller's last write.
//
// They are kept by a hash of the caller's key. Callers that share a slot also need each
// other's writes. That is never wrong and rarely noticed, since a replica is milliseconds
// behind. So no entry is ever evicted, and the memory is bounded.
type Positions struct {
	seed  maphash.Seed
	slots [slots]atomic.Uint64
	floor atomic.Uint64 // for all callers
}

// NewPositions returns positions that are all zero.
func NewPositions() *Positions { return &Positions{seed: maphash.MakeSeed()} }

// Wrote notes the position of a caller's write: its reads need a replica that has replayed it.
func (p *Positions) Wrote(key string, at LSN) { advance(p.slot(key), at) }

// Changed notes the position of a change that the reads of all callers need.
func (p *Positions) Changed(at LSN) { advance(&p.floor, at) }

// Needed returns the position that a replica must have replayed for a read of a caller.
func (p *Positions) Needed(key string) LSN { return LSN(max(p.floor.Load(), p.slot(key).Load())) }

func (p *Positions) slot(key string) *atomic.Uint64 {
	return &p.slots[maphash.String(p.seed, key)%slots]
}

func advance(position *atomic.Uint64, to LSN) {
	for old := position.Load(); uint64(to) > old && !position.CompareAndSwap(old, uint64(to)); {
		old = position.Load()
	}
}
