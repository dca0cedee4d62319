package load

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/gobwas/ws"
	"github.com/gobwas/ws/wsutil"

	"plaza/tests/testkit/wsframe"
)

const (
	// receiveTimeout is how long a change may take to arrive. The server reports a gap ten seconds after a
	// commit at the latest, but it may have to find the primary first.
	receiveTimeout = 30 * time.Second

	heartbeatEvery = 20 * time.Second
	joinTimeout    = 20 * time.Second
)

// follower listens to the inserts of a client's items. Each acknowledged one must be received, unless the
// server has reported that changes were missed, or the connection was lost.
type follower struct {
	report *Report

	mu       sync.Mutex
	joined   int                  // subscriptions so far
	live     bool                 // the last one holds
	received map[string]bool      // received before expect was called
	expected map[string]expecting // not received yet
}

type expecting struct {
	joined int // the subscription that must receive it
	until  time.Time
}

// subscription returns the number of the current subscription; 0 means none.
func (f *follower) subscription() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.live {
		return 0
	}
	return f.joined
}

// expect is called after an insert was acknowledged. subscription is the one during which it began; 0
// means none.
func (f *follower) expect(id string, subscription int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.received[id] {
		delete(f.received, id)
		f.report.Count("change received")
		return
	}
	if subscription != 0 {
		f.expected[id] = expecting{subscription, time.Now().Add(receiveTimeout)}
	}
}

// check looks for changes that were not received in time.
func (f *follower) check() {
	f.mu.Lock()
	defer f.mu.Unlock()
	for id, e := range f.expected {
		switch {
		case !f.live || e.joined != f.joined:
			f.report.Count("change, not received in an outage")
			delete(f.expected, id)
		case time.Now().After(e.until):
			f.report.AddViolation("change: not received", "item %s, for %s", id, receiveTimeout)
			delete(f.expected, id)
		}
	}
}

func (f *follower) receive(id string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if _, waits := f.expected[id]; waits {
		delete(f.expected, id)
		f.report.Count("change received")
		return
	}
	f.received[id] = true
}

func (f *follower) setLive(live bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if live {
		f.joined++
	} else if f.live {
		f.report.Count("subscription lost")
	}
	f.live = live
}

// run keeps a subscription until ctx ends.
func (f *follower) run(ctx context.Context, t *Target, token string) {
	for ; ctx.Err() == nil; sleep(ctx, 4*retryPause) {
		err := f.follow(ctx, t, token)
		if ctx.Err() == nil {
			f.report.interrupted(err)
			f.setLive(false)
		}
	}
}

// follow joins and reads until the connection is lost, or the server reports that changes were missed.
func (f *follower) follow(ctx context.Context, t *Target, token string) error {
	address := strings.Replace(t.URL, "http", "ws", 1) + "/realtime/v1/websocket?" + url.Values{"apikey": {t.Anon}, "vsn": {"2.0.0"}}.Encode()
	within, cancel := context.WithTimeout(ctx, joinTimeout)
	defer cancel()
	conn, early, _, err := ws.Dialer{NetDial: t.Dial}.Dial(within, address)
	if err != nil {
		return err
	}
	defer context.AfterFunc(ctx, func() { _ = conn.Close() })()
	defer func() { _ = conn.Close() }()
	var from io.Reader = conn
	if early != nil {
		from = early
	}
	join := fmt.Sprintf(`["1","1","realtime:load","phx_join",{"access_token":%q,"config":{"postgres_changes":[{"event":"INSERT","schema":"public","table":"items"}],`+
		`"postgres_changes_options":{"wait":true,"timeout":%d}}}]`, token, joinTimeout.Milliseconds())
	if err := wsutil.WriteClientText(conn, []byte(join)); err != nil {
		return err
	}
	stop := make(chan struct{})
	defer close(stop)
	go beat(conn, stop)
	for {
		code, payload, err := wsframe.Read(from)
		if err != nil {
			return err
		}
		if code == ws.OpClose {
			return io.EOF
		}
		if err := f.handle(payload); err != nil {
			return err
		}
	}
}

func beat(conn net.Conn, stop <-chan struct{}) {
	again := time.NewTicker(heartbeatEvery)
	defer again.Stop()
	for {
		select {
		case <-stop:
			return
		case <-again.C:
			if wsutil.WriteClientText(conn, []byte(`[null,"2","phoenix","heartbeat",{}]`)) != nil {
				return
			}
		}
	}
}

// handle handles a message. Its error ends the connection.
func (f *follower) handle(message []byte) error {
	var parts [5]json.RawMessage
	if err := json.Unmarshal(message, &parts); err != nil {
		return err
	}
	switch event := string(bytes.Trim(parts[3], `"`)); event {
	case "phx_reply":
		if strings.Contains(string(parts[4]), `"error"`) {
			return fmt.Errorf("refused: %s", parts[4])
		}
		if string(parts[1]) == `"1"` {
			f.setLive(true)
		}
	case "phx_error", "phx_close":
		return fmt.Errorf("%s: %s", event, parts[4])
	case "postgres_changes":
		var change struct {
			Data struct {
				Record struct{ ID string }
			}
		}
		if err := json.Unmarshal(parts[4], &change); err != nil || change.Data.Record.ID == "" {
			f.report.AddViolation("change: wrong message", "%.300s", parts[4])
			return nil
		}
		f.receive(change.Data.Record.ID)
	}
	return nil
}
