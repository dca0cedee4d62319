package auth_test

import (
	"net/http"
	"sync"
	"testing"
)

// raceOnRow locks a row until a number of requests wait for it, and returns their responses. before
// is SQL that runs while they wait.
func (s *server) raceOnRow(row, id string, requests int, before string, request func(i int) answer) []answer {
	s.t.Helper()
	held, err := s.db.Begin(s.t.Context())
	if err != nil {
		s.t.Fatal(err)
	}
	defer func() { _ = held.Rollback(s.t.Context()) }() // returns an error after a commit
	if _, err := held.Exec(s.t.Context(), row, id); err != nil {
		s.t.Fatal(err)
	}
	s.quiet = true
	got := make([]answer, requests)
	var all sync.WaitGroup
	for i := range got {
		all.Go(func() { got[i] = request(i) })
	}
	answered := make(chan struct{})
	go func() { all.Wait(); close(answered) }()
	for s.count(`select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`) < requests {
		select {
		case <-answered:
			s.t.Fatal("the requests do not wait for the row")
		default:
		}
	}
	if before != "" {
		if _, err := held.Exec(s.t.Context(), before, id); err != nil {
			s.t.Fatal(err)
		}
	}
	if err := held.Commit(s.t.Context()); err != nil {
		s.t.Fatal(err)
	}
	<-answered
	s.quiet = false
	return got
}

// concurrentRequests is the number of requests for which the server has connections.
const concurrentRequests = 6

// Of several concurrent exchanges one succeeds. Its session ends then, because the code was reused.
func TestCodeWorksOnceUnderRace(t *testing.T) {
	t.Parallel()
	s := startOAuthServer(t, nil)
	in, a := s.member("ana@plaza.test"), s.publicApp()
	code := s.codeFor(a, in.Access, nil)
	got := s.raceOnRow(`select from auth.oauth_authorizations where client_id = $1 for update`, a.ID, concurrentRequests, "", func(int) answer {
		return s.do(a.authenticated(exchangeForm(code)))
	})
	won := 0
	for _, one := range got {
		if one.status == http.StatusOK {
			won++
			continue
		}
		one.wantTokenError(t, http.StatusBadRequest, "invalid_grant")
	}
	equal(t, "winners", 1, won)
	equal(t, "sessions of the app", 0, s.count(`select count(*) from auth.sessions where oauth_client_id is not null`))
	equal(t, "sign-ins", 1, s.count(`select count(*) from auth.audit_log_entries where payload -> 'traits' ->> 'client_id' = $1`, a.ID))
}

// Of several concurrent decisions one is stored.
func TestOneDecisionUnderRace(t *testing.T) {
	t.Parallel()
	s := startOAuthServer(t, nil)
	in, a := s.member("ana@plaza.test"), s.publicApp()
	id := s.authorize(a, nil)
	s.openConsent(id, in.Access).want(t, http.StatusOK, "")
	got := s.raceOnRow(`select from auth.oauth_authorizations where authorization_id = $1 for update`, id, concurrentRequests, "", func(i int) answer {
		return s.decideConsent(id, in.Access, []string{"approve", "deny"}[i%2])
	})
	won := 0
	for _, one := range got {
		if one.status == http.StatusOK {
			won++
		} else {
			one.want(t, http.StatusBadRequest, "validation_failed")
		}
	}
	equal(t, "decisions", 1, won)
}

// If two users open one consent page concurrently, only one may decide.
func TestConsentPageBelongsToOneUserUnderRace(t *testing.T) {
	t.Parallel()
	s := startOAuthServer(t, nil)
	people := []tokens{s.member("ana@plaza.test"), s.member("ben@plaza.test")}
	id := s.authorize(s.publicApp(), nil)
	got := s.raceOnRow(`select from auth.oauth_authorizations where authorization_id = $1 for update`, id, len(people), "", func(i int) answer {
		return s.openConsent(id, people[i].Access)
	})
	if got[0].status+got[1].status != http.StatusOK+http.StatusNotFound {
		t.Errorf("answers %d and %d", got[0].status, got[1].status)
	}
}

// If a grant is revoked or a client deleted while a code is exchanged, no session is left.
func TestExchangeWaitsForTheEndOfAGrant(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, row, before string }{
		{"revoked", `select from auth.oauth_consents where client_id = $1 for update`, `update auth.oauth_consents set revoked_at = granted_at where client_id = $1`},
		{"deleted", `select from auth.oauth_clients where id = $1 for update`, `update auth.oauth_clients set deleted_at = created_at where id = $1`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := startOAuthServer(t, nil)
			in, a := s.member("ana@plaza.test"), s.publicApp()
			code := s.codeFor(a, in.Access, nil)
			got := s.raceOnRow(tt.row, a.ID, 1, tt.before, func(int) answer { return s.do(a.authenticated(exchangeForm(code))) })
			got[0].wantTokenError(t, http.StatusBadRequest, "invalid_grant")
			equal(t, "sessions of the app", 0, s.count(`select count(*) from auth.sessions where oauth_client_id is not null`))
		})
	}
}
