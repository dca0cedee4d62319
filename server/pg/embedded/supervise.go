package embedded

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// A PostgreSQL that died is restarted almost at once; if it keeps failing, after longer
// and longer delays, and after maxFailures not any more.
const (
	maxFailures  = 5 // in a row
	firstRestart = 50 * time.Millisecond
	steadyAfter  = 30 * time.Second // after this uptime, earlier failures do not count
)

// restartDelay is how long to wait before a restart: 50 ms after the first failure,
// then ten times as long, and 2 s at most.
func restartDelay(failures int) time.Duration {
	delay := firstRestart
	for range failures - 1 {
		delay *= 10
	}
	return min(delay, 2*time.Second)
}

// supervise waits for the end of PostgreSQL. With Config.Restart it restarts it, until
// Stop is called.
func (s *Server) supervise() {
	failures := 0
	for {
		began := time.Now()
		current := s.current()
		<-current.done
		if s.ctx.Err() != nil || !s.cfg.Restart {
			s.err = current.err
			break
		}
		if time.Since(began) >= steadyAfter {
			failures = 0
		}
		err := current.err
		for failures++; err != nil && failures < maxFailures; failures++ {
			s.cfg.Log.ErrorContext(s.ctx, "PostgreSQL ended and is started again", "error", err, "failures", failures)
			if err = s.restart(restartDelay(failures)); err == nil {
				break
			}
		}
		if err != nil {
			if s.ctx.Err() == nil {
				s.err = fmt.Errorf("PostgreSQL failed %d times in a row and is not started again: %w", failures, err)
			}
			break
		}
	}
	// Closing releases the lock, so that the folder is free again as soon as
	// PostgreSQL has ended, whoever ended it.
	_ = s.lock.Close()
	close(s.done)
}

// restart starts PostgreSQL on the same folder and port.
func (s *Server) restart(delay time.Duration) error {
	wait := time.NewTimer(delay)
	defer wait.Stop()
	select {
	case <-s.ctx.Done():
		return s.ctx.Err()
	case <-wait.C:
	}
	if err := endLeftover(s.ctx, s.cfg); err != nil {
		return err
	}
	if err := s.launch(s.ctx, s.bin, s.id); err != nil {
		return err
	}
	if s.ctx.Err() != nil { // a stop came too early to find this process
		return errors.Join(s.ctx.Err(), s.current().stop(context.WithoutCancel(s.ctx)))
	}
	return nil
}

// current returns the process that runs, or ran last.
func (s *Server) current() *process {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.process
}

// stopSupervised ends PostgreSQL and prevents restarts. A restart that is under way is
// cancelled, and leaves nothing running.
func (s *Server) stopSupervised(ctx context.Context) error {
	s.cancel()
	if err := s.current().stop(ctx); err != nil {
		return err
	}
	<-s.done
	return nil
}
