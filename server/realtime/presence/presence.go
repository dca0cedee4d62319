// Package presence tracks who is present in a topic, in the format of Phoenix's presences.
package presence

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"

	"plaza/server/jsontext"
)

// Entry is the presence of one channel. It is immutable.
type Entry struct {
	Key     string // several entries may have the same
	Ref     string // unique
	Prev    string // Ref of the entry that this one replaces; empty: none
	Payload []byte // JSON object
}

// Same reports whether the entry has this payload. The order of an object's members does not
// matter.
func (e *Entry) Same(payload []byte) bool {
	if bytes.Equal(e.Payload, payload) {
		return true
	}
	var own, other any
	return json.Unmarshal(e.Payload, &own) == nil && json.Unmarshal(payload, &other) == nil && reflect.DeepEqual(own, other)
}

// appendMeta appends the payload with the references.
func (e *Entry) appendMeta(out []byte) []byte {
	payload := bytes.TrimSpace(e.Payload)
	inner := bytes.TrimSpace(payload[1 : len(payload)-1])
	out = append(out, '{')
	if len(inner) > 0 {
		out = append(append(out, inner...), ',')
	}
	out = jsontext.AppendString(append(out, `"phx_ref":`...), e.Ref)
	if e.Prev != "" {
		out = jsontext.AppendString(append(out, `,"phx_ref_prev":`...), e.Prev)
	}
	return append(out, '}')
}

// State is the entries of a topic by key; those of one key in the order in which they came. It
// is for one goroutine at a time.
type State map[string][]*Entry

// Put adds an entry, which takes the place of replaced if that is not nil.
func (s State) Put(e, replaced *Entry) {
	entries := s[e.Key]
	if at := slices.Index(entries, replaced); at >= 0 {
		entries[at] = e
		return
	}
	s[e.Key] = append(entries, e)
}

// Remove removes an entry.
func (s State) Remove(e *Entry) {
	entries := s[e.Key]
	at := slices.Index(entries, e)
	if at < 0 {
		return
	}
	if entries = slices.Delete(entries, at, at+1); len(entries) > 0 {
		s[e.Key] = entries
	} else {
		delete(s, e.Key)
	}
}

// AppendJSON appends the payload of the event presence_state.
func (s State) AppendJSON(out []byte) []byte {
	out = append(out, '{')
	isFirst := true
	for key, entries := range s {
		if !isFirst {
			out = append(out, ',')
		}
		isFirst = false
		out = appendKey(out, key, entries)
	}
	return append(out, '}')
}

func appendKey(out []byte, key string, entries []*Entry) []byte {
	out = append(jsontext.AppendString(out, key), `:{"metas":[`...)
	for i, e := range entries {
		if i > 0 {
			out = append(out, ',')
		}
		out = e.appendMeta(out)
	}
	return append(out, "]}"...)
}

// AppendDiff appends the payload of the event presence_diff.
func AppendDiff(out []byte, joins, leaves []*Entry) []byte {
	out = stateOf(joins).AppendJSON(append(out, `{"joins":`...))
	out = stateOf(leaves).AppendJSON(append(out, `,"leaves":`...))
	return append(out, '}')
}

func stateOf(entries []*Entry) State {
	s := make(State, len(entries))
	for _, e := range entries {
		s.Put(e, nil)
	}
	return s
}
