package auth_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"testing"
	"time"

	"plaza/server/auth"
	"plaza/server/auth/mailer"
	"plaza/server/jobs"
	"plaza/tests/testkit"
)

// queued returns the number of mails in the queue.
func (s *server) queued() int {
	s.t.Helper()
	return s.count("select count(*) from auth.mail_queue where failed_at is null")
}

func TestNoMailIsLostWhileTheRelayIsDown(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	s.refuseMails = errors.New("451 later")
	s.ok("/signup", body(map[string]any{"email": "ana@plaza.test", "password": strong}))
	equal(t, "waiting", 1, s.queued())
	if text := s.text("select sealed from auth.mail_queue"); !sealed(text, "ana@plaza.test") {
		t.Errorf("the recipient is in the clear: %s", text)
	}
	// Each retry waits longer.
	for _, wait := range []time.Duration{2 * time.Second, 4 * time.Second, 8 * time.Second} {
		s.clock.Advance(wait - time.Millisecond)
		before := s.tries
		s.sendMails()
		equal(t, "tries too early", before, s.tries)
		s.clock.Advance(time.Millisecond)
		s.sendMails()
		equal(t, "tries in time", before+1, s.tries)
	}
	s.refuseMails = nil
	s.clock.Advance(16 * time.Second)
	s.ok("/verify", body(map[string]any{"type": "signup", "email": "ana@plaza.test", "token": s.linkTo("ana@plaza.test").code})).tokens(t)
	equal(t, "waiting", 0, s.queued())
}

func TestPermanentlyRefusedMailIsKeptWithoutContent(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		refuse error
		wait   time.Duration
	}{
		"refused":      {fmt.Errorf("%w: 550 no such user", mailer.ErrRefused), 0},
		"link expired": {errors.New("451 later"), 25 * time.Hour},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := start(t, nil)
			s.refuseMails = tt.refuse
			s.ok("/recover", body(map[string]any{"email": "nobody@plaza.test"}))
			s.ok("/signup", body(map[string]any{"email": "ana@plaza.test", "password": strong}))
			s.clock.Advance(tt.wait)
			s.sendMails()
			equal(t, "waiting", 0, s.queued())
			equal(t, "failed", 1, s.count("select count(*) from auth.mail_queue where failed_at is not null and sealed = '' and last_error <> ''"))
			s.clock.Advance(8 * 24 * time.Hour)
			s.clean()
			equal(t, "after a week", 0, s.count("select count(*) from auth.mail_queue"))
		})
	}
}

// Two servers on one database send each mail once.
func TestServersShareTheQueue(t *testing.T) {
	t.Parallel()
	address := testkit.PlatformURL(t)
	one, two := startOn(t, address, nil), startOn(t, address, nil)
	one.refuseMails = errors.New("451 later")
	for i := range 40 {
		one.ok("/signup", body(map[string]any{"email": fmt.Sprintf("ana%d@plaza.test", i), "password": strong}))
	}
	one.refuseMails = nil
	one.clock.Advance(time.Minute)
	two.clock.Set(one.clock.Now())
	var both sync.WaitGroup
	both.Go(func() { one.sendMails() })
	both.Go(func() { two.sendMails() })
	both.Wait()
	equal(t, "mails", 40, len(one.sendMails())+len(two.sendMails()))
	equal(t, "waiting", 0, one.queued())
}

// A transaction that is rolled back sends no mail.
func TestAMailIsPartOfItsChange(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	s.exec(`create function public.refuse() returns trigger language plpgsql as $$ begin raise exception 'no more tokens'; end $$;
		create constraint trigger refuse after insert on auth.mail_queue deferrable initially deferred for each row execute function public.refuse()`)
	if got := s.post("/signup", body(map[string]any{"email": "ana@plaza.test", "password": strong})); got.status < 500 {
		t.Errorf("status %d", got.status)
	}
	equal(t, "accounts", 0, s.count("select count(*) from auth.users"))
	equal(t, "mails", 0, s.mailCount())
}

// A running server sends a mail at once.
func TestSendMailsSendsAtOnce(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	s.quiet = true
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan struct{})
	runner := jobs.New(jobs.Options{Log: slog.New(slog.DiscardHandler), Now: time.Now})
	runner.Add(s.built.Jobs()...)
	go func() { runner.Run(ctx); close(ended) }()
	s.ok("/signup", body(map[string]any{"email": "ana@plaza.test", "password": strong}))
	select {
	case <-s.arrived:
	case <-t.Context().Done():
		t.Fatal("no mail")
	}
	stop()
	<-ended
}

func TestAccountChangesAreMailed(t *testing.T) {
	t.Parallel()
	s := start(t, func(c *auth.Config) {
		c.Mailer.Notices = auth.Notices{PasswordChanged: true, EmailChanged: true, PhoneChanged: true}
		c.Ways.Phone, c.Mailer.SecureEmailChange = true, false
	})
	in := s.member("ana@plaza.test")
	put := func(fields map[string]any) {
		s.do(call{method: "PUT", path: "/user", as: in.Access, body: body(fields)}).want(t, 200, "")
	}
	put(map[string]any{"password": "Another-Horse-1"})
	equal(t, "subject", "Your password was changed", s.lastMail("ana@plaza.test").Subject)
	put(map[string]any{"phone": phone})
	s.ok("/verify", body(map[string]any{"type": "phone_change", "phone": phone, "token": s.lastText(phone).Code}))
	equal(t, "subject", "Your phone number was changed", s.lastMail("ana@plaza.test").Subject)
	s.clock.Advance(time.Hour)
	put(map[string]any{"email": "eva@plaza.test"})
	s.ok("/verify", body(map[string]any{"type": "email_change", "email": "eva@plaza.test", "token": s.linkTo("eva@plaza.test").code}))
	equal(t, "subject", "Your email address was changed", s.lastMail("ana@plaza.test").Subject)
}

// The queue is read again when the next mail is due, or else after the poll interval.
func TestQueueWaitsForTheNextMail(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	rests := func(what string, want time.Duration) {
		t.Helper()
		got, err := s.built.NextMail(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		equal(t, what, want, got)
	}
	rests("empty", 15*time.Second)
	s.refuseMails = errors.New("451 later")
	s.ok("/signup", body(map[string]any{"email": "ana@plaza.test", "password": strong}))
	rests("a mail to try again", 2*time.Second)
	s.clock.Advance(1500 * time.Millisecond)
	rests("later", 500*time.Millisecond)
	s.exec("update auth.mail_queue set next_try_at = now() - interval '100 years'")
	holder, err := s.db.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = holder.Rollback(context.WithoutCancel(t.Context())) }()
	if _, err := holder.Exec(t.Context(), "select from auth.mail_queue for update"); err != nil {
		t.Fatal(err)
	}
	rests("in other hands", 100*time.Millisecond)
}
