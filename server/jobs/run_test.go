package jobs_test

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"plaza/server/jobs"
)

var quiet = slog.New(slog.DiscardHandler)

// alone runs jobs without a database until the test ends, in the test's bubble.
func alone(t *testing.T, all ...jobs.Job) *jobs.Runner {
	t.Helper()
	r := jobs.New(jobs.Options{Log: quiet, Now: time.Now})
	r.Add(all...)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() { r.Run(ctx); close(ended) }()
	t.Cleanup(func() { cancel(); <-ended })
	return r
}

func TestIntervals(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		var at []time.Duration
		alone(t, jobs.Job{Name: "a", Every: 10 * time.Minute, Run: func(context.Context) error {
			at = append(at, time.Since(began))
			time.Sleep(3 * time.Minute) // a run's own time does not count
			if len(at) == 2 {
				return errors.New("refused")
			}
			return nil
		}})
		time.Sleep(24 * time.Minute)
		synctest.Wait()
		want := []time.Duration{0, 10 * time.Minute, 13 * time.Minute, 23 * time.Minute} // the second one fails
		if len(at) != len(want) || at[1] != want[1] || at[2] != want[2] || at[3] != want[3] {
			t.Errorf("runs at %v, want %v", at, want)
		}
	})
}

func TestAPanicIsAFailure(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := alone(t, jobs.Job{Name: "a", Every: time.Hour, Run: func(context.Context) error { panic("a bug") }})
		synctest.Wait()
		if got := r.Stats()[0]; got.Failures != 1 || !got.HasFailed || !got.LastSuccess.IsZero() {
			t.Errorf("after a panic: %+v", got)
		}
	})
}

// Lead is called again after an error. Only the first call of a term gets the time without a leader.
func TestFailedLeadIsRetried(t *testing.T) {
	t.Parallel()
	c := newCluster(t)
	vacancies := make(chan time.Duration, 10)
	fails := true
	lead := jobs.Job{Name: "work", Lead: func(ctx context.Context, vacant time.Duration) error {
		vacancies <- vacant
		if fails {
			fails = false
			return errors.New("refused")
		}
		<-ctx.Done()
		return nil
	}}
	a := c.add("a", lead)
	a.beat()
	for range 2 {
		if got := <-vacancies; got != 0 {
			t.Errorf("the first leader gets %s without a leader", got)
		}
	}
	a.beat()
	if row := c.row("work"); row.LastError != "refused" || row.Failures != 1 || row.LastStarted == nil || row.Server != "a" {
		t.Errorf("the database has %+v", row)
	}
	const away = time.Minute
	a.clock.Advance(away)
	a.Expire()
	a.beat()
	if got := <-vacancies; got != away {
		t.Errorf("after %s without the database the leader gets %s", away, got)
	}
}

func TestResultsAreStored(t *testing.T) {
	t.Parallel()
	c := newCluster(t)
	begun, results := make(chan struct{}), make(chan error)
	a := c.add("a", jobs.Job{Name: "work", Every: time.Millisecond, Run: func(ctx context.Context) error {
		select {
		case begun <- struct{}{}:
			return <-results
		case <-ctx.Done():
			return ctx.Err()
		}
	}})
	finish := func(err error) jobs.Row {
		results <- err
		<-begun // so the outcome of the run before is noted
		a.beat()
		return c.row("work")
	}
	a.clock.Advance(5 * time.Minute) // of the database's time
	a.beat()
	<-begun
	row := finish(errors.New("refused: " + strings.Repeat("é", 1000)))
	if !strings.HasPrefix(row.LastError, "refused: é") || len(row.LastError) > 500 || row.Runs != 1 || row.Failures != 1 || row.LastSuccess != nil {
		t.Errorf("after a failure: %+v", row)
	}
	if since := row.LastEnded.Sub(*row.Since).Abs(); since > time.Minute {
		t.Errorf("a run that ended just now is shown at %s, %s after the start", row.LastEnded, since)
	}
	if stat := a.Stats()[0]; !stat.HasFailed || stat.Failures != 1 {
		t.Errorf("after a failure: %+v", stat)
	}
	row = finish(nil)
	if row.LastError != "" || row.Runs != 2 || row.Failures != 1 || row.LastSuccess == nil {
		t.Errorf("after a success: %+v", row)
	}
	row = finish(nil)
	if row.Runs != 2 {
		t.Errorf("%d runs are stored: results that do not change must wait", row.Runs)
	}
	a.clock.Advance(time.Minute)
	a.beat()
	if row = c.row("work"); row.Runs != 3 {
		t.Errorf("%d runs are stored after a minute", row.Runs)
	}
	results <- nil
	// Another server learns of the success, and when the next run is due.
	b := c.add("b", jobs.Job{Name: "work", Every: time.Hour, Run: func(context.Context) error { t.Error("a run that is not due"); return nil }})
	b.beat()
	b.clock.Advance(jobs.LeaseTime)
	if got := b.Stats()[0].LastSuccess; got.IsZero() {
		t.Error("another server knows no success")
	}
	a.stop()
	a.Leave(t.Context())
	b.beat()
	if !b.Leads("work") {
		t.Error("the other server does not take over")
	}
}
