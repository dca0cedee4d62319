package firstview

import "html/template"

// icons are the Lucide icons that the client shows in the same places.
var icons = map[string]string{
	"chevron-down":   `<path d="m6 9 6 6 6-6"/>`,
	"chevron-right":  `<path d="m9 18 6-6-6-6"/>`,
	"images":         `<path d="m22 11-1.296-1.296a2.4 2.4 0 0 0-3.408 0L11 16"/><path d="M4 8a2 2 0 0 0-2 2v10a2 2 0 0 0 2 2h10a2 2 0 0 0 2-2"/><circle cx="13" cy="7" r="1" fill="currentColor"/><rect x="8" y="2" width="14" height="14" rx="2"/>`,
	"map-pin":        `<path d="M20 10c0 4.993-5.539 10.193-7.399 11.799a1 1 0 0 1-1.202 0C9.539 20.193 4 14.993 4 10a8 8 0 0 1 16 0"/><circle cx="12" cy="10" r="3"/>`,
	"menu":           `<path d="M4 5h16"/><path d="M4 12h16"/><path d="M4 19h16"/>`,
	"message-circle": `<path d="M2.992 16.342a2 2 0 0 1 .094 1.167l-1.065 3.29a1 1 0 0 0 1.236 1.168l3.413-.998a2 2 0 0 1 1.099.092 10 10 0 1 0-4.777-4.719"/>`,
	"list-filter":    `<path d="M2 5h20"/><path d="M6 12h12"/><path d="M9 19h6"/>`,
	"phone":          `<path d="M13.832 16.568a1 1 0 0 0 1.213-.303l.355-.465A2 2 0 0 1 17 15h3a2 2 0 0 1 2 2v3a2 2 0 0 1-2 2A18 18 0 0 1 2 4a2 2 0 0 1 2-2h3a2 2 0 0 1 2 2v3a2 2 0 0 1-.8 1.6l-.468.351a1 1 0 0 0-.292 1.233 14 14 0 0 0 6.392 6.384"/>`,
	"search":         `<path d="m21 21-4.34-4.34"/><circle cx="11" cy="11" r="8"/>`,
}

// icon returns an SVG that is hidden from screen readers, as text beside it has its meaning.
func icon(name, class string) template.HTML {
	return template.HTML(`<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.75" stroke-linecap="round" stroke-linejoin="round" class="` +
		class + `" aria-hidden="true">` + icons[name] + `</svg>`)
}
