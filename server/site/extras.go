package site

import (
	"bytes"
	"html"
	"maps"
	"slices"
	"strings"
)

// Extras holds a project's additions to its page.
type Extras struct {
	Settings map[string]string // public settings by name, written as <meta> tags; empty values are omitted
	Connect  []string          // origins from which scripts may load, besides the page's own
}

// add adds the extras to the page and its content security policy.
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
