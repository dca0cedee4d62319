package replicas

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"plaza/server/pg"
	"plaza/tests/testkit/restkit"
)

func TestCallersSeeTheirWritesAndOthersUseTheReplica(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	s.pause(t)
	at := s.add(t, "ana", "ana")
	const written = `[{"owner":"ana","n":1,"replica":false}]`
	for user, want := range map[string]string{"ana": written, "ben": "[]", "": "[]"} {
		if got := s.sees(t, user, nil); got != want {
			t.Errorf("%q sees %s, want %s", user, got, want)
		}
	}
	if got := s.sees(t, "ben", map[string]string{"Plaza-Commit-LSN": at}); got != written {
		t.Errorf("who hands over the position sees %s", got)
	}
	if got := s.sees(t, "ben", map[string]string{"Plaza-Commit-LSN": "nonsense"}); got != "[]" {
		t.Errorf("who hands over nonsense sees %s", got)
	}
	// The anonymous key is one caller.
	s.add(t, "", "someone")
	if got := s.sees(t, "", nil); !strings.Contains(got, "someone") || strings.Contains(got, "true") {
		t.Errorf("the anonymous see %s", got)
	}
	s.resume(t)
	s.eventually(t, "the replica answers the writer", func() bool { return s.onReplica(t, "ana") })
	if got := s.sees(t, "ana", nil); !strings.Contains(got, `"ana","n":1,"replica":true`) {
		t.Errorf("then she sees %s", got)
	}
}

// TestOtherOriginsMaySendThePositionBack: a browser shows scripts an exposed header, and
// sends one that the preflight allows.
func TestOtherOriginsMaySendThePositionBack(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	origin := map[string]string{"Origin": "https://shop.example"}
	response, body := s.ask(t, "ana", restkit.Case{Method: http.MethodPost, Path: "/counters", Body: `{"owner":"ana","n":1}`, Header: origin})
	exposed := strings.Join(response.Header.Values("Access-Control-Expose-Headers"), ", ")
	if response.Header.Get("Plaza-Commit-LSN") == "" || !slices.Contains(strings.Split(exposed, ", "), "Plaza-Commit-Lsn") || !strings.Contains(exposed, "Content-Range") {
		t.Errorf("%d %s: exposed are %q", response.StatusCode, body, exposed)
	}
	response, _ = s.ask(t, "", restkit.Case{Method: http.MethodOptions, Path: "/counters", Header: map[string]string{
		"Origin": "https://shop.example", "Access-Control-Request-Method": "GET", "Access-Control-Request-Headers": "plaza-commit-lsn",
	}})
	if allowed := response.Header.Get("Access-Control-Allow-Headers"); !strings.Contains(allowed, "plaza-commit-lsn") {
		t.Errorf("allowed are %q", allowed)
	}
}

func TestWritesOfEveryKindAreVisible(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	s.add(t, "ana", "ana")
	s.eventually(t, "the replica answers the writer", func() bool { return s.onReplica(t, "ana") })
	n := 1
	for name, write := range map[string]func(*testing.T){
		"a function": func(t *testing.T) {
			response, body := s.ask(t, "ana", restkit.Case{Method: http.MethodPost, Path: "/rpc/count_up", Body: `{"owner":"ana"}`})
			if response.StatusCode != http.StatusOK || body != "false" {
				t.Fatalf("%d %s", response.StatusCode, body)
			}
		},
		"a verified change": func(t *testing.T) { // in an explicit transaction
			response, body := s.ask(t, "ana", restkit.Case{
				Method: http.MethodPatch, Path: "/counters?owner=eq.ana", Body: fmt.Sprintf(`{"n":%d}`, n),
				Header: map[string]string{"Prefer": "handling=strict,max-affected=1"},
			})
			if response.StatusCode != http.StatusNoContent || response.Header.Get("Plaza-Commit-LSN") == "" {
				t.Fatalf("%d %s %v", response.StatusCode, body, response.Header)
			}
		},
		"a transaction over HTTP": func(t *testing.T) {
			response, body := s.ask(t, "ana", restkit.Case{
				Method: http.MethodPost, Path: "/", Header: map[string]string{"Content-Type": "application/vnd.plaza.transaction+json"},
				Body: fmt.Sprintf(`[{"method":"PATCH","path":"/counters?owner=eq.ana","body":{"n":%d}}]`, n),
			})
			if response.StatusCode != http.StatusOK || response.Header.Get("Plaza-Commit-LSN") == "" {
				t.Fatalf("%d %s %v", response.StatusCode, body, response.Header)
			}
		},
		"a service": func(t *testing.T) {
			err := s.ServerDB.AsService(t.Context(), pg.ServiceRole, func(tx pgx.Tx) error {
				_, err := tx.Exec(t.Context(), "update counters set n = n + 1")
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		},
		"one statement of a service": func(t *testing.T) {
			var n int
			if err := s.ServerDB.QueryRowAsService(t.Context(), pg.ServiceRole, "update counters set n = n + 1 returning n", nil, &n); err != nil {
				t.Fatal(err)
			}
		},
		"one statement without a row": func(t *testing.T) {
			var n int
			err := s.ServerDB.QueryRowAsService(t.Context(), pg.ServiceRole, "with done as (update counters set n = n + 1 returning n) select n from done where n < 0", nil, &n)
			if !errors.Is(err, pgx.ErrNoRows) {
				t.Fatal(err)
			}
		},
	} {
		s.pause(t)
		n++
		write(t)
		if got, want := s.sees(t, "ana", nil), fmt.Sprintf(`[{"owner":"ana","n":%d,"replica":false}]`, n); got != want {
			t.Errorf("after %s: %s, want %s", name, got, want)
		}
		s.resume(t)
		s.eventually(t, "the replica answers the writer", func() bool { return s.onReplica(t, "ana") })
	}
	s.pause(t)
	s.add(t, "ben", "ben")
	err := s.ServerDB.AsService(t.Context(), pg.ServiceRole, func(tx pgx.Tx) error {
		_, err := tx.Exec(t.Context(), "select from counters")
		return err
	})
	if err == nil {
		var n int
		err = s.ServerDB.QueryRowAsService(t.Context(), pg.ServiceRole, "select count(*) from counters", nil, &n)
	}
	if err != nil || !s.onReplica(t, "ana") {
		t.Errorf("a service that only reads sends callers to the primary, %v", err)
	}
	// A new column is read from the primary until the replica has it.
	s.Exec(t, "alter table counters add note text")
	if err := s.Server.Reload(t.Context()); err != nil {
		t.Fatal(err)
	}
	if response, body := s.ask(t, "ben", restkit.Case{Path: "/counters?select=note"}); response.StatusCode != http.StatusOK {
		t.Errorf("a new column: %d %s", response.StatusCode, body)
	}
}

func TestReadsRefusedByReplicaRunOnPrimary(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	if response, body := s.ask(t, "ben", restkit.Case{Path: "/scratch"}); response.StatusCode != http.StatusOK || body != `[{"id":1}]` {
		t.Errorf("an unlogged table: %d %s", response.StatusCode, body)
	}
	response, body := s.ask(t, "ben", restkit.Case{Path: "/rpc/count_up?owner=ana"})
	if response.StatusCode != http.StatusMethodNotAllowed || !strings.Contains(body, "25006") {
		t.Errorf("a function that writes, by GET: %d %s", response.StatusCode, body)
	}
	if response, body := s.ask(t, "ben", restkit.Case{Path: "/seen?n=eq.x"}); response.StatusCode != http.StatusBadRequest || !strings.Contains(body, "22P02") {
		t.Errorf("an error of the client's: %d %s", response.StatusCode, body)
	}
}

// The replica cancels a read when it must remove rows that the read may see.
func TestRecoveryConflictIsRetriedOnPrimary(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	s.add(t, "ana", "ana")
	s.eventually(t, "the replica answers the writer", func() bool { return s.onReplica(t, "ana") })
	s.onStandby(t, "alter system set max_standby_streaming_delay = 0")
	s.onStandby(t, "select pg_reload_conf()")
	answer := s.startBlockedRead(t)
	s.Exec(t, "delete from counters")
	s.Exec(t, "vacuum counters")
	if got := <-answer; got != "200 false" {
		t.Errorf("the read: %s", got)
	}
	s.eventually(t, "the conflict is counted", func() (counted bool) {
		if err := s.replica.QueryRow(t.Context(), "select sum(conflicts) > 0 from pg_stat_database").Scan(&counted); err != nil {
			t.Fatal(err)
		}
		return counted
	})
}

func TestKilledReplicaIsUsedAgain(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	for range 2 {
		stop, readers := make(chan struct{}), sync.WaitGroup{}
		for range 8 {
			readers.Go(func() {
				for {
					select {
					case <-stop:
						return
					default:
						s.onReplica(t, "ben") // fails unless there is a response
					}
				}
			})
		}
		if err := s.standby.Kill(); err != nil {
			t.Fatal(err)
		}
		s.eventually(t, "the primary answers", func() bool { return !s.onReplica(t, "ben") })
		if err := s.standby.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		s.eventually(t, "the replica answers again", func() bool { return s.onReplica(t, "ben") })
		close(stop)
		readers.Wait()
	}
}

// A hanging replica sends nothing, not even that it is gone.
func TestHangingReplicaDelaysNobody(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	answer := s.startBlockedRead(t)
	thaw, err := s.standby.Freeze(t.Context())
	t.Cleanup(thaw)
	if err != nil {
		t.Fatal(err)
	}
	s.eventually(t, "the primary answers", func() bool { return !s.onReplica(t, "ben") })
	s.eventually(t, "the read under way is answered", func() bool { return len(answer) > 0 })
	if got := <-answer; got != "200 false" {
		t.Errorf("the read under way: %s", got)
	}
	thaw()
	s.eventually(t, "the replica answers again", func() bool { return s.onReplica(t, "ben") })
}

func TestLaggingReplicaIsExcluded(t *testing.T) {
	t.Parallel()
	s := start(t, func(c *pg.Config) { c.MaxReplicaLag = time.Millisecond })
	s.pause(t)
	s.add(t, "ana", "ana")
	s.eventually(t, "the primary answers", func() bool { return strings.Contains(s.sees(t, "ben", nil), "false") })
	s.resume(t)
	s.eventually(t, "the replica answers again", func() bool { return strings.Contains(s.sees(t, "ben", nil), "true") })
}

// Many callers write and read concurrently, while the replica is paused and resumed in turn.
func TestCallersNeverReadStaleData(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	const callers, rounds = 50, 10
	done := make(chan struct{})
	var toggles, all sync.WaitGroup
	toggles.Go(func() {
		for {
			select {
			case <-done:
				return
			default:
				s.pause(t)
				s.resume(t)
				s.catchUp(t)
			}
		}
	})
	answered := make([]map[bool]int, callers)
	for c := range callers {
		answered[c] = make(map[bool]int)
		all.Go(func() {
			user := fmt.Sprint("user", c)
			s.add(t, user, user)
			for n := range rounds {
				response, body := s.ask(t, user, restkit.Case{Method: http.MethodPatch, Path: "/counters?owner=eq." + user, Body: fmt.Sprintf(`{"n":%d}`, n)})
				if response.StatusCode != http.StatusNoContent {
					t.Errorf("%d %s", response.StatusCode, body)
					return
				}
				end := time.Now().Add(deadline)
				for replica := false; !replica && time.Now().Before(end); {
					_, body := s.ask(t, user, restkit.Case{Path: "/seen?owner=eq." + user + "&select=n,replica"})
					replica = strings.Contains(body, "true")
					if want := fmt.Sprintf(`[{"n":%d,"replica":%t}]`, n, replica); body != want {
						t.Errorf("%s wrote %d and reads %s", user, n, body)
						return
					}
					answered[c][replica]++
				}
			}
		})
	}
	all.Wait()
	close(done)
	toggles.Wait()
	total := make(map[bool]int)
	for _, counts := range answered {
		total[true] += counts[true]
		total[false] += counts[false]
	}
	if total[true] == 0 || total[false] == 0 {
		t.Errorf("the replica answered %d reads, the primary %d: the test is blind", total[true], total[false])
	}
	t.Logf("the replica answered %d reads, the primary %d", total[true], total[false])
}

// startBlockedRead makes a read wait on the replica until the test ends, or it is ended.
func (s *site) startBlockedRead(t *testing.T) (answer <-chan string) {
	t.Helper()
	lock, err := s.replica.Acquire(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(lock.Release)
	if _, err := lock.Exec(t.Context(), "select pg_advisory_lock(7)"); err != nil {
		t.Fatal(err)
	}
	answered := make(chan string, 1)
	go func() {
		response, body := s.ask(t, "ben", restkit.Case{Path: "/rpc/locked"})
		answered <- fmt.Sprint(response.StatusCode, " ", body)
	}()
	s.waitForLock(t)
	return answered
}
