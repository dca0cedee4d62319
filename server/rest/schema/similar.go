package schema

import "slices"

// How alike names must be to be suggested: less for a function's arguments,
// which tell nothing that the caller may not know.
const (
	SimilarName      = 0.75
	SimilarArguments = 0.33
)

// Closest returns the candidate most like a mistyped name; ok is false when none
// is at least as alike as enough, from 0 to 1.
func Closest(wanted string, candidates []string, enough float64) (best string, ok bool) {
	slices.Sort(candidates)
	var score float64
	for _, candidate := range candidates {
		if found := similarity(wanted, candidate); found >= enough && found > score {
			best, score, ok = candidate, found, true
		}
	}
	return best, ok
}

// similarity is the share of a name that stays when one becomes the other
// (Levenshtein's distance over the longer length).
func similarity(a, b string) float64 {
	from, to := []rune(a), []rune(b)
	longest := max(len(from), len(to))
	if longest == 0 {
		return 1
	}
	row := make([]int, len(to)+1)
	for j := range row {
		row[j] = j
	}
	for i, char := range from {
		diagonal := row[0]
		row[0] = i + 1
		for j, other := range to {
			cost := diagonal
			if char != other {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, diagonal+1)
		}
	}
	return 1 - float64(row[len(to)])/float64(longest)
}
