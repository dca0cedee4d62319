package request

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"plaza/server/apierr"
)

// Preferences holds the preferences of a request's Prefer header.
type Preferences struct {
	Return      string // minimal, headers-only, representation
	Count       string // exact, planned, estimated
	Resolution  string // merge-duplicates, ignore-duplicates
	Missing     string // default, null
	Handling    string // strict, lenient
	Tx          string // commit, rollback
	TimeZone    string // as sent: a name or an offset
	Isolation   string // repeatable read, serializable; not in upstream
	MaxAffected *int64

	noZone       bool // an empty time zone, which PostgreSQL rejects
	hasIsolation bool // the isolation level may be chosen
}

// ReadPreferences parses the Prefer headers. Unknown preferences are ignored, except
// with handling=strict. Unless isolation is true, that of an isolation level is unknown.
//
// Errors: 400 PGRST122; 400 22023 for an empty time zone, with PostgreSQL's message.
func ReadPreferences(header http.Header, isolation bool) (Preferences, error) {
	p := Preferences{hasIsolation: isolation}
	var unknown []string
	for _, line := range header.Values("Prefer") {
		for entry := range strings.SplitSeq(line, ",") {
			entry = strings.TrimSpace(entry)
			if name, value, _ := strings.Cut(entry, "="); entry != "" && !p.take(name, value) {
				unknown = append(unknown, entry)
			}
		}
	}
	if p.Handling == "strict" && len(unknown) > 0 {
		return p, apierr.New(400, "PGRST122", "Invalid preferences given with handling=strict").
			WithDetail("Invalid preferences: %s", strings.Join(unknown, ", "))
	}
	if p.noZone {
		return p, apierr.New(400, "22023", `invalid value for parameter "TimeZone": ""`)
	}
	if p.Handling != "strict" {
		p.MaxAffected = nil
	}
	return p, nil
}

// take stores one preference and reports whether it is known. Only the first of each
// name counts.
func (p *Preferences) take(name, value string) (known bool) {
	choose := func(field *string, allowed ...string) bool {
		if !slices.Contains(allowed, value) {
			return false
		}
		if *field == "" {
			*field = value
		}
		return true
	}
	switch name {
	case "return":
		return choose(&p.Return, "minimal", "headers-only", "representation")
	case "count":
		return choose(&p.Count, "exact", "planned", "estimated")
	case "resolution":
		return choose(&p.Resolution, "merge-duplicates", "ignore-duplicates")
	case "missing":
		return choose(&p.Missing, "default", "null")
	case "handling":
		return choose(&p.Handling, "strict", "lenient")
	case "tx":
		return choose(&p.Tx, "commit", "rollback")
	case "isolation":
		if !p.hasIsolation || value != "repeatable-read" && value != "serializable" {
			return false
		}
		p.Isolation = strings.ReplaceAll(value, "-", " ")
		return true
	case "timezone":
		if p.TimeZone == "" && !p.noZone {
			p.TimeZone, p.noZone = value, value == ""
		}
		return true // PostgreSQL decides whether it is one
	case "max-affected":
		limit, err := strconv.ParseInt(value, 10, 64)
		if err == nil && p.MaxAffected == nil {
			p.MaxAffected = &limit
		}
		return true // also without a number, as upstream
	}
	return false
}

// CountsRows reports whether the statement must count its rows. A planned count does not need it.
func (p *Preferences) CountsRows() bool { return p.Count == "exact" || p.Count == "estimated" }

// ClearWrites clears the preferences that apply only to writes.
func (p *Preferences) ClearWrites() { p.Return, p.Resolution, p.Missing = "", "", "" }

// Applied lists the preferences that took effect, for Preference-Applied.
func (p Preferences) Applied(tx string) string {
	var list []string
	add := func(name, value string) {
		if value != "" {
			list = append(list, name+"="+value)
		}
	}
	add("resolution", p.Resolution)
	add("missing", p.Missing)
	add("return", p.Return)
	add("count", p.Count)
	add("tx", tx)
	add("handling", p.Handling)
	add("timezone", p.TimeZone)
	add("isolation", strings.ReplaceAll(p.Isolation, " ", "-"))
	if p.MaxAffected != nil {
		add("max-affected", strconv.FormatInt(*p.MaxAffected, 10))
	}
	return strings.Join(list, ", ")
}
