package answer

import (
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"plaza/server/apierr"
	"plaza/server/rest/plan"
)

// Canonical returns a URL with its parameters in alphabetical order, so that
// equivalent requests have the same Content-Location.
func Canonical(u *url.URL) string {
	if !strings.Contains(u.RawQuery, "&") {
		return u.RequestURI()
	}
	parameters := make([]string, 0, 8) // more are rare
	for parameter := range strings.SplitSeq(u.RawQuery, "&") {
		parameters = append(parameters, parameter)
	}
	slices.SortStableFunc(parameters, func(a, b string) int { return strings.Compare(nameOf(a), nameOf(b)) })
	path := u.EscapedPath()
	var out strings.Builder
	out.Grow(len(path) + len("?") + len(u.RawQuery))
	out.WriteString(path)
	separator := byte('?')
	for _, parameter := range parameters {
		out.WriteByte(separator)
		out.WriteString(parameter)
		separator = '&'
	}
	return out.String()
}

// nameOf returns the name of a parameter.
func nameOf(parameter string) string {
	name, _, _ := strings.Cut(parameter, "=")
	return name
}

// ContentRange returns a range such as "0-11/200", with "*" for no rows and for an unknown total.
func ContentRange(offset, rows, total int64) string {
	out := make([]byte, 0, 64)
	if rows > 0 {
		out = strconv.AppendInt(out, offset, 10)
		out = strconv.AppendInt(append(out, '-'), offset+rows-1, 10)
	} else {
		out = append(out, '*')
	}
	out = append(out, '/')
	if total < 0 {
		return string(append(out, '*'))
	}
	return string(strconv.AppendInt(out, total, 10))
}

// SetHeaders applies the headers that SQL has set: a JSON array of objects with one
// key each. They replace existing headers of the same name.
//
// Errors: 500 PGRST111.
func SetHeaders(header http.Header, text string) error {
	if text == "" {
		return nil
	}
	var list []map[string]*string
	err := json.Unmarshal([]byte(text), &list)
	if err != nil || slices.ContainsFunc(list, isInvalidHeader) {
		return apierr.New(http.StatusInternalServerError, "PGRST111", `response.headers guc must be a JSON array composed of objects with a single key and a string value`).WithCause(err)
	}
	replaced := make(map[string]bool)
	for _, entry := range list {
		for name, value := range entry {
			if name = http.CanonicalHeaderKey(name); !replaced[name] {
				header.Del(name)
				replaced[name] = true
			}
			header.Add(name, *value)
		}
	}
	return nil
}

// isInvalidHeader reports whether an object is anything but one key with a string value.
func isInvalidHeader(entry map[string]*string) bool {
	for _, value := range entry {
		return value == nil || len(entry) != 1
	}
	return true
}

// Location returns the path of an inserted row: "/table?id=eq.1".
func Location(r *http.Request, m *plan.Mutation, key string) (string, error) {
	var values map[string]json.RawMessage
	if err := json.Unmarshal([]byte(key), &values); err != nil {
		return "", err
	}
	var filters []string
	for _, name := range m.Table.PrimaryKey {
		text := string(values[name])
		if text == "null" {
			filters = append(filters, url.QueryEscape(name)+"=is.null")
			continue
		}
		if unquoted, err := strconv.Unquote(text); err == nil {
			text = unquoted
		}
		filters = append(filters, url.QueryEscape(name)+"=eq."+url.QueryEscape(text))
	}
	slices.Sort(filters)
	return r.URL.Path + "?" + strings.Join(filters, "&"), nil
}
