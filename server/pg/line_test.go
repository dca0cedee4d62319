package pg

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"plaza/server/claims"
)

const patience = time.Second

// The connection that is passed on; the line looks at nothing in it.
var conn = new(pgxpool.Conn)

func read(sql string) *job {
	return &job{who: claims.Caller{Role: "anon"}, set: Settings{ReadOnly: true}, statement: Statement{SQL: sql}}
}

// queue puts jobs into a line, in order, and gives what each gets.
func queue(t *testing.T, l *line, jobs ...*job) []chan turn {
	t.Helper()
	turns := make([]chan turn, len(jobs))
	for i, j := range jobs {
		turns[i] = make(chan turn, 1)
		go func() {
			got, err := l.wait(t.Context(), j)
			if err == nil {
				turns[i] <- got
			}
		}()
		synctest.Wait() // it stands in line
	}
	return turns
}

func lineOf(places int32, enough int) *line {
	l := newLine(places, patience)
	l.enough = enough
	for _, role := range []string{"anon", "authenticated"} {
		l.note(shape{role, "short"}, 100*time.Microsecond)
		l.note(shape{role, "long"}, time.Second)
	}
	return l
}

func TestShortReadsShareATrip(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := lineOf(1, 1)
		if _, err := l.wait(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
		write := read("short")
		write.set.ReadOnly = false
		turns := queue(t, l, read("short"), read("long"), read("short"), write, read("short"), read("unknown"))
		var order []string
		for l.pass(conn, l.short > 0) {
			for i, turn := range turns {
				synctest.Wait()
				select {
				case got := <-turn:
					order = append(order, strconv.Itoa(i))
					if got.done {
						order = append(order, "rode")
					}
					for _, rider := range got.riders {
						rider.turn <- turnDone
					}
				default:
				}
			}
		}
		if got, want := strings.Join(order, " "), "0 2 rode 4 rode 1 3 5"; got != want {
			t.Errorf("trips %s, want %s", got, want)
		}
	})
}

var turnDone = turn{done: true}

func TestOnlyAFewConnectionsServeShortReads(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := lineOf(4, 2)
		for range 2 {
			if got, err := l.wait(t.Context(), read("short")); err != nil || !got.short {
				t.Fatalf("%+v, %v", got, err)
			}
		}
		waits := queue(t, l, read("short"))
		if got, err := l.wait(t.Context(), read("long")); err != nil || got.short {
			t.Fatalf("a long read passes the short ones: %+v, %v", got, err)
		}
		if l.pass(conn, false) {
			t.Error("the place of the long read went to a short one, though enough of these run")
		}
		if !l.pass(conn, true) {
			t.Error("the place of a short read went to nobody")
		}
		if got := <-waits[0]; !got.short || got.conn != conn {
			t.Errorf("%+v", got)
		}
		l.pass(conn, true)
		l.pass(conn, true)
		if l.idle != 4 || l.short != 0 {
			t.Errorf("%d idle, %d short at the end", l.idle, l.short)
		}
	})
}

func TestShortReadsGetPastOnesThatAreStuck(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := lineOf(2, 1)
		if _, err := l.wait(t.Context(), read("short")); err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		got, err := l.wait(t.Context(), read("short"))
		if waited := time.Since(began); err != nil || got.done || got.short || waited != shortPatience {
			t.Errorf("with one idle: %+v, %v after %s", got, err, waited)
		}
		began = time.Now()
		_, err = l.wait(t.Context(), read("short"))
		if waited := time.Since(began); !errors.Is(err, ErrBusy) || waited != patience {
			t.Errorf("with none idle: %v after %s", err, waited)
		}
	})
}

func TestWhoGivesUpLeavesTheLine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := lineOf(1, 1)
		if _, err := l.wait(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
		if _, err := l.wait(t.Context(), read("long")); !errors.Is(err, ErrBusy) {
			t.Errorf("after %s: %v, want ErrBusy", patience, err)
		}
		gone, leave := context.WithCancel(t.Context())
		leave()
		if _, err := l.wait(gone, read("long")); !errors.Is(err, context.Canceled) {
			t.Errorf("%v, want context.Canceled", err)
		}
		if l.pass(conn, false) {
			t.Error("the place went to somebody who has left")
		}
	})
}

func TestARiderThatLosesPatienceWaitsForItsJob(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := lineOf(1, 1)
		if _, err := l.wait(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
		turns := queue(t, l, read("short"), read("short"))
		l.pass(conn, false)
		first := <-turns[0]
		time.Sleep(2 * patience) // the bubble's clock
		if len(turns[1]) > 0 {
			t.Fatal("the rider has left, though its job is under way")
		}
		first.riders[0].turn <- turnDone
		if got := <-turns[1]; !got.done {
			t.Errorf("%+v", got)
		}
	})
}

func TestTheLineForgetsRatherThanGrows(t *testing.T) {
	t.Parallel()
	l := lineOf(1, 1)
	for n := range maxTimed + 10 {
		l.note(shape{"anon", fmt.Sprint(n)}, time.Millisecond)
	}
	if len(l.took) > maxTimed {
		t.Errorf("%d times are kept", len(l.took))
	}
	long := shape{"anon", strings.Repeat("x", maxTimedText+1)}
	if l.note(long, time.Microsecond); l.took[long] != 0 {
		t.Error("the time of a huge statement is kept")
	}
}
