package frame

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestText(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		version Version
		text    string
		want    Message
	}{
		{"object", V1, `{"topic":"realtime:room","event":"phx_join","payload":{"a":[1]},"ref":"1","join_ref":"2"}`, Message{JoinRef: `"2"`, Ref: `"1"`, Topic: "realtime:room", Event: "phx_join", Payload: []byte(`{"a":[1]}`)}},
		{"object without join_ref", V1, ` {"ref":null,"payload":1,"event":"e","topic":"t","more":2} `, Message{Topic: "t", Event: "e", Payload: []byte("1")}},
		{"array", V2, `["2","1","realtime:é","e",{}]`, Message{JoinRef: `"2"`, Ref: `"1"`, Topic: "realtime:é", Event: "e", Payload: []byte("{}")}},
		{"array with more elements", V2, "\n[null, 7 ,\"t\", \"e\\\"\", \"x\" , 6, 7]", Message{Ref: "7", Topic: "t", Event: `e"`, Payload: []byte(`"x"`)}},
	} {
		got, err := c.version.DecodeText([]byte(c.text))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

// RT-03: data that is not a valid message is refused.
func TestMalformed(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		version Version
		text    string
	}{
		{V1, ``},
		{V1, ` `},
		{V1, `{`},
		{V1, `[]`},
		{V1, `"text"`},
		{V1, `{"topic":"t","event":"e","payload":{}}`},
		{V1, `{"topic":"t","event":"e","ref":"1"}`},
		{V1, `{"topic":1,"event":"e","payload":{},"ref":"1"}`},
		{V1, `{"topic":"t","event":null,"payload":{},"ref":"1"}`},
		{V1, `{"topic":"t","event":"e","payload":{},"ref":{}}`},
		{V2, `{"topic":"t","event":"e","payload":{},"ref":"1"}`},
		{V2, `[]`},
		{V2, `["1","1","t","e"]`},
		{V2, `["1",["1"],"t","e",{}]`},
		{V2, `["` + strings.Repeat("1", maxRef) + `","1","t","e",{}]`},
		{V2, `["1","1","t","e",{}`},
		{V2, `["1","1","t","e",{}]]`},
	} {
		if got, err := c.version.DecodeText([]byte(c.text)); !errors.Is(err, ErrMalformed) {
			t.Errorf("%s: %+v, %v", c.text, got, err)
		}
	}
	for _, data := range []string{
		"", "\x01", "\x04\x00\x00\x00\x00", "\x00\x01\x01\x01", "\x00\x01\x01\x01\x01abc", "\x03\x00\x00\x00\x00\x00", "\x03\x00\x00\x05\x01\x00\x00topic",
		"\x03\x00\x00\x01\x01\x00\x02te{}", "\x03\x00\x00\x01\x01\x00\x01te{", "\x03\x00\x00\x01\x01\x02\x01te[]{}", "\x03\x00\x00\x01\x01\x00\x00\xffe", "\x03\x00\x00\x01\x01\x00\x01te\"\xff\"",
	} {
		if got, err := DecodeBinary([]byte(data)); !errors.Is(err, ErrMalformed) {
			t.Errorf("%q: %+v, %v", data, got, err)
		}
	}
}

func TestBinary(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, data string
		want       Message
	}{
		{"push", "\x00\x01\x02\x01\x05" + "1" + "22" + "t" + "event" + "rest", Message{JoinRef: `"1"`, Ref: `"22"`, Topic: "t", Event: "event"}},
		{
			"broadcast of JSON", "\x03\x01\x00\x01\x02\x07\x01" + "1" + "t" + "é" + `{"a":1}` + `[2]`,
			Message{JoinRef: `"1"`, Topic: "t", Event: "broadcast", Broadcast: &Broadcast{Event: "é", Meta: []byte(`{"a":1}`), IsJSON: true, Payload: []byte("[2]")}},
		},
		{
			"broadcast without a payload", "\x03\x00\x00\x01\x01\x00\x00" + "t" + "e",
			Message{Topic: "t", Event: "broadcast", Broadcast: &Broadcast{Event: "e", Meta: []byte{}, Payload: []byte{}}},
		},
	} {
		got, err := DecodeBinary([]byte(c.data))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

// RT-02: the exact bytes of messages to clients.
func TestEncoded(t *testing.T) {
	t.Parallel()
	text := func(v Version, joinRef, ref Ref, event, payload string) string {
		return string(v.AppendMessage(nil, joinRef, ref, "realtime:a\"b", event, []byte(payload)))
	}
	for got, want := range map[string]string{
		text(V1, `"1"`, `"2"`, Reply, `{"status":"ok","response":{}}`): `{"ref":"2","topic":"realtime:a\"b","event":"phx_reply","payload":{"status":"ok","response":{}}}`,
		text(V2, `"1"`, `"2"`, Reply, `{"status":"ok","response":{}}`): `["1","2","realtime:a\"b","phx_reply",{"status":"ok","response":{}}]`,
		text(V1, "", "", "system", `{}`):                               `{"ref":null,"topic":"realtime:a\"b","event":"system","payload":{}}`,
		text(V2, "", "", "system", `{}`):                               `[null,null,"realtime:a\"b","system",{}]`,
	} {
		if got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	broadcast := func(v Version, topic string, b Broadcast) string {
		out, isBinary, ok := v.AppendBroadcast(nil, topic, &b)
		if !ok {
			return "none"
		}
		if isBinary {
			return "binary " + string(out)
		}
		return string(out)
	}
	long := strings.Repeat("n", MaxName+1)
	for got, want := range map[string]string{
		broadcast(V2, "t", Broadcast{Event: "ev", Payload: []byte{0, 1}}):                                        "binary \x04\x01\x02\x00\x00tev\x00\x01",
		broadcast(V2, "t", Broadcast{Event: "ev", IsJSON: true, Meta: []byte(`{}`), Payload: []byte(`{"a":1}`)}): "binary \x04\x01\x02\x02\x01tev{}{\"a\":1}",
		broadcast(V1, "t", Broadcast{Event: "ev", Payload: []byte{0, 1}}):                                        "none",
		broadcast(V1, "t", Broadcast{Event: "ev", IsJSON: true, Payload: []byte("1")}):                           `{"ref":null,"topic":"t","event":"broadcast","payload":{"type":"broadcast","event":"ev","payload":1}}`,
		broadcast(V1, "t", Broadcast{Event: "ev", IsJSON: true, Meta: []byte(`{"id":2}`), Payload: []byte("1")}): `{"ref":null,"topic":"t","event":"broadcast","payload":{"type":"broadcast","event":"ev","payload":1,"meta":{"id":2}}}`,
		broadcast(V2, "t", Broadcast{Event: long, IsJSON: true, Payload: []byte("1")}):                           `[null,null,"t","broadcast",{"type":"broadcast","event":"` + long + `","payload":1}]`,
		broadcast(V2, long, Broadcast{Event: "ev", Payload: []byte("1")}):                                        "none",
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// FuzzDecode checks that any data is refused, or is a message to which a valid reply can be encoded.
func FuzzDecode(f *testing.F) {
	for _, text := range []string{
		`["1","2","realtime:room","phx_join",{"config":{}}]`, `{"topic":"t","event":"e","payload":{},"ref":"1","join_ref":"2"}`,
		"\x03\x01\x00\x01\x01\x02\x01" + `1te{}[2]`, "\x00\x01\x02\x01\x05122teventrest",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		check := func(m Message, err error) {
			if err != nil {
				if !errors.Is(err, ErrMalformed) {
					t.Errorf("error %v", err)
				}
				return
			}
			if m.Payload != nil && !json.Valid(m.Payload) {
				t.Errorf("payload %q", m.Payload)
			}
			for _, v := range []Version{V1, V2} {
				reply := v.AppendMessage(nil, m.JoinRef, m.Ref, m.Topic, Reply, []byte("{}"))
				if !json.Valid(reply) {
					t.Errorf("reply %q", reply)
				}
				if m.Broadcast == nil {
					continue
				}
				out, isBinary, ok := v.AppendBroadcast(nil, m.Topic, m.Broadcast)
				if ok && isBinary && !bytes.HasSuffix(out, m.Broadcast.Payload) || ok && !isBinary && !json.Valid(out) {
					t.Errorf("broadcast %q", out)
				}
			}
		}
		check(V1.DecodeText(data))
		check(V2.DecodeText(data))
		check(DecodeBinary(data))
	})
}
