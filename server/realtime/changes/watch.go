package changes

import (
	"context"
	"fmt"
	"sync"
	"time"

	"plaza/server/pg"
	"plaza/server/wake"
)

// refusedRetry is the interval of attempts to read the WAL of a database that has refused it.
const refusedRetry = 5 * time.Minute

// messagesChannel is the channel on which the trigger of realtime.messages notifies.
const messagesChannel = "plaza_realtime_messages"

// The trigger that notifies makes commits slower, so it is enabled only where it is needed.
const (
	isNotifying    = `select tgenabled <> 'D' from pg_catalog.pg_trigger where tgrelid = 'realtime.messages'::regclass and tgname = 'note_message'`
	startNotifying = `alter table realtime.messages enable trigger note_message`
	stopNotifying  = `alter table realtime.messages disable trigger note_message`
)

// setNotifying enables or disables the trigger that notifies of broadcasts.
func (e *Engine) setNotifying(ctx context.Context, wanted bool) error {
	var current bool
	if err := e.DB.Owner().QueryRow(ctx, isNotifying).Scan(&current); err != nil || current == wanted {
		return err
	}
	change := stopNotifying
	if wanted {
		change = startNotifying
	}
	_, err := e.DB.Owner().Exec(ctx, change)
	return err
}

// watch delivers the broadcasts from a database whose WAL cannot be read: they are read from the table
// when its trigger notifies. It returns nil after refusedRetry, to try the WAL again, and without listeners.
func (e *Engine) watch(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, refusedRetry)
	defer cancel()
	if err := e.setNotifying(ctx, true); err != nil {
		return fmt.Errorf("notify of broadcasts: %w", err)
	}
	woken := wake.NewSignal() // one more read finds the broadcasts of all notifications before it
	var watching sync.WaitGroup
	defer watching.Wait()
	defer cancel()
	watching.Go(func() {
		connected := func(context.Context, *pg.Listener) error {
			woken.Wake()
			return nil
		}
		e.DB.Watch(ctx, messagesChannel, connected, func(string) { woken.Wake() }, func(err error) {
			if ctx.Err() == nil {
				e.Log.WarnContext(ctx, "broadcasts from the database are delayed: LISTEN has ended", "error", err)
			}
		})
	})
	defer func() {
		e.mu.Lock()
		e.setReady(false)
		e.mu.Unlock()
	}()
	for !e.stopIfIdle() {
		select {
		case <-ctx.Done():
			return nil
		case <-woken:
		}
		var now time.Time
		var written int64
		if err := e.DB.Owner().QueryRow(ctx, nowSQL).Scan(&now, &written); err != nil {
			return err
		}
		e.position.Store(uint64(written))
		e.mu.Lock()
		since := e.lastCommit
		e.mu.Unlock()
		// Broadcasts from before the first listener are recorded as delivered.
		isFirst := since.IsZero()
		if isFirst {
			since = now
		}
		if err := e.Recover(ctx, since, !isFirst); err != nil {
			return err
		}
		e.mu.Lock()
		e.lastCommit = now
		e.setReady(true)
		e.mu.Unlock()
	}
	return nil
}
