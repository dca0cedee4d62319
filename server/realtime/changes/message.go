package changes

import (
	"strings"

	"plaza/server/realtime/wal"
)

func (c *change) isMessage() bool {
	return c.relation.Schema == "realtime" && (c.relation.Name == "messages" || strings.HasPrefix(c.relation.Name, "messages_"))
}

// message returns the broadcast in a new row of realtime.messages. ok is false if the change has
// none.
func (c *change) message() (m Message, ok bool) {
	if c.op != "INSERT" {
		return m, false
	}
	text := func(name string) []byte {
		if at := c.index(name); at >= 0 && c.new[at].Kind == wal.Text {
			return c.new[at].Text
		}
		return nil
	}
	m = Message{ID: string(text("id")), Topic: string(text("topic")), Event: string(text("event")), Private: string(text("private")) == "t", Payload: text("payload"), Position: c.position}
	if bytes := text("binary_payload"); bytes != nil {
		m.Bytes = decodeBytea(bytes)
	}
	return m, string(text("extension")) == "broadcast" && (m.Payload != nil || m.Bytes != nil)
}
