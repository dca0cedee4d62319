package realtime_test

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"plaza/server/realtime"
	"plaza/server/realtime/bus"
	"plaza/tests/testkit"
)

// fakeServer is another server of the cluster. The test decides which messages it sends, which arrive in order.
type fakeServer struct {
	t         *testing.T
	id        string
	to        string // subject of the real server
	bus       *bus.Bus
	requested chan struct{} // the real server has requested all presences
	beats     int
}

// startWithFake starts a server, and a fake one that is connected to it.
func startWithFake(t *testing.T) (*api, *fakeServer) {
	t.Helper()
	address, listen := testkit.PlatformURL(t), freeAddress(t)
	a := &api{db: testkit.Open(t, address), clock: testkit.NewClock(startTime)}
	a.serve(t, address, address, func(c *realtime.Config) { c.Bus = listen })
	a.run(t)
	a.eventually(t, "select exists (select from realtime.servers)")
	f := &fakeServer{t: t, id: uuid.NewString(), requested: make(chan struct{}, 1000)}
	var other string
	if err := a.db.QueryRow(t.Context(), "select id::text from realtime.servers").Scan(&other); err != nil {
		t.Fatal(err)
	}
	f.to = "s." + other
	own := freeAddress(t)
	var err error
	f.bus, err = bus.Start(bus.Config{ID: f.id, Address: own, Secret: []byte(secret), Log: slog.New(slog.DiscardHandler)}, func(_ string, data []byte) {
		if strings.Contains(string(data), `"resync"`) {
			f.requested <- struct{}{}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(f.bus.Close)
	f.bus.Subscribe("s." + f.id)
	if err := f.bus.SetPeers([]string{listen}); err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(testTimeout); ; { // servers learn of a subscription after a moment
		f.beat(2) // one heartbeat is missing
		select {
		case <-f.requested:
			return a, f
		case <-time.After(50 * time.Millisecond):
			if time.Now().After(end) {
				t.Fatal("the servers do not connect")
			}
		}
	}
}

func (f *fakeServer) send(format string, args ...any) {
	f.bus.Publish(f.to, fmt.Appendf(nil, `{"s":%q,`+format+"}", append([]any{f.id}, args...)...))
}

func (f *fakeServer) beat(step int) {
	f.beats += step
	f.send(`"b":%d`, f.beats)
}

// missBeat skips a heartbeat, so that the real server requests all presences.
func (f *fakeServer) missBeat() {
	f.t.Helper()
	f.beat(2)
	select {
	case <-f.requested:
	case <-time.After(testTimeout):
		f.t.Fatal("the presences are not requested")
	}
}

// state sends the state of a room with one presence.
func (f *fakeServer) state(room string, epoch, at int, name string) {
	f.send(`"k":"state","t":%q,"e":%d,"n":1,"c":%d,"j":[{"k":%q,"r":"%s%d","p":{}}]`, room, epoch, at, name, name, epoch)
}

// opened sends the first change of a new room: one presence.
func (f *fakeServer) opened(room string, epoch, at int, name string) {
	f.send(`"k":"diff","t":%q,"e":%d,"n":1,"c":%d,"j":[{"k":%q,"r":"%s%d","p":{}}]`, room, epoch, at, name, name, epoch)
}

// all ends an answer that began at a clock value: all presences were sent since.
func (f *fakeServer) all(since int) { f.send(`"k":"done","c":%d`, since) }

// expectDiff checks that the next message is a presence_diff: +KEY is a join, -KEY a leave.
func (c *conn) expectDiff(topic, want string) {
	c.t.Helper()
	m := c.next()
	var diff struct{ Joins, Leaves map[string]any }
	if err := json.Unmarshal([]byte(m.payload), &diff); err != nil {
		c.t.Fatal(m, err)
	}
	var got []string
	for _, name := range slices.Sorted(maps.Keys(diff.Joins)) {
		got = append(got, "+"+name)
	}
	for _, name := range slices.Sorted(maps.Keys(diff.Leaves)) {
		got = append(got, "-"+name)
	}
	if m.event != "presence_diff" || m.topic != topic || strings.Join(got, " ") != want {
		c.t.Errorf("got %+v (%v), want %s in %s", m, got, want, topic)
	}
}

// joinRooms joins topics with presence.
func (a *api) joinRooms(t *testing.T, topics ...string) *conn {
	t.Helper()
	c := a.dial(t, "2.0.0", a.auth.Keys.Anon)
	for _, topic := range topics {
		c.join(topic, key("me"))
		c.expect(message{"", "", topic, "presence_state", "{}", false})
	}
	return c
}

const one, two = "realtime:one", "realtime:two"

// All presences are requested twice before the first answer arrives. It has a presence that leaves before the second
// answer begins; the message about that is lost, so only the second answer removes it.
func TestOverlappingPresenceAnswers(t *testing.T) {
	t.Parallel()
	a, f := startWithFake(t)
	c := a.joinRooms(t, one, two)
	f.missBeat()
	f.missBeat()
	// The first answer began at the clock value 10, the second at 20.
	f.state("one", 1, 11, "ana")
	f.state("two", 2, 12, "ben")
	f.all(10)
	f.state("two", 2, 21, "ben")
	f.all(20)
	c.expectDiff(one, "+ana")
	c.expectDiff(two, "+ben")
	c.expectDiff(one, "-ana")
	f.opened("one", 22, 22, "eve")
	c.expectDiff(one, "+eve") // ben is still present
	c.expectNothing()
}

// An answer that arrives late does not remove presences that were sent after it began, and does not restore
// removed ones.
func TestLatePresenceAnswer(t *testing.T) {
	t.Parallel()
	a, f := startWithFake(t)
	c := a.joinRooms(t, one, two)
	f.state("one", 1, 11, "ana")
	c.expectDiff(one, "+ana")
	f.missBeat()
	f.missBeat()
	// The first answer began at 20. Before it arrives, one room is opened, and the other is opened again.
	f.opened("two", 30, 31, "ben")
	f.opened("one", 32, 33, "eve")
	f.state("one", 1, 21, "ana")
	f.all(20)
	c.expectDiff(two, "+ben")
	c.expectDiff(one, "+eve -ana")
	c.expectNothing()
	// The second began at 40.
	f.state("one", 32, 41, "eve")
	f.all(40)
	c.expectDiff(two, "-ben")
	f.opened("two", 50, 51, "cal")
	c.expectDiff(two, "+cal")
	c.expectNothing()
}

// If a server dies while it answers, all its presences are removed, also those in messages that arrive
// after that.
func TestServerDiesDuringItsPresenceAnswer(t *testing.T) {
	t.Parallel()
	a, f := startWithFake(t)
	c := a.joinRooms(t, one, two)
	f.state("one", 1, 1, "ana")
	f.state("two", 2, 2, "ben")
	c.expectDiff(one, "+ana")
	c.expectDiff(two, "+ben")
	f.missBeat()
	f.state("one", 1, 11, "ana") // the answer ends here
	left := func() string {
		m := c.next()
		return m.topic + m.payload
	}
	for _, text := range []string{left(), left()} {
		if !strings.HasPrefix(text, one) && !strings.HasPrefix(text, two) || !strings.Contains(text, `"joins":{}`) {
			t.Errorf("got %s", text)
		}
	}
	f.state("one", 1, 12, "ana")
	c.expectDiff(one, "+ana")
	c.expectDiff(one, "-ana")
	c.expectNothing()
}
