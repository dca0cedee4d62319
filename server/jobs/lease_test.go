package jobs_test

import (
	"context"
	"testing"
	"time"

	"plaza/server/jobs"
	"plaza/server/wake"
)

func TestLeaseTimesAreConsistent(t *testing.T) {
	t.Parallel()
	if jobs.MoveTime > 10*time.Second {
		t.Errorf("a job moves within %s", jobs.MoveTime)
	}
	if jobs.TakeoverTime < 2*jobs.LeaseTime {
		t.Error("a leader whose last heartbeat was lost when a replica was promoted still runs its jobs")
	}
}

func TestSingleServerStartsItsJobsAtOnce(t *testing.T) {
	t.Parallel()
	c := newCluster(t)
	a := c.add("a")
	a.beat()
	c.wantRun("a")
	if row := c.row("work"); row.Server != "a" || row.Since == nil {
		t.Errorf("the database has %+v", row)
	}
}

func TestJobsMoveWhenTheirServerDies(t *testing.T) {
	t.Parallel()
	c := newCluster(t)
	a, b := c.add("a"), c.add("b")
	a.beat()
	c.wantRun("a")
	b.beat()
	a.beat() // the last one, which b sees only with its next
	a.stop()
	for passed := jobs.BeatInterval; ; passed += jobs.BeatInterval / 3 {
		b.clock.Advance(jobs.BeatInterval / 3)
		if passed == jobs.BeatInterval {
			b.clock.Advance(jobs.BeatInterval * 2 / 3)
		}
		b.beat()
		if b.Leads("work") {
			if passed < jobs.TakeoverTime || passed > jobs.MoveTime {
				t.Errorf("the job moves after %s", passed)
			}
			break
		}
		if passed > jobs.MoveTime {
			t.Fatal("it does not move")
		}
	}
	c.wantRun("b")
	if row := c.row("work"); row.Server != "b" {
		t.Errorf("the database has %+v", row)
	}
}

// A server that is paused, or cut off from the database, ends its run before another one begins it, and does
// not go on with it afterwards.
func TestPausedServerStopsItsJobs(t *testing.T) {
	t.Parallel()
	c := newCluster(t)
	a, b := c.add("a"), c.add("b")
	a.beat()
	c.wantRun("a")
	for passed := time.Duration(0); !b.Leads("work"); passed += jobs.BeatInterval {
		if passed > 2*jobs.MoveTime {
			t.Fatal("it does not move")
		}
		b.beat()
		a.clock.Advance(jobs.BeatInterval)
		b.clock.Advance(jobs.BeatInterval)
		a.Expire()
		if want := passed+jobs.BeatInterval < jobs.LeaseTime; a.Leads("work") != want {
			t.Fatalf("after %s the paused server leads: %v", passed+jobs.BeatInterval, !want)
		}
	}
	c.wantRun("b")
	a.beat()
	a.wantLead(false)
	for range 10 {
		b.clock.Advance(jobs.BeatInterval)
		a.clock.Advance(jobs.BeatInterval)
		a.beat()
		b.beat()
		b.Expire()
	}
	a.wantLead(false)
	b.wantLead(true)
	if most := c.work.most.Load(); most != 1 {
		t.Errorf("%d runs at once", most)
	}
}

// A heartbeat that comes back after the end of its lease starts nothing.
func TestLateHeartbeatStartsNoJob(t *testing.T) {
	t.Parallel()
	c := newCluster(t)
	a := c.add("a")
	slow := jobs.New(jobs.Options{DB: a.db, Name: "slow", Log: quiet, Now: func() time.Time {
		a.clock.Advance(jobs.LeaseTime)
		return a.clock.Now()
	}})
	slow.Add(jobs.Job{Name: "work", Every: time.Hour, Run: c.work.run("slow")})
	ctx, cancel := context.WithCancel(t.Context())
	ended := slow.Begin(ctx)
	slow.Beat(ctx, ctx)
	if slow.Leads("work") {
		t.Error("the server leads with an expired lease")
	}
	cancel()
	<-ended
}

func TestStoppingServerHandsItsJobsOverAtOnce(t *testing.T) {
	t.Parallel()
	c := newCluster(t)
	a, b := c.add("a"), c.add("b")
	a.beat()
	c.wantRun("a")
	b.beat()
	b.clock.Advance(jobs.LeaseTime)
	b.beat()
	b.wantLead(false)
	a.stop()
	a.Leave(t.Context())
	b.beat()
	c.wantRun("b")
	if most := c.work.most.Load(); most != 1 {
		t.Errorf("%d runs at once", most)
	}
}

// Run sends heartbeats, runs jobs, and gives them up when it ends.
func TestStoppedRunnerReleasesItsJobs(t *testing.T) {
	t.Parallel()
	c := newCluster(t)
	for _, name := range []string{"a", "b"} {
		n := c.add(name + " by hand")
		r := jobs.New(jobs.Options{DB: n.db, Name: name, Log: quiet, Now: time.Now})
		r.Add(jobs.Job{Name: "work", Every: time.Hour, Run: c.work.run(name)})
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan struct{})
		go func() { r.Run(ctx); close(ended) }()
		c.wantRun(name) // at once: the one before has left nothing
		cancel()
		<-ended
		if row := c.row("work"); row.Server != "" || row.Since != nil {
			t.Errorf("after the end: %+v", row)
		}
	}
}

// The clocks of servers are never compared, with each other or with the database's.
func TestWrongServerClockHasNoEffect(t *testing.T) {
	t.Parallel()
	for name, off := range map[string]time.Duration{"ahead": 5 * time.Minute, "behind": -5 * time.Minute} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newCluster(t)
			a, b := c.add("a"), c.add("b")
			b.clock.Advance(off)
			for range 20 {
				a.beat()
				b.beat()
				a.clock.Advance(jobs.BeatInterval)
				b.clock.Advance(jobs.BeatInterval)
			}
			a.wantLead(true)
			b.wantLead(false)
			a.stop()
			a.Leave(t.Context())
			b.beat()
			b.wantLead(true)
		})
	}
}

// The database's clock decides nothing either: it may be that of another machine after a failover.
func TestDatabaseClockHasNoEffect(t *testing.T) {
	t.Parallel()
	c := newCluster(t)
	a, b := c.add("a"), c.add("b")
	a.beat()
	b.beat()
	c.exec("update plaza.job_servers set seen_at = seen_at - interval '1 hour'; update plaza.jobs set since = since + interval '1 hour'")
	b.clock.Advance(jobs.LeaseTime)
	b.beat()
	b.wantLead(false)
	a.beat()
	a.wantLead(true)
}

func TestJobsStopWithoutTheDatabase(t *testing.T) {
	t.Parallel()
	c := newCluster(t)
	a := c.add("a")
	a.beat()
	c.wantRun("a")
	a.fail()
	a.wantLead(true) // the lease has not ended
	a.clock.Advance(jobs.LeaseTime)
	a.fail()
	a.Expire()
	a.wantLead(false)
	a.beat() // its row is still there, so no other server has the job
	c.wantRun("a")
}

// During an outage of the database no server can send a heartbeat, so each gets a full lease again afterwards.
func TestServersAreNotTakenForDeadAfterAnOutage(t *testing.T) {
	t.Parallel()
	c := newCluster(t)
	a, b := c.add("a"), c.add("b")
	a.beat()
	b.beat()
	for range 10 {
		b.clock.Advance(jobs.BeatInterval)
		b.fail()
	}
	b.beat()
	b.clock.Advance(jobs.BeatInterval)
	b.beat()
	b.wantLead(false)
	a.beat()
	a.wantLead(true)
}

// If a replica was promoted, a job that is free in the database may still have a leader.
func TestFreeJobIsTakenOnlyAfterTheLease(t *testing.T) {
	t.Parallel()
	c := newCluster(t)
	a, b := c.add("a"), c.add("b")
	a.beat()
	b.beat()
	b.clock.Advance(jobs.LeaseTime)
	b.beat()
	b.fail()
	c.exec("update plaza.jobs set server = null")
	b.beat()
	b.wantLead(false)
	a.beat() // a learns that the job is no longer its own …
	a.wantLead(false)
	b.clock.Advance(jobs.LeaseTime)
	b.beat()
	b.wantLead(true)
}

// A server whose row was removed is in the table again with its next heartbeat, and leads nothing.
func TestServerTakenForDeadGivesUpItsJobs(t *testing.T) {
	t.Parallel()
	c := newCluster(t)
	a := c.add("a")
	a.beat()
	c.wantRun("a")
	c.exec("delete from plaza.job_servers")
	a.clock.Advance(jobs.BeatInterval)
	other := c.add("b")
	other.beat()
	c.wantRun("b")
	a.beat()
	a.wantLead(false)
	if row := c.row("work"); row.Server != "b" {
		t.Errorf("the database has %+v", row)
	}
}

// A wake-up runs the job on the server that was woken, whichever server leads it.
func TestWakeUpRunsTheJobOnItsServer(t *testing.T) {
	t.Parallel()
	c := newCluster(t)
	ran := make(chan string, 10)
	queue := func(name string) jobs.Job {
		return jobs.Job{Name: "queue", Every: time.Hour, Wake: wake.NewSignal(), Run: func(context.Context) error { ran <- name; return nil }}
	}
	jobA, jobB := queue("a"), queue("b")
	a, b := c.add("a", jobA), c.add("b", jobB)
	a.beat()
	if got := <-ran; got != "a" {
		t.Errorf("%s runs it first", got)
	}
	b.beat()
	for _, j := range []jobs.Job{jobB, jobA} {
		j.Wake.Wake()
		if got, want := <-ran, map[bool]string{true: "a", false: "b"}[j.Wake == jobA.Wake]; got != want {
			t.Errorf("%s runs it, want %s", got, want)
		}
	}
	if b.Leads("queue") {
		t.Error("a wake-up makes a leader")
	}
}
