package frame

import "plaza/server/jsontext"

// Reply is the event that answers a message.
const Reply = "phx_reply"

// AppendMessage appends a text message to a client. payload is JSON.
func (v Version) AppendMessage(out []byte, joinRef, ref Ref, topic, event string, payload []byte) []byte {
	if v == V1 {
		out = appendRef(append(out, `{"ref":`...), ref)
		out = jsontext.AppendString(append(out, `,"topic":`...), topic)
		out = jsontext.AppendString(append(out, `,"event":`...), event)
		out = append(append(out, `,"payload":`...), payload...)
		return append(out, '}')
	}
	out = appendRef(append(out, '['), joinRef)
	out = appendRef(append(out, ','), ref)
	out = jsontext.AppendString(append(out, ','), topic)
	out = jsontext.AppendString(append(out, ','), event)
	out = append(append(out, ','), payload...)
	return append(out, ']')
}

func appendRef(out []byte, ref Ref) []byte {
	if ref == "" {
		return append(out, "null"...)
	}
	return append(out, ref...)
}

// MaxName is the maximum length of a topic, an event or metadata in a binary message, in bytes.
const MaxName = 255

// AppendBroadcast appends a broadcast to the members of a topic and reports whether it is a
// binary message. ok is false if the version has no message for it: for bytes in V1, and for bytes
// with a topic, an event or metadata longer than MaxName.
func (v Version) AppendBroadcast(out []byte, topic string, b *Broadcast) (_ []byte, isBinary, ok bool) {
	fits := len(topic) <= MaxName && len(b.Event) <= MaxName && len(b.Meta) <= MaxName
	switch {
	case v == V2 && fits:
		return appendDelivery(out, topic, b), true, true
	case b.IsJSON:
		return v.AppendMessage(out, "", "", topic, "broadcast", b.AppendPayload(nil)), false, true
	}
	return out, false, false
}

func appendDelivery(out []byte, topic string, b *Broadcast) []byte {
	encoding := byte(0)
	if b.IsJSON {
		encoding = 1
	}
	out = append(out, kindDelivery, byte(len(topic)), byte(len(b.Event)), byte(len(b.Meta)), encoding)
	out = append(append(out, topic...), b.Event...)
	return append(append(out, b.Meta...), b.Payload...)
}

// AppendPayload appends the payload of the broadcast as a text message has it.
func (b *Broadcast) AppendPayload(out []byte) []byte {
	out = jsontext.AppendString(append(out, `{"type":"broadcast","event":`...), b.Event)
	out = append(append(out, `,"payload":`...), b.Payload...)
	if len(b.Meta) > 0 {
		out = append(append(out, `,"meta":`...), b.Meta...)
	}
	return append(out, '}')
}
