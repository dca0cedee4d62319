package queue

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
)

const timeout = time.Second

var errBusy = errors.New("busy")

// conn is the connection that is passed on. The queue does not use it.
var conn = new(pgxpool.Conn)

// job implements Job for the tests.
type job struct {
	sql    string
	writes bool
}

func (j *job) Shape() Shape   { return Shape{"anon", j.sql} }
func (j *job) MayShare() bool { return !j.writes }

func read(sql string) *job { return &job{sql: sql} }

// enqueue adds jobs to a queue, in order, and returns a channel for the grant of each.
func enqueue(t *testing.T, q *Queue[*job], jobs ...*job) []chan Grant[*job] {
	t.Helper()
	turns := make([]chan Grant[*job], len(jobs))
	for i, j := range jobs {
		turns[i] = make(chan Grant[*job], 1)
		go func() {
			got, err := q.Acquire(t.Context(), j)
			if err == nil {
				turns[i] <- got
			}
		}()
		synctest.Wait() // it is in the queue
	}
	return turns
}

func queueOf(connections int32, maxShort int) *Queue[*job] {
	q := New[*job](connections, timeout, errBusy)
	q.maxShort = maxShort
	for _, role := range []string{"anon", "authenticated"} {
		q.Observe(Shape{role, "short"}, 100*time.Microsecond)
		q.Observe(Shape{role, "long"}, time.Second)
	}
	return q
}

func TestShortReadsAreBatched(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := queueOf(1, 1)
		if _, err := q.Acquire(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
		write := read("short")
		write.writes = true
		turns := enqueue(t, q, read("short"), read("long"), read("short"), write, read("short"), read("unknown"))
		var order []string
		for q.Release(conn, q.short > 0) {
			for i, turn := range turns {
				synctest.Wait()
				select {
				case got := <-turn:
					order = append(order, strconv.Itoa(i))
					if got.Done {
						order = append(order, "batched")
					}
					for _, other := range got.Others {
						other.Done()
					}
				default:
				}
			}
		}
		if got, want := strings.Join(order, " "), "0 2 batched 4 batched 1 3 5"; got != want {
			t.Errorf("order %s, want %s", got, want)
		}
	})
}

func TestConnectionsForShortReadsAreLimited(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := queueOf(4, 2)
		for range 2 {
			if got, err := q.Acquire(t.Context(), read("short")); err != nil || !got.Short {
				t.Fatalf("%+v, %v", got, err)
			}
		}
		waits := enqueue(t, q, read("short"))
		if got, err := q.Acquire(t.Context(), read("long")); err != nil || got.Short {
			t.Fatalf("a long read does not wait for the short ones: %+v, %v", got, err)
		}
		if q.Release(conn, false) {
			t.Error("the connection of the long read went to a short one beyond the limit")
		}
		if !q.Release(conn, true) {
			t.Error("the connection of a short read was not passed on")
		}
		if got := <-waits[0]; !got.Short || got.Conn != conn {
			t.Errorf("%+v", got)
		}
		q.Release(conn, true)
		q.Release(conn, true)
		if q.idle != 4 || q.short != 0 {
			t.Errorf("%d idle, %d short at the end", q.idle, q.short)
		}
	})
}

func TestShortReadsBypassSlowOnes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := queueOf(2, 1)
		if _, err := q.Acquire(t.Context(), read("short")); err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		got, err := q.Acquire(t.Context(), read("short"))
		if waited := time.Since(began); err != nil || got.Done || got.Short || waited != shortTimeout {
			t.Errorf("with one idle: %+v, %v after %s", got, err, waited)
		}
		began = time.Now()
		_, err = q.Acquire(t.Context(), read("short"))
		if waited := time.Since(began); !errors.Is(err, errBusy) || waited != timeout {
			t.Errorf("with none idle: %v after %s", err, waited)
		}
	})
}

func TestTimedOutJobLeavesQueue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := queueOf(1, 1)
		if _, err := q.Acquire(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
		if _, err := q.Acquire(t.Context(), read("long")); !errors.Is(err, errBusy) {
			t.Errorf("after %s: %v, want errBusy", timeout, err)
		}
		cancelled, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := q.Acquire(cancelled, read("long")); !errors.Is(err, context.Canceled) {
			t.Errorf("%v, want context.Canceled", err)
		}
		if q.Release(conn, false) {
			t.Error("the connection went to a job that has left the queue")
		}
	})
}

func TestBatchedJobDoesNotTimeOut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := queueOf(1, 1)
		if _, err := q.Acquire(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
		turns := enqueue(t, q, read("short"), read("short"))
		q.Release(conn, false)
		first := <-turns[0]
		time.Sleep(2 * timeout) // the bubble's clock
		if len(turns[1]) > 0 {
			t.Fatal("Acquire returned although the job is running")
		}
		first.Others[0].Done()
		if got := <-turns[1]; !got.Done {
			t.Errorf("%+v", got)
		}
	})
}

func TestDurationsAreBounded(t *testing.T) {
	t.Parallel()
	q := queueOf(1, 1)
	for n := range maxShapes + 10 {
		q.Observe(Shape{"anon", fmt.Sprint(n)}, time.Millisecond)
	}
	if q.durations.Len() > maxShapes {
		t.Errorf("%d durations are kept", q.durations.Len())
	}
	long := Shape{"anon", strings.Repeat("x", maxText+1)}
	if q.Observe(long, time.Microsecond); q.durations.Contains(long) {
		t.Error("the duration of a huge statement is kept")
	}
}
