// Package frame decodes and encodes the messages of Realtime's WebSocket protocol: that of
// Phoenix's channels, and two additional kinds of binary messages.
//
// Source: supabase/realtime's V1 and V2 serializers, and realtime-js' serializer.
package frame

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"unicode/utf8"

	"plaza/server/jsontext"
)

// Version is a version of the protocol, which the client chooses at the handshake.
type Version uint8

// The versions. V1 has text messages that are objects. V2 has text messages that are arrays,
// and binary messages.
const (
	V1 Version = 1 // "1.0.0"
	V2 Version = 2 // "2.0.0"
)

// ParseVersion parses the query parameter vsn. Without one the version is V1.
func ParseVersion(text string) (v Version, ok bool) {
	switch text {
	case "", "1.0.0":
		return V1, true
	case "2.0.0":
		return V2, true
	}
	return 0, false
}

// Ref is a reference that the client has given a message, as JSON. Replies repeat it. An empty
// Ref is null.
type Ref string

// maxRef is the maximum length of a Ref in bytes.
const maxRef = 256

// Message is a message of a client. Its fields may point into the decoded data.
type Message struct {
	JoinRef, Ref Ref
	Topic, Event string
	Payload      []byte     // JSON; nil for binary messages
	Broadcast    *Broadcast // of a binary broadcast; Event is "broadcast" then
}

// Broadcast is a message for the members of a topic.
type Broadcast struct {
	Event   string // chosen by the sender
	Meta    []byte // JSON object, or empty
	IsJSON  bool   // Payload is JSON, not bytes
	Payload []byte
}

// ErrMalformed means that data is not a message of the protocol.
var ErrMalformed = errors.New("malformed message")

func malformed(what string) error { return fmt.Errorf("%w: %s", ErrMalformed, what) }

// DecodeText decodes a text message, which must be UTF-8.
//
// Errors: ErrMalformed.
func (v Version) DecodeText(data []byte) (Message, error) {
	if !json.Valid(data) {
		return Message{}, malformed("not JSON")
	}
	start := jsontext.SkipSpace(data, 0)
	data = data[start:]
	var parts [5][]byte // join_ref, ref, topic, event, payload
	switch {
	case v == V1 && data[0] == '{':
		readObject(data, &parts)
	case v == V2 && data[0] == '[':
		readArray(data, &parts)
	default:
		return Message{}, malformed("neither an object of version 1.0.0 nor an array of version 2.0.0")
	}
	return fromParts(parts)
}

// readObject reads an object of version 1.0.0, where join_ref may be missing.
func readObject(object []byte, parts *[5][]byte) {
	parts[0] = []byte("null")
	jsontext.Members(object, func(key, value []byte) bool {
		switch string(key) {
		case `"join_ref"`:
			parts[0] = value
		case `"ref"`:
			parts[1] = value
		case `"topic"`:
			parts[2] = value
		case `"event"`:
			parts[3] = value
		case `"payload"`:
			parts[4] = value
		}
		return true
	})
}

// readArray reads an array of version 2.0.0. Further elements are ignored.
func readArray(array []byte, parts *[5][]byte) {
	at := 0
	jsontext.Elements(array, func(element []byte) bool {
		parts[at] = element
		at++
		return at < len(parts)
	})
}

func fromParts(parts [5][]byte) (m Message, err error) {
	for i, name := range []string{"join_ref", "ref", "topic", "event", "payload"} {
		if parts[i] == nil {
			return Message{}, malformed(name + " is missing")
		}
	}
	if m.JoinRef, err = refOf(parts[0]); err != nil {
		return Message{}, err
	}
	if m.Ref, err = refOf(parts[1]); err != nil {
		return Message{}, err
	}
	if parts[2][0] != '"' || parts[3][0] != '"' {
		return Message{}, malformed("topic and event must be strings")
	}
	m.Topic, m.Event, m.Payload = jsontext.DecodeString(parts[2]), jsontext.DecodeString(parts[3]), parts[4]
	return m, nil
}

func refOf(value []byte) (Ref, error) {
	switch {
	case string(value) == "null":
		return "", nil
	case value[0] == '{' || value[0] == '[':
		return "", malformed("a reference is a string or null")
	case len(value) > maxRef:
		return "", malformed("a reference has more than " + strconv.Itoa(maxRef) + " bytes")
	}
	return Ref(value), nil
}

// Kinds of binary messages: their first byte.
const (
	kindPush      = 0 // of the client: a message of Phoenix
	kindBroadcast = 3 // of the client
	kindDelivery  = 4 // of the server: a broadcast
)

// DecodeBinary decodes a binary message of version 2.0.0.
//
// Errors: ErrMalformed.
func DecodeBinary(data []byte) (Message, error) {
	if len(data) == 0 {
		return Message{}, malformed("empty")
	}
	d := decoder{rest: data[1:]}
	switch data[0] {
	case kindPush:
		sizes := d.bytes(4)
		return d.message(Message{JoinRef: d.ref(sizes, 0), Ref: d.ref(sizes, 1), Topic: d.text(sizes, 2), Event: d.text(sizes, 3)})
	case kindBroadcast:
		sizes := d.bytes(5)
		encoding := d.bytes(1)
		m := Message{JoinRef: d.ref(sizes, 0), Ref: d.ref(sizes, 1), Topic: d.text(sizes, 2), Event: "broadcast"}
		m.Broadcast = &Broadcast{Event: d.text(sizes, 3), Meta: []byte(d.text(sizes, 4)), Payload: d.rest}
		if d.failed != "" {
			return d.message(m)
		}
		m.Broadcast.IsJSON = encoding[0] == 1
		switch {
		case encoding[0] > 1:
			d.failed = "unknown encoding"
		case m.Broadcast.IsJSON && (!json.Valid(d.rest) || !utf8.Valid(d.rest)):
			d.failed = "the payload is not JSON"
		case len(m.Broadcast.Meta) > 0 && (m.Broadcast.Meta[0] != '{' || !json.Valid(m.Broadcast.Meta)):
			d.failed = "the metadata is not a JSON object"
		}
		return d.message(m)
	}
	return Message{}, malformed("unknown kind")
}

// decoder reads the parts of a binary message. After a failure all parts are empty.
type decoder struct {
	rest   []byte
	failed string
}

func (d *decoder) bytes(n int) []byte {
	if d.failed != "" || len(d.rest) < n {
		d.failed, d.rest = "too short", nil
		return nil
	}
	part := d.rest[:n]
	d.rest = d.rest[n:]
	return part
}

// text reads a text whose length is sizes[i].
func (d *decoder) text(sizes []byte, i int) string {
	if d.failed != "" {
		return ""
	}
	text := string(d.bytes(int(sizes[i])))
	if !utf8.ValidString(text) {
		d.failed = "a name is not UTF-8"
	}
	return text
}

func (d *decoder) ref(sizes []byte, i int) Ref {
	text := d.text(sizes, i)
	if text == "" {
		return ""
	}
	return Ref(jsontext.AppendString(nil, text))
}

func (d *decoder) message(m Message) (Message, error) {
	if d.failed != "" {
		return Message{}, malformed(d.failed)
	}
	return m, nil
}
