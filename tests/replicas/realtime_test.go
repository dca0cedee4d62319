package replicas

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/caarlos0/env/v11"
	"github.com/gobwas/ws"
	"github.com/gobwas/ws/wsutil"

	"plaza/server/realtime"
	"plaza/tests/testkit/wsframe"
)

// serveRealtime serves the realtime API until the test ends, and returns its address.
func (s *site) serveRealtime(t *testing.T) string {
	t.Helper()
	config, err := env.ParseAsWithOptions[realtime.Config](env.Options{Environment: map[string]string{}})
	if err != nil {
		t.Fatal(err)
	}
	server, err := realtime.New(config, realtime.Deps{DB: s.ServerDB, Auth: s.Auth, Log: slog.New(slog.DiscardHandler), Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() { defer close(ended); server.Run(ctx) }()
	t.Cleanup(func() { stop(); <-ended })
	web := httptest.NewServer(server.Routes("/realtime/v1"))
	t.Cleanup(web.Close)
	return strings.Replace(web.URL, "http", "ws", 1) + "/realtime/v1/websocket?"
}

// subscriber is a user's connection that has joined a channel.
type subscriber struct {
	user string
	from io.Reader
}

// join has a user join a channel, and waits until that listens. config is JSON.
func (s *site) join(t *testing.T, address, user, config, event string) subscriber {
	t.Helper()
	raw, early, _, err := ws.Dial(t.Context(), address+url.Values{"apikey": {s.Token(t, user)}, "vsn": {"1.0.0"}}.Encode())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = raw.Close() })
	joined := subscriber{user, raw}
	if early != nil {
		joined.from = early
	}
	joined.from = bufio.NewReader(joined.from)
	text := fmt.Sprintf(`{"topic":"realtime:room","event":"phx_join","ref":"1","join_ref":"1","payload":{"config":%s}}`, config)
	if err := wsutil.WriteClientMessage(raw, ws.OpText, []byte(text)); err != nil {
		t.Fatal(err)
	}
	joined.await(t, event)
	return joined
}

// await reads messages until one contains a text.
func (u subscriber) await(t *testing.T, text string) {
	t.Helper()
	for {
		_, payload, err := wsframe.Read(u.from)
		if err != nil {
			t.Fatalf("%s waits for %s: %v", u.user, text, err)
		}
		if strings.Contains(string(payload), text) {
			return
		}
	}
}

// Whoever is told of a change by realtime reads it next, and a replica may lack it.
func TestWhatRealtimeTellsIsRead(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	s.Exec(t, "alter publication supabase_realtime add table counters; grant select on counters to authenticated")
	address := s.serveRealtime(t)
	const subscribes, subscribed = `{"postgres_changes":[{"event":"*","schema":"public","table":"counters"}]}`, "Subscribed to PostgreSQL"
	const listens, listening = `{"replication_ready":true,"broadcast":{"replication_ready":true}}`, "Replication connection established"
	ben := s.join(t, address, "ben", subscribes, subscribed)
	eva := s.join(t, address, "eva", listens, listening)
	sees := func(user, owners string) {
		t.Helper()
		got := s.sees(t, user, nil)
		for owner := range strings.FieldsSeq(owners) {
			if !strings.Contains(got, owner) {
				t.Errorf("%s sees %s, which lacks %s", user, got, owner)
			}
		}
	}
	pause := func() {
		s.catchUp(t)
		for _, user := range []string{"ben", "eva", "flo"} {
			s.eventually(t, "the replica answers", func() bool { return s.onReplica(t, user) })
		}
		s.pause(t)
	}

	pause()
	s.add(t, "ana", "first")
	ben.await(t, `"event":"postgres_changes"`)
	sees("ben", "first")
	s.join(t, address, "flo", subscribes, subscribed) // too late for that change
	sees("flo", "first")
	if !s.onReplica(t, "eva") {
		t.Error("who was told nothing is sent to the primary")
	}
	s.resume(t)

	pause()
	s.Exec(t, `insert into counters values ('second', 1); select realtime.send('{}', 'note', 'room', false)`)
	eva.await(t, `"event":"broadcast"`)
	sees("eva", "first second")
	s.resume(t)
}
