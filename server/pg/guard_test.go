package pg

import (
	"errors"
	"net"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// connectTo starts a server that responds to each byte after the next of these durations.
// The last duration applies to all further bytes.
func connectTo(t *testing.T, alive bool, after ...time.Duration) *guardedConn {
	t.Helper()
	ours, theirs := net.Pipe()
	t.Cleanup(func() { _ = errors.Join(ours.Close(), theirs.Close()) })
	go func() {
		for b := make([]byte, 1); ; {
			if _, err := theirs.Read(b); err != nil {
				return
			}
			wait := after[0]
			after = after[min(1, len(after)-1):]
			select {
			case <-time.After(wait):
			case <-t.Context().Done():
				return
			}
			if _, err := theirs.Write(b); err != nil {
				return
			}
		}
	}()
	return &guardedConn{Conn: ours, socket: ours, probeAfter: 15 * time.Second, probe: func(string, time.Duration) bool { return alive }}
}

// exchange sends a byte and returns the time until the response or the error.
func exchange(c *guardedConn) (time.Duration, error) {
	began := time.Now()
	b := []byte("?")
	if _, err := c.Write(b); err != nil {
		return time.Since(began), err
	}
	_, err := c.Read(b)
	return time.Since(began), err
}

func TestSilentServerIsProbed(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		limit, after time.Duration
		alive        bool
		took         time.Duration // until the error; 0 means no error
	}{
		"busy, without a limit":                {0, time.Hour, true, 0},
		"busy, within the limit":               {time.Minute, 59 * time.Second, true, 0},
		"busy, a little beyond the limit":      {5 * time.Second, 19 * time.Second, true, 0},
		"busy, far beyond the limit":           {5 * time.Second, time.Hour, true, 20 * time.Second},
		"busy, far beyond a long limit":        {40 * time.Second, time.Hour, true, 55 * time.Second},
		"hung, without a limit":                {0, time.Hour, false, 15 * time.Second},
		"hung, limit shorter than probe delay": {5 * time.Second, time.Hour, false, 5 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := connectTo(t, test.alive, test.after)
				c.replyTimeout.Store(int64(test.limit))
				took, err := exchange(c)
				if test.took == 0 && (err != nil || took != test.after) || test.took != 0 && (!errors.Is(err, errUnresponsive) || took != test.took) {
					t.Errorf("%v after %s", err, took)
				}
			})
		})
	}
}

// A deadline that is left from before neither counts as a timeout nor delays the probe.
func TestEarlierDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, limit := range []time.Duration{0, 12 * time.Second} {
			c := connectTo(t, false, 10*time.Second, 10*time.Second, time.Second, 11*time.Second, time.Hour)
			c.replyTimeout.Store(int64(limit))
			for range 4 {
				if _, err := exchange(c); err != nil {
					t.Fatalf("limit %s: %v", limit, err)
				}
			}
			want := 15 * time.Second
			if limit != 0 {
				want = limit
			}
			if took, err := exchange(c); !errors.Is(err, errUnresponsive) || took != want {
				t.Errorf("limit %s: %v after %s, want %s", limit, err, took, want)
			}
		}
	})
}

// When probing is switched off, an earlier deadline is removed: it would end the connection
// that listens for notifications.
func TestNoDeadlineIsLeft(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := connectTo(t, false, 10*time.Second)
		for range 4 {
			if _, err := exchange(c); err != nil {
				t.Fatal(err)
			}
			c.probeAfter = 0
		}
	})
}

// A deadline that somebody else set takes precedence over the reply timeout.
func TestAnotherDeadlineTakesPrecedence(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, limit := range []time.Duration{0, time.Second, time.Hour} {
			c := connectTo(t, true, 10*time.Second)
			c.replyTimeout.Store(int64(limit))
			if err := c.SetDeadline(time.Now().Add(2 * time.Second)); err != nil {
				t.Fatal(err)
			}
			if took, err := exchange(c); err == nil || errors.Is(err, errUnresponsive) || took != 2*time.Second {
				t.Errorf("limit %s: %v after %s", limit, err, took)
			}
		}
	})
}

// The embedded server binds its socket by a path relative to its own folder, which is then the
// connection's remote address. The probe dials what the connection was dialled with.
func TestProbeDialsTheSameAddress(t *testing.T) {
	folder := t.TempDir()
	t.Chdir(folder)
	listener, err := net.Listen("unix", "./.s.PGSQL.5432")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	config, err := pgconn.ParseConfig("host=" + folder)
	if err != nil {
		t.Fatal(err)
	}
	guard(config, time.Minute)
	conn, err := config.DialFunc(t.Context(), "unix", filepath.Join(folder, ".s.PGSQL.5432"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	var probed string
	guarded := conn.(*guardedConn)
	guarded.probe = func(address string, _ time.Duration) bool {
		probed = address
		return true
	}
	if err := guarded.checkServer(time.Now()); err != nil || !filepath.IsAbs(probed) {
		t.Errorf("probed %q, %v", probed, err)
	}
}
