package peers_test

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"plaza/server/peers"
	"plaza/tests/testkit"
)

var quiet = slog.New(slog.DiscardHandler)

func TestClockIsCompared(t *testing.T) {
	t.Parallel()
	conn := testkit.Connect(t, testkit.EmptyURL(t))
	for offset, want := range map[time.Duration]string{
		0: "", 20 * time.Second: "", -20 * time.Second: "",
		5 * time.Minute: "5m0s ahead of", -5 * time.Minute: "5m0s behind",
	} {
		err := peers.CheckClock(t.Context(), conn, func() time.Time { return time.Now().Add(offset) })
		if (err != nil) != (want != "") || err != nil && (!errors.Is(err, peers.ErrClock) || !strings.Contains(err.Error(), want)) {
			t.Errorf("off by %s: %v", offset, err)
		}
	}
}

// A running server renews its row, so that another one with other secrets finds it and does not start.
func TestServersNeedTheSameSecrets(t *testing.T) {
	t.Parallel()
	url := testkit.PlatformURL(t)
	db := testkit.Open(t, url)
	conn := testkit.Connect(t, url)
	refuse := func(string) { t.Error("the server waits") }
	first := peers.New("1", []string{"a", "bc"}, quiet, time.Now)
	for _, peer := range []*peers.Peer{first, peers.New("2", []string{"a", "bc"}, quiet, time.Now)} {
		if err := peer.Register(t.Context(), conn, refuse); err != nil {
			t.Fatal(err)
		}
	}
	other := peers.New("3", []string{"ab", "c"}, quiet, time.Now)
	err := other.Register(t.Context(), conn, func(string) { first.Renew(t.Context(), db) })
	if !errors.Is(err, peers.ErrOtherSecret) || !strings.Contains(err.Error(), "(version 1)") {
		t.Errorf("beside a running server: %v", err)
	}
	if err := other.Register(t.Context(), conn, func(string) {
		if _, err := db.Exec(t.Context(), "update plaza.servers set seen_at = seen_at - interval '16 s'"); err != nil {
			t.Error(err)
		}
	}); err != nil {
		t.Errorf("beside servers that were killed: %v", err)
	}
}

// A server removes its row when it stops, and those that were killed long ago when it starts.
func TestRowsAreRemoved(t *testing.T) {
	t.Parallel()
	url := testkit.PlatformURL(t)
	db := testkit.Open(t, url)
	if _, err := db.Exec(t.Context(), "insert into plaza.servers (id, version, secret_hash, seen_at) values (gen_random_uuid(), '1', '', now() - interval '2 h')"); err != nil {
		t.Fatal(err)
	}
	peer := peers.New("1", nil, quiet, time.Now)
	if err := peer.Register(t.Context(), testkit.Connect(t, url), func(string) {}); err != nil {
		t.Fatal(err)
	}
	count := func() (n int) {
		if err := db.QueryRow(t.Context(), "select count(*) from plaza.servers").Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() { defer close(ended); peer.Run(ctx, db) }()
	for count() != 1 {
	}
	stop()
	<-ended
	if n := count(); n != 0 {
		t.Errorf("%d rows", n)
	}
}

// While a server runs, its clock may become wrong.
func TestClockOfRunningServer(t *testing.T) {
	t.Parallel()
	db := testkit.Open(t, testkit.PlatformURL(t))
	var offset time.Duration
	log := new(strings.Builder)
	peer := peers.New("1", nil, slog.New(slog.NewTextHandler(log, nil)), func() time.Time { return time.Now().Add(offset) })
	for _, offset = range []time.Duration{0, time.Hour, time.Hour} {
		peer.Renew(t.Context(), db)
		if got := peer.Offset(); (got - offset).Abs() > time.Minute {
			t.Errorf("off by %s, found %s", offset, got)
		}
		if wrong := time.Since(peer.Now()); wrong.Abs() > time.Minute {
			t.Errorf("off by %s, the time that is used is off by %s", offset, wrong)
		}
	}
	if errorCount := strings.Count(log.String(), "level=ERROR"); errorCount != 1 {
		t.Errorf("%d errors: %s", errorCount, log)
	}
}
