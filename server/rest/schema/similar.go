package schema

import "slices"

// Minimum similarity of suggested names. It is lower for a function's arguments,
// because suggesting them discloses nothing.
const (
	SimilarName      = 0.75
	SimilarArguments = 0.33
)

// Closest returns the candidate that is most similar to a name. ok is false if none
// reaches the similarity threshold, which is from 0 to 1.
func Closest(wanted string, candidates []string, threshold float64) (best string, ok bool) {
	slices.Sort(candidates)
	var score float64
	for _, candidate := range candidates {
		if found := similarity(wanted, candidate); found >= threshold && found > score {
			best, score, ok = candidate, found, true
		}
	}
	return best, ok
}

// similarity returns 1 minus the Levenshtein distance divided by the longer length.
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
