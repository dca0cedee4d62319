package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"
)

const quiet = `{"presence":{"enabled":false}}`

// measure reports work that ends when listeners have received a number of messages in all.
func (r *realtimeRun) measure(ctx context.Context, name string, n, messages int64, all []*listener, work func() error) error {
	began := time.Now()
	var last time.Time
	server, database, err := r.spent(func() error {
		if err := work(); err != nil {
			return err
		}
		var err error
		last, err = received(ctx, all, messages)
		return err
	})
	if err == nil {
		report(name, n, last.Sub(began), server, database)
	}
	return err
}

// broadcasts measures deliveries of client broadcasts in rooms of several sizes.
func (r *realtimeRun) broadcasts(ctx context.Context) error {
	for _, c := range []struct{ receivers, messages, atOnce int }{{100, 5000, 1}, {100, 5000, 50}, {1000, 500, 1}, {1000, 500, 10}} {
		all, err := r.connect(ctx, c.receivers+1)
		if err != nil {
			return err
		}
		if err := inParallel(len(all), func(i int) error { return all[i].join("room", r.server.secrets.Keys.Anon, quiet) }); err != nil {
			return err
		}
		sender, receivers := all[0], all[1:]
		countAll(receivers)
		go func() { _, _ = io.Copy(io.Discard, sender.conn) }()
		text := `["1","2","realtime:room","broadcast",{"type":"broadcast","event":"move","payload":{"x":123,"y":456,"who":"5f1c1d2e-0000-4000-8000-000000000001","text":"a text of usual length"}}]`
		total := int64(c.receivers) * int64(c.messages)
		if err := r.measure(ctx, fmt.Sprintf("broadcasts, %d receivers, %d at once", c.receivers, c.atOnce), total, total, receivers, func() error {
			for sent := 0; sent < c.messages; {
				for range c.atOnce {
					if err := sender.send(text); err != nil {
						return err
					}
					sent++
				}
				// The sender waits until the receivers are only a few messages behind, on average.
				if _, err := received(ctx, receivers, int64(c.receivers)*int64(max(0, sent-200/max(1, c.receivers/100)))); err != nil {
					return err
				}
			}
			return nil
		}); err != nil {
			return err
		}
		closeAll(all)
	}
	return nil
}

// token returns the token of a user.
func (r *realtimeRun) token(n int) (string, error) {
	return r.server.secrets.Authenticator(time.Now).Verifier.Mint(map[string]any{"role": "authenticated", "sub": userOf(n), "exp": time.Now().Add(time.Hour).Unix(), "session": n})
}

func userOf(n int) string { return fmt.Sprintf("00000000-0000-4000-8000-%012d", n) }

// joins measures joins of private channels, each by a user of its own.
func (r *realtimeRun) joins(ctx context.Context) error {
	const clients, each = 50, 40
	all, err := r.connect(ctx, clients)
	if err != nil {
		return err
	}
	defer closeAll(all)
	tokens := make([]string, clients)
	for i := range tokens {
		if tokens[i], err = r.token(i); err != nil {
			return err
		}
	}
	began := time.Now()
	server, database, err := r.spent(func() error {
		return inParallel(clients, func(i int) error {
			for n := range each {
				if err := all[i].join(fmt.Sprintf("team:%d:%d", i, n), tokens[i], `{"private":true,"presence":{"enabled":false}}`); err != nil {
					return err
				}
			}
			return nil
		})
	})
	if err != nil {
		return err
	}
	report("private joins", clients*each, time.Since(began), server, database)
	return nil
}

// subscribe returns subscribers to the table. tokenOf returns the token of each, filter its filter, or
// nothing.
func (r *realtimeRun) subscribe(ctx context.Context, n int, tokenOf func(i int) (string, error), filter func(i int) string) ([]*listener, error) {
	all, err := r.connect(ctx, n)
	if err != nil {
		return nil, err
	}
	err = inParallel(n, func(i int) error {
		token, err := tokenOf(i)
		if err != nil {
			return err
		}
		return all[i].join("items", token, `{"presence":{"enabled":false},"postgres_changes":[{"event":"*","schema":"public","table":"items","filter":"`+filter(i)+`"}]}`)
	})
	countAll(all)
	return all, err
}

func noFilter(int) string { return "" }

func (r *realtimeRun) anon(int) (string, error) { return r.server.secrets.Keys.Anon, nil }

// filters measures changes with subscribers that each have their own filter, which matches one row in
// five thousand.
func (r *realtimeRun) filters(ctx context.Context) error {
	const subscribers, changes = 5000, 20_000
	all, err := r.subscribe(ctx, subscribers, r.anon, func(i int) string { return "owner=eq." + userOf(i) })
	if err != nil {
		return err
	}
	defer closeAll(all)
	return r.measure(ctx, fmt.Sprintf("changes, %d subscribers with their own filters", subscribers), changes, changes, all, func() error {
		return inParallel(changes/100, func(i int) error {
			_, err := r.db.Exec(ctx, "insert into items (owner) select format('00000000-0000-4000-8000-%s', lpad(((n + $1) % $2)::text, 12, '0'))::uuid from generate_series(0, 99) n", 100*i, subscribers)
			return err
		})
	})
}

// ownClaims measures changes with subscribers that each have their own claims, and see a row in
// a thousand.
func (r *realtimeRun) ownClaims(ctx context.Context) error {
	const subscribers, changes = 1000, 4000
	all, err := r.subscribe(ctx, subscribers, r.token, noFilter)
	if err != nil {
		return err
	}
	defer closeAll(all)
	return r.measure(ctx, fmt.Sprintf("changes, %d subscribers with their own claims", subscribers), changes, changes, all, func() error {
		return inParallel(changes, func(i int) error {
			_, err := r.db.Exec(ctx, "insert into items (owner) values ($1)", userOf(i%subscribers))
			return err
		})
	})
}

// anonKey measures changes with subscribers that all have the same key, and see all rows.
func (r *realtimeRun) anonKey(ctx context.Context) error {
	const subscribers, changes = 1000, 400
	all, err := r.subscribe(ctx, subscribers, r.anon, noFilter)
	if err != nil {
		return err
	}
	defer closeAll(all)
	return r.measure(ctx, fmt.Sprintf("deliveries of changes, %d with the anon key", subscribers), subscribers*changes, subscribers*changes, all, func() error {
		for i := range changes {
			if _, err := r.db.Exec(ctx, "insert into items (owner) values ($1)", userOf(i)); err != nil {
				return err
			}
		}
		return nil
	})
}

// latency measures the time from before a commit to the arrival of the change, without load.
func (r *realtimeRun) latency(ctx context.Context) error {
	all, err := r.subscribe(ctx, 1, func(int) (string, error) { return r.token(1) }, noFilter)
	if err != nil {
		return err
	}
	defer closeAll(all)
	const changes = 300
	var took []time.Duration
	for range changes {
		before := time.Now()
		if _, err := r.db.Exec(ctx, "insert into items (owner) values ($1)", userOf(1)); err != nil {
			return err
		}
		select {
		case <-all[0].arrived:
		case <-time.After(time.Minute):
			return errors.New("a change did not arrive")
		}
		took = append(took, time.Unix(0, all[0].last.Load()).Sub(before))
		time.Sleep(10 * time.Millisecond)
	}
	slices.Sort(took)
	fmt.Printf("%-44s p50 %.1f ms, p95 %.1f ms, p99 %.1f ms, with the insert\n", "commit to client, without load", milliseconds(took[changes/2]), milliseconds(took[changes*95/100]), milliseconds(took[changes*99/100]))
	return nil
}

// stored measures broadcasts from the database.
func (r *realtimeRun) stored(ctx context.Context) error {
	const receivers, messages = 10, 20_000
	all, err := r.connect(ctx, receivers)
	if err != nil {
		return err
	}
	defer closeAll(all)
	if err := inParallel(receivers, func(i int) error {
		token, err := r.token(i)
		if err != nil {
			return err
		}
		return all[i].join("team:stored", token, `{"private":true,"broadcast":{"replication_ready":true},"presence":{"enabled":false}}`)
	}); err != nil {
		return err
	}
	for _, l := range all {
		if _, err := l.read(); err != nil { // the message that reports that the WAL is being read
			return err
		}
	}
	countAll(all)
	return r.measure(ctx, fmt.Sprintf("broadcasts of the database, %d receivers", receivers), messages, receivers*messages, all, func() error {
		for range messages / 100 {
			if _, err := r.db.Exec(ctx, `select realtime.send(jsonb_build_object('n', n, 'text', 'a text of usual length'), 'e', 'team:stored') from generate_series(1, 100) n`); err != nil {
				return err
			}
		}
		return nil
	})
}

// idle measures the memory of connections with one channel each, and the processor time of their
// heartbeats.
func (r *realtimeRun) idle(ctx context.Context) error {
	const clients, heartbeats = 10_000, 25 * time.Second
	before, err := r.server.memory()
	if err != nil {
		return err
	}
	all, err := r.connect(ctx, clients)
	if err != nil {
		return err
	}
	defer closeAll(all)
	if err := inParallel(clients, func(i int) error { return all[i].join(fmt.Sprintf("room:%d", i), r.server.secrets.Keys.Anon, quiet) }); err != nil {
		return err
	}
	joined, err := r.server.memory()
	if err != nil {
		return err
	}
	server, _, err := r.spent(func() error {
		// Each client sends one heartbeat in the interval.
		tick := time.NewTicker(heartbeats / clients)
		defer tick.Stop()
		for _, l := range all {
			<-tick.C
			if err := l.send(`[null,"2","phoenix","heartbeat",{}]`); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	after, err := r.server.memory()
	fmt.Printf("%-44s %s before, %s joined, %s after heartbeats; %.2f %% of a core\n", fmt.Sprintf("%d idle connections", clients), before, joined, after, 100*server.Seconds()/heartbeats.Seconds())
	return err
}
