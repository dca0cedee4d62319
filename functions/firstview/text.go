package firstview

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"plaza/functions/words"
	"plaza/server/lazyregexp"
)

// correction is a word of a search as typed, and the word it was corrected to. A nil Meant means
// that the word was ignored.
type correction struct {
	Typed string  `json:"typed"`
	Meant *string `json:"meant"`
}

// correctText returns the corrected text, and its words that were corrected or ignored as a
// list. Both are empty if nothing was changed. The client has the same in features/search.
func correctText(text string, corrections []correction, w *words.Words) (corrected, unknown string) {
	if len(corrections) == 0 {
		return "", ""
	}
	var parts, typed []string
	for _, word := range strings.Fields(text) {
		at := slices.IndexFunc(corrections, func(one correction) bool { return one.Typed == foldWord(word) })
		switch {
		case at < 0:
			parts = append(parts, word)
		case corrections[at].Meant != nil:
			parts = append(parts, *corrections[at].Meant)
		}
	}
	for _, one := range corrections {
		typed = append(typed, w.Say("“%s”", one.Typed))
	}
	return strings.Join(parts, " "), strings.Join(typed, w.Say(" or "))
}

// fold returns a text in lower case without accents, as the client's fold does.
func fold(text string) string {
	return strings.ToLower(strings.TrimSpace(strings.Map(func(r rune) rune {
		if unicode.Is(unicode.M, r) {
			return -1
		}
		return r
	}, norm.NFD.String(text))))
}

// foldWord returns the letters and digits of a word in lower case, without accents.
func foldWord(word string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, fold(word))
}

// maxSlug is the longest slug in characters, the same as in the client.
const maxSlug = 50

var (
	notInSlugs   = lazyregexp.New(`[^a-z0-9 -]+`)
	betweenWords = lazyregexp.New(`[ -]+`)
)

// slugify returns a text as a URL path segment (RULE-23).
func slugify(text string) string {
	slug := betweenWords().ReplaceAllString(notInSlugs().ReplaceAllString(fold(text), ""), "-")
	return strings.Trim(slug[:min(len(slug), maxSlug)], "-")
}
