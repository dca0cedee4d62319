package realtime

import (
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"strconv"
	"strings"

	"plaza/server/claims"
	"plaza/server/httpx"
	"plaza/server/jsontext"
	"plaza/server/realtime/frame"
	"plaza/server/realtime/messages"
)

// answer writes a JSON object with one member.
func answer(w http.ResponseWriter, status int, name, text string) {
	_ = httpx.WriteJSON(w, status, map[string]string{name: text}) // a map of strings is always encoded
}

// caller verifies the bearer token of a request, or else its API key. ok is false if the request
// was answered with an error.
func (s *Server) caller(w http.ResponseWriter, r *http.Request) (who messages.Caller, ok bool) {
	token, found := claims.BearerToken(r)
	if !found {
		token = r.Header.Get("apikey")
	}
	caller, refused := s.verify(token)
	if refused != nil {
		answer(w, http.StatusUnauthorized, "message", "Unauthorized")
		return messages.Caller{}, false
	}
	httpx.RecordRole(r.Context(), caller.Role)
	return messages.Caller{Caller: caller, Headers: httpx.HeadersJSON(r.Header)}, true
}

// maxBatchBody is the maximum size of a batch, in bytes.
const maxBatchBody = 16 << 20

// payloadTooLarge is upstream's text for a payload over the limit.
const payloadTooLarge = "Payload size exceeds tenant limit"

// batch is the body of POST /api/broadcast.
type batch struct {
	Messages []struct {
		Topic   *string         `json:"topic"`
		Event   *string         `json:"event"`
		Payload json.RawMessage `json:"payload"`
		Private bool            `json:"private"`
		ID      string          `json:"id"`
	} `json:"messages"`
}

// broadcastBatch serves POST /api/broadcast. Private messages that the caller may not send are
// skipped.
func (s *Server) broadcastBatch(w http.ResponseWriter, r *http.Request) {
	who, ok := s.caller(w, r)
	if !ok {
		return
	}
	var sent batch
	if err := httpx.ReadJSON(w, r, maxBatchBody, &sent); err != nil {
		refuseBody(w, err)
		return
	}
	if errs := s.checkBatch(&sent); errs != nil {
		_ = httpx.WriteJSON(w, http.StatusUnprocessableEntity, map[string]any{"errors": errs})
		return
	}
	if s.isLimited(w) {
		return
	}
	checked := make(map[string]error) // by topic
	for _, m := range sent.Messages {
		if m.Private {
			err, isChecked := checked[*m.Topic]
			if !isChecked {
				err = s.store.CheckWrite(r.Context(), who, *m.Topic, messages.Broadcast)
				checked[*m.Topic] = err
			}
			if err != nil {
				s.logCheckError(r, err)
				continue
			}
		}
		payload := jsontext.AppendString([]byte(`{"type":"broadcast","event":`), *m.Event)
		payload = append(append(payload, `,"payload":`...), m.Payload...)
		if m.ID != "" {
			payload = append(jsontext.AppendString(append(payload, `,"meta":{"id":`...), m.ID), '}')
		}
		out := &outgoing{topic: topicPrefix + *m.Topic, event: "broadcast", payload: append(payload, '}')}
		s.send(roomKey{*m.Topic, m.Private}, out)
	}
	w.WriteHeader(http.StatusAccepted)
}

// logCheckError logs that policies could not be checked. It does not log that they deny a message.
func (s *Server) logCheckError(r *http.Request, err error) {
	if !errors.Is(err, messages.ErrDenied) {
		s.log.WarnContext(r.Context(), "a private broadcast was dropped: its policies could not be checked", "error", err)
	}
}

func refuseBody(w http.ResponseWriter, err error) {
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		answer(w, http.StatusRequestEntityTooLarge, "message", "Request body is larger than the "+strconv.FormatInt(tooLarge.Limit, 10)+" bytes allowed")
		return
	}
	answer(w, http.StatusBadRequest, "message", "The body is not valid JSON")
}

// checkBatch returns the validation errors of the messages by position, or nil. The format is
// that of Ecto's changesets.
func (s *Server) checkBatch(sent *batch) any {
	const blank = "can't be blank"
	if len(sent.Messages) == 0 {
		return map[string][]string{"messages": {blank}}
	}
	errs, isInvalid := make([]map[string][]string, len(sent.Messages)), false
	for i, m := range sent.Messages {
		errs[i] = make(map[string][]string)
		fail := func(name, text string) { errs[i][name], isInvalid = []string{text}, true }
		if m.Topic == nil || *m.Topic == "" {
			fail("topic", blank)
		}
		if m.Event == nil || *m.Event == "" {
			fail("event", blank)
		}
		switch {
		case len(m.Payload) == 0 || string(m.Payload) == "null":
			fail("payload", blank)
		case m.Payload[0] != '{':
			fail("payload", "is invalid")
		case !s.cfg.fits(len(m.Payload)):
			fail("payload", payloadTooLarge)
		}
	}
	if !isInvalid {
		return nil
	}
	return map[string]any{"messages": errs}
}

// isLimited reports whether too many messages were sent. If so, it answers the request.
func (s *Server) isLimited(w http.ResponseWriter) bool {
	if s.cfg.MaxEvents == 0 {
		return false
	}
	current := s.events.current()
	header := w.Header()
	header.Set("X-Rate-Rolling", strconv.Itoa(current))
	header.Set("X-Rate-Limit", strconv.Itoa(s.cfg.MaxEvents))
	header.Set("X-Rate-Limit-Remaining", strconv.Itoa(max(0, s.cfg.MaxEvents-current)))
	if current < s.cfg.MaxEvents {
		return false
	}
	answer(w, http.StatusTooManyRequests, "message", "You have exceeded your rate limit")
	return true
}

// broadcastOne serves POST /api/broadcast/{topic}/events/{event}.
func (s *Server) broadcastOne(w http.ResponseWriter, r *http.Request) {
	who, ok := s.caller(w, r)
	if !ok {
		return
	}
	topic, event := r.PathValue("topic"), r.PathValue("event")
	b, ok := s.readBroadcast(w, r)
	if !ok || s.isLimited(w) {
		return
	}
	b.Event = event
	if !b.IsJSON && (len(topicPrefix)+len(topic) > frame.MaxName || len(event) > frame.MaxName) {
		_ = httpx.WriteJSON(w, http.StatusUnprocessableEntity, map[string]any{"errors": map[string][]string{
			"topic": {"the topic and the event of a binary message may have at most " + strconv.Itoa(frame.MaxName) + " bytes"},
		}})
		return
	}
	query := r.URL.Query()
	private := query.Get("private") == "true"
	p, err := persistOfQuery(query)
	if err == nil {
		err = p.check(private)
	}
	if err != nil {
		answer(w, http.StatusUnprocessableEntity, "error", err.Error())
		return
	}
	if private {
		err := s.store.CheckWrite(r.Context(), who, topic, messages.Broadcast)
		if errors.Is(err, messages.ErrDenied) {
			answer(w, http.StatusForbidden, "message", "Unauthorized")
			return
		}
		if err != nil {
			s.logCheckError(r, err)
			answer(w, http.StatusServiceUnavailable, "message", faultText(err))
			return
		}
	}
	out, key := &outgoing{topic: topicPrefix + topic, broadcast: b}, roomKey{topic, private}
	if !p.wanted {
		s.send(key, out)
	} else if err := s.storeBroadcast(r.Context(), topic, out, p); err == nil {
		s.deliver(s.rooms.get(key), out, nil)
	} else {
		s.log.WarnContext(r.Context(), "a broadcast was not stored", "error", err)
		answer(w, http.StatusServiceUnavailable, "error", faultText(err))
		return
	}
	w.WriteHeader(http.StatusAccepted)
}

// readBroadcast reads the payload of a request by its content type. ok is false if the request
// was answered with an error.
func (s *Server) readBroadcast(w http.ResponseWriter, r *http.Request) (b *frame.Broadcast, ok bool) {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	b = &frame.Broadcast{IsJSON: kind == "application/json" || r.Header.Get("Content-Type") == ""}
	if !b.IsJSON && (err != nil || kind != "application/octet-stream") {
		answer(w, http.StatusUnsupportedMediaType, "error", "Unsupported Media Type. Use application/json or application/octet-stream")
		return nil, false
	}
	if b.Payload, err = io.ReadAll(http.MaxBytesReader(w, r.Body, maxBatchBody)); err != nil {
		refuseBody(w, err)
		return nil, false
	}
	if !s.cfg.fits(len(b.Payload)) {
		_ = httpx.WriteJSON(w, http.StatusUnprocessableEntity, map[string]any{"errors": map[string][]string{"payload": {payloadTooLarge}}})
		return nil, false
	}
	if !b.IsJSON {
		return b, true
	}
	text := strings.TrimSpace(strings.ToValidUTF8(string(b.Payload), "\uFFFD"))
	switch {
	case text == "":
		text = "{}"
	case !json.Valid([]byte(text)):
		refuseBody(w, httpx.ErrBadJSON)
		return nil, false
	case text[0] != '{':
		text = `{"_json":` + text + `}`
	}
	b.Payload = []byte(text)
	return b, true
}
