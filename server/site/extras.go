package site

import (
	"bytes"
	"html"
	"maps"
	"slices"
	"strings"
)

// Extras is what a project adds to its page.
type Extras struct {
	Settings map[string]string // public settings by name, each a <meta> of the page; an empty one is left out
	Connect  []string          // origins that scripts may load from, beside the page's own
}

// add puts extras into the page and its content security policy.
func (s *Site) add(extras Extras) {
	var tags strings.Builder
	for _, name := range slices.Sorted(maps.Keys(extras.Settings)) {
		if value := extras.Settings[name]; value != "" {
			tags.WriteString(`<meta name="` + html.EscapeString(name) + `" content="` + html.EscapeString(value) + `">`)
		}
	}
	s.page = bytes.Replace(s.page, []byte("</head>"), []byte(tags.String()+"</head>"), 1)
	const own = "connect-src 'self'"
	s.policy = strings.Replace(s.policy, own, strings.Join(append([]string{own}, extras.Connect...), " "), 1)
}
