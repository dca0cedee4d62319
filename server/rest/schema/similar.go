package schema

import "slices"

// similarEnough is the share of equal character pairs from which a name is
// worth suggesting.
const similarEnough = 0.34

// Closest gives the candidate that shares the most neighbouring character pairs
// with a mistyped name (Dice's coefficient); ok is false when none is near.
func Closest(wanted string, candidates []string) (best string, ok bool) {
	slices.Sort(candidates)
	score := similarEnough
	for _, candidate := range candidates {
		if found := similarity(wanted, candidate); found > score {
			best, score, ok = candidate, found, true
		}
	}
	return best, ok
}

func similarity(a, b string) float64 {
	pairs := make(map[string]int)
	for i := 0; i+2 <= len(a); i++ {
		pairs[a[i:i+2]]++
	}
	shared := 0
	for i := 0; i+2 <= len(b); i++ {
		if pairs[b[i:i+2]] > 0 {
			pairs[b[i:i+2]]--
			shared++
		}
	}
	total := len(a) + len(b) - 2
	if total <= 0 {
		return 0
	}
	return 2 * float64(shared) / float64(total)
}
