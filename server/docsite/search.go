package docsite

import (
	"html/template"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"
)

// Limits of a search.
const (
	maxQuery   = 100 // bytes
	maxWords   = 8
	maxResults = 12
	snippet    = 160 // bytes of a result's text
)

// entry is a part of a document that a search finds: a heading with its text.
type entry struct {
	url, page, heading, text string
	lower                    [3]string // page, heading and text in lower case
	isDecision               bool
}

// index is the search index.
type index []entry

func (x *index) add(d document, headings []heading) {
	for _, h := range headings {
		found := entry{url: d.url, page: d.title, heading: h.Title, text: h.text, isDecision: d.section == sectionDecisions}
		if h.ID != "" {
			found.url += "#" + h.ID
		}
		found.lower = [3]string{strings.ToLower(d.title), strings.ToLower(h.Title), strings.ToLower(h.text)}
		*x = append(*x, found)
	}
}

// search is a query with its results, the best first.
type search struct {
	Query   string
	Results []result
}

type result struct {
	URL, Page, Heading string
	Text               template.HTML
	score              int
}

// find returns the entries that contain all words of a query. A word in a title counts more than
// one in a text, and decisions count less than guides.
func (x index) find(query string) []result {
	words := strings.Fields(strings.ToLower(query))
	if len(words) > maxWords {
		words = words[:maxWords]
	}
	if len(words) == 0 {
		return nil
	}
	var found []result
	for _, e := range x {
		if score := e.score(words); score > 0 {
			found = append(found, result{URL: e.url, Page: e.page, Heading: e.heading, Text: e.excerpt(words), score: score})
		}
	}
	slices.SortStableFunc(found, func(a, b result) int { return b.score - a.score })
	return found[:min(len(found), maxResults)]
}

// score is 0 if a word is missing.
func (e entry) score(words []string) int {
	total := 0
	for _, word := range words {
		score := 12*matches(e.lower[0], word) + 8*matches(e.lower[1], word) + 2*matches(e.lower[2], word)
		if score == 0 {
			return 0
		}
		total += score
	}
	if e.isDecision {
		total = max(1, total/3)
	}
	return total
}

// matches returns 2 if text has a word that begins with part, 1 if it has part elsewhere, or 0.
func matches(text, part string) int {
	at := strings.Index(text, part)
	if at < 0 {
		return 0
	}
	for ; at >= 0; at = next(text, part, at) {
		before, _ := utf8.DecodeLastRuneInString(text[:at])
		if at == 0 || strings.ContainsRune(" `'\"([{_-./$:“", before) {
			return 2
		}
	}
	return 1
}

// next returns the place of the next part in text after at, or -1.
func next(text, part string, at int) int {
	if found := strings.Index(text[at+len(part):], part); found >= 0 {
		return at + len(part) + found
	}
	return -1
}

// excerpt returns the text around the first word that is in it, with the words marked.
func (e entry) excerpt(words []string) template.HTML {
	text, lower := e.text, e.lower[2]
	if len(text) != len(lower) { // lower case has other lengths in rare alphabets
		text = lower
	}
	at := 0
	for _, word := range words {
		if found := strings.Index(lower, word); found >= 0 {
			at = found
			break
		}
	}
	begin := max(0, at-snippet/4)
	if space := strings.LastIndexByte(text[:begin], ' '); begin > 0 {
		begin = space + 1
	}
	end := min(len(text), begin+snippet)
	if space := strings.IndexByte(text[end:], ' '); space >= 0 {
		end += space
	} else {
		end = len(text)
	}
	out := mark(text[begin:end], lower[begin:end], words)
	if begin > 0 {
		out = "… " + out
	}
	if end < len(text) {
		out += " …"
	}
	return template.HTML(out)
}

// mark escapes a text and marks the words in it.
func mark(text, lower string, words []string) string {
	var out strings.Builder
	for len(text) > 0 {
		at, length := len(text), 0
		for _, word := range words {
			if found := strings.Index(lower, word); found >= 0 && (found < at || found == at && len(word) > length) {
				at, length = found, len(word)
			}
		}
		out.WriteString(template.HTMLEscapeString(text[:at]))
		if length > 0 {
			out.WriteString("<mark>" + template.HTMLEscapeString(text[at:at+length]) + "</mark>")
		}
		text, lower = text[at+length:], lower[at+length:]
	}
	return out.String()
}

// search serves the results of a query as a page. The page's script shows them while the user types.
func (s *Site) search(w http.ResponseWriter, r *http.Request, c *content) {
	query := strings.TrimSpace(r.URL.Query().Get("q"))
	if len(query) > maxQuery {
		query = strings.ToValidUTF8(query[:maxQuery], "")
	}
	s.serveView(w, r, c, http.StatusOK, view{Title: "Search", Search: &search{Query: query, Results: c.index.find(query)}})
}
