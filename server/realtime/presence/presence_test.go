package presence_test

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"plaza/server/realtime/presence"
)

func TestState(t *testing.T) {
	t.Parallel()
	entry := func(key, ref, payload string) *presence.Entry {
		return &presence.Entry{Key: key, Ref: ref, Payload: []byte(payload)}
	}
	s := make(presence.State)
	check := func(want string) {
		t.Helper()
		var got, wanted any
		err := errors.Join(json.Unmarshal(s.AppendJSON(nil), &got), json.Unmarshal([]byte(want), &wanted))
		if diff := cmp.Diff(wanted, got); diff != "" || err != nil {
			t.Errorf("(-want +got):\n%s%v", diff, err)
		}
	}
	check(`{}`)
	first, second := entry("ana", "1", ` {"a":1} `), entry("ana", "2", `{ }`)
	proto := entry("__proto__", "3", `{"b":"}"}`)
	s.Put(first, nil)
	s.Put(second, nil)
	s.Put(proto, nil)
	check(`{"ana":{"metas":[{"a":1,"phx_ref":"1"},{"phx_ref":"2"}]},"__proto__":{"metas":[{"b":"}","phx_ref":"3"}]}}`)
	changed := &presence.Entry{Key: "ana", Ref: "4", Prev: "1", Payload: []byte(`{"a":2}`)}
	s.Put(changed, first)
	check(`{"ana":{"metas":[{"a":2,"phx_ref":"4","phx_ref_prev":"1"},{"phx_ref":"2"}]},"__proto__":{"metas":[{"b":"}","phx_ref":"3"}]}}`)
	s.Remove(first) // is not there any more
	s.Remove(changed)
	s.Remove(second)
	check(`{"__proto__":{"metas":[{"b":"}","phx_ref":"3"}]}}`)

	diff := string(presence.AppendDiff(nil, []*presence.Entry{changed, second}, []*presence.Entry{first}))
	if want := `{"joins":{"ana":{"metas":[{"a":2,"phx_ref":"4","phx_ref_prev":"1"},{"phx_ref":"2"}]}},"leaves":{"ana":{"metas":[{"a":1,"phx_ref":"1"}]}}}`; diff != want {
		t.Errorf("got %s\nwant %s", diff, want)
	}
}

func TestSame(t *testing.T) {
	t.Parallel()
	e := &presence.Entry{Payload: []byte(`{"a":1,"b":[2]}`)}
	for payload, want := range map[string]bool{
		`{"a":1,"b":[2]}`: true, `{ "b":[2], "a":1 }`: true, `{"a":1}`: false, `{"a":1,"b":[2,3]}`: false,
	} {
		if e.Same([]byte(payload)) != want {
			t.Errorf("%s: same is not %t", payload, want)
		}
	}
}
