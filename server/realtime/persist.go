package realtime

import (
	"context"
	"encoding/json"
	"errors"
	"net/url"
	"strconv"
	"time"

	"github.com/google/uuid"

	"plaza/server/jsontext"
	"plaza/server/realtime/frame"
	"plaza/server/realtime/messages"
)

// persist is a sender's request to store a broadcast for replay.
type persist struct {
	wanted bool
	ttl    time.Duration // 0: as long as messages from the database
}

var (
	errPersist       = errors.New("InvalidPersist: persist is true, or has a ttl in seconds from 1 to 259200")
	errPersistPublic = errors.New("InvalidPersist: only broadcasts of private channels can be stored")
)

// maxTTL is the maximum ttl. Messages without one are kept as long.
const maxTTL = 72 * time.Hour

func parseTTL(seconds string) (persist, error) {
	n, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil || n < 1 || n > int64(maxTTL/time.Second) {
		return persist{}, errPersist
	}
	return persist{true, time.Duration(n) * time.Second}, nil
}

// check returns an error if a broadcast cannot be stored.
func (p persist) check(private bool) error {
	if p.wanted && !private {
		return errPersistPublic
	}
	return nil
}

// persistOf parses the member persist of a broadcast's metadata.
func persistOf(meta []byte) (persist, error) {
	if len(meta) == 0 {
		return persist{}, nil
	}
	var sent struct{ Persist json.RawMessage }
	if json.Unmarshal(meta, &sent) != nil {
		return persist{}, errPersist
	}
	switch text := string(sent.Persist); text {
	case "", "null", "false":
		return persist{}, nil
	case "true":
		return persist{wanted: true}, nil
	}
	var limited struct{ TTL *json.Number }
	if json.Unmarshal(sent.Persist, &limited) != nil {
		return persist{}, errPersist
	}
	if limited.TTL == nil {
		return persist{wanted: true}, nil
	}
	return parseTTL(limited.TTL.String())
}

// persistOfQuery parses a request's query parameters: persist=true or persist[ttl]=SECONDS.
func persistOfQuery(query url.Values) (persist, error) {
	if query.Has("persist[ttl]") {
		return parseTTL(query.Get("persist[ttl]"))
	}
	switch query.Get("persist") {
	case "", "false":
		return persist{}, nil
	case "true":
		return persist{wanted: true}, nil
	}
	return persist{}, errPersist
}

// storeBroadcast stores a broadcast of a private channel for replay. Other servers read it from the
// WAL; the message gets its id, so that this server does not deliver it twice.
func (s *Server) storeBroadcast(ctx context.Context, topic string, m *outgoing, p persist) error {
	m.id = uuid.NewString()
	m.broadcast = &frame.Broadcast{
		Event: m.broadcast.Event, Meta: append(jsontext.AppendString([]byte(`{"id":`), m.id), '}'), IsJSON: m.broadcast.IsJSON, Payload: m.broadcast.Payload,
	}
	s.sent.renew(s.now())
	s.sent.add(m.id)
	stored := messages.Stored{ID: m.id, Topic: topic, Event: m.broadcast.Event, Private: true}
	if m.broadcast.IsJSON {
		stored.Payload = m.broadcast.Payload
	} else {
		stored.Bytes = m.broadcast.Payload
	}
	return s.store.Store(ctx, stored, p.ttl)
}
