package load

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// SharedMigration creates what Shared uses, beside Migration.
const SharedMigration = `
	create extension if not exists pg_cron;
	create table public.visible (id int primary key);
	insert into public.visible values (1);
	alter table public.visible enable row level security;
	create function public.show(yes boolean) returns void language plpgsql security definer set search_path = '' as $$ begin
		drop policy if exists shown on public.visible;
		execute format('create policy shown on public.visible for select using (%L::boolean)', yes);
	end $$;
	revoke execute on function public.show(boolean) from public, anon, authenticated;
	insert into storage.buckets (id, name, public) values ('limited', 'limited', false);
	create table public.runs (minute timestamptz not null, id bigint generated always as identity);
	alter table public.runs enable row level security;
	select cron.schedule('shared', '* * * * *', $$insert into public.runs values (date_trunc('minute', now()))$$);`

// Sizes of the objects that Shared uploads, and the limits between them.
const (
	sharedObject = 2000
	sharedSmall  = 1000
	sharedLarge  = 100_000
)

// policyEvery is the number of rounds between two changes of a policy. Each change makes all servers reload their schema.
const policyEvery = 4

// The rate limit of /verify for an IP address, as the servers are configured.
const (
	verifyBurst     = 30
	verifyPerSecond = 30.0 / 300
)

// Shared checks that each of several servers knows what was changed at another: the end of a session, a bucket's limit, a policy.
// It also checks that they share a rate limit. Servers may fail to respond, but a response must not show the earlier state.
type Shared struct {
	Target  *Target
	Service string   // the key of service_role
	Servers []string // URLs, each requested directly
	Alone   []string // URLs of data APIs that serve alone (plaza rest), which only know of policies
	Within  time.Duration
	Report  *Report

	// Moves returns how often the primary was moved or ended. The counts of rate limits are not replicated, so each time a
	// limit starts again. Nil: the limit is not checked, as development servers have none for the addresses of one machine.
	Moves func() int64

	client *Client
	round  int
	shown  bool

	verified int // requests that the limit has let through
	since    time.Time
}

// Run makes one check after another until ctx ends.
func (s *Shared) Run(ctx context.Context) error {
	s.client = &Client{target: s.Target, report: s.Report, email: "shared@example.com"}
	status, body, err := s.client.send(ctx, http.MethodPost, "/auth/v1/signup", nil, s.client.credentials())
	if err != nil || status != http.StatusOK {
		return fmt.Errorf("sign up: %d %s, %w", status, body, err)
	}
	for ; ctx.Err() == nil; s.round++ {
		s.checkSession(ctx)
		s.checkBucket(ctx)
		if s.round%policyEvery == 0 {
			s.checkPolicy(ctx)
		}
		if s.Moves != nil {
			s.checkLimit(ctx)
		}
		sleep(ctx, s.Target.Pause)
	}
	return nil
}

// server returns the server that makes the change of this round.
func (s *Shared) server() string { return s.Servers[s.round%len(s.Servers)] }

// send sends a request to a server with a token. status is 0 if there is no response, or an error of the server (5xx).
func (s *Shared) send(ctx context.Context, server, method, path, token string, body []byte) (status int, answer []byte) {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, method, server+path, bytes.NewReader(body))
	if err != nil {
		return 0, nil
	}
	request.Header.Set("apikey", s.Target.Anon)
	request.Header.Set("Authorization", "Bearer "+token)
	request.Header.Set("Content-Type", "application/json")
	response, err := s.Target.HTTP.Do(request)
	if err != nil {
		return 0, nil
	}
	defer func() { _ = response.Body.Close() }()
	answer, err = io.ReadAll(response.Body)
	if err != nil || response.StatusCode >= http.StatusInternalServerError {
		return 0, answer
	}
	return response.StatusCode, answer
}

// expect asks each server until it shows a change. It is a violation if a request that was sent more than Within after the
// change is answered with the earlier state.
func (s *Shared) expect(ctx context.Context, what string, servers []string, ask func(server string) (isNew, isKnown bool, answer string)) {
	changed := time.Now()
	for _, server := range servers {
		for ctx.Err() == nil {
			sent := time.Now()
			isNew, isKnown, answer := ask(server)
			if ctx.Err() != nil {
				return
			}
			if isNew || !isKnown {
				s.count(what, isKnown)
				break
			}
			if sent.Sub(changed) > s.Within {
				s.Report.AddViolation(what+": a server does not know", "%s, %s after the change: %.200s", server, sent.Sub(changed), answer)
				break
			}
			sleep(ctx, retryPause)
		}
	}
}

func (s *Shared) count(what string, isKnown bool) {
	if !isKnown {
		what += ", no answer"
	}
	s.Report.Count(what)
}

// checkSession ends a session at one server: all must refuse its token.
func (s *Shared) checkSession(ctx context.Context) {
	s.client.access = ""
	if status, body, err := s.client.send(ctx, http.MethodPost, "/auth/v1/token?grant_type=password", nil, s.client.credentials()); err != nil ||
		status != http.StatusOK || !s.client.keepSession(body) {
		return
	}
	token := s.client.access
	if status, _ := s.send(ctx, s.server(), http.MethodPost, "/auth/v1/logout?scope=local", token, nil); status != http.StatusNoContent {
		return
	}
	s.expect(ctx, "ended session", s.Servers, func(server string) (bool, bool, string) {
		status, answer := s.send(ctx, server, http.MethodGet, "/rest/v1/items?limit=1", token, nil)
		return status == http.StatusUnauthorized || status == http.StatusForbidden, status != 0, string(answer)
	})
}

// checkBucket changes the limit of a bucket at one server.
func (s *Shared) checkBucket(ctx context.Context) {
	limit, wanted := sharedSmall, "413"
	if s.round%2 == 1 {
		limit, wanted = sharedLarge, "200"
	}
	change := fmt.Appendf(nil, `{"public":false,"file_size_limit":%d}`, limit)
	if status, _ := s.send(ctx, s.server(), http.MethodPut, "/storage/v1/bucket/limited", s.Service, change); status != http.StatusOK {
		return
	}
	s.expect(ctx, "changed bucket", s.Servers, func(server string) (bool, bool, string) {
		status, answer := s.send(ctx, server, http.MethodPost, "/storage/v1/object/limited/"+newID(), s.Service, []byte(strings.Repeat("x", sharedObject)))
		got := fmt.Sprint(status)
		if bytes.Contains(answer, []byte(`"413"`)) {
			got = "413" // the status of the storage's errors is 400
		}
		return got == wanted, status != 0, string(answer)
	})
}

// checkPolicy shows or hides a row.
func (s *Shared) checkPolicy(ctx context.Context) {
	s.shown = !s.shown
	change, _ := json.Marshal(map[string]bool{"yes": s.shown})
	if status, _ := s.send(ctx, s.server(), http.MethodPost, "/rest/v1/rpc/show", s.Service, change); status != http.StatusNoContent {
		return
	}
	wanted := "[]"
	if s.shown {
		wanted = `[{"id":1}]`
	}
	ask := func(address string) (bool, bool, string) {
		status, answer := s.send(ctx, address, http.MethodGet, "/visible?select=id", s.Target.Anon, nil)
		return string(answer) == wanted, status == http.StatusOK, string(answer)
	}
	s.expect(ctx, "changed policy", s.Servers, func(server string) (bool, bool, string) { return ask(server + "/rest/v1") })
	s.expect(ctx, "changed policy, at a data API alone", s.Alone, ask)
}

// checkLimit asks each server once, with an invalid code. All servers together may let only as many requests through as one.
func (s *Shared) checkLimit(ctx context.Context) {
	if s.since.IsZero() {
		s.since = time.Now()
	}
	for _, server := range s.Servers {
		status, _ := s.send(ctx, server, http.MethodPost, "/auth/v1/verify", s.Target.Anon, []byte(`{"type":"email","email":"nobody@example.com","token":"123456"}`))
		if status == http.StatusForbidden {
			s.verified++
		}
		s.count("rate limit", status != 0)
	}
	allowed := float64(s.Moves()+1)*verifyBurst + 1 + time.Since(s.since).Seconds()*verifyPerSecond
	if float64(s.verified) > allowed {
		s.Report.AddViolation("rate limit: multiplied", "%d requests in %s, %.0f allowed", s.verified, time.Since(s.since), allowed)
	}
}
