package auth_test

import (
	"net/http"
	"time"

	"github.com/pquerna/otp/totp"
)

// app is an enrolled authenticator app.
type app struct {
	ID   string
	Type string
	Name string `json:"friendly_name"`
	TOTP struct {
		Secret, URI string
		QRCode      string `json:"qr_code"`
	}
}

func (s *server) enroll(as string, fields map[string]any) answer {
	s.t.Helper()
	return s.do(call{path: "/factors", body: body(fields), as: as})
}

// newApp enrolls an unverified authenticator app.
func (s *server) newApp(as, name string) app {
	s.t.Helper()
	got := s.enroll(as, map[string]any{"factor_type": "totp", "friendly_name": name})
	got.want(s.t, http.StatusOK, "")
	var made app
	got.parse(s.t, &made)
	return made
}

// code returns the app's code a number of steps from now.
func (s *server) code(a app, steps int) string {
	s.t.Helper()
	code, err := totp.GenerateCode(a.TOTP.Secret, s.clock.Now().Add(time.Duration(steps)*30*time.Second))
	if err != nil {
		s.t.Fatal(err)
	}
	return code
}

func (s *server) challenge(as, factor string) string {
	s.t.Helper()
	got := s.do(call{path: "/factors/" + factor + "/challenge", body: "{}", as: as})
	got.want(s.t, http.StatusOK, "")
	var made struct{ ID string }
	got.parse(s.t, &made)
	return made.ID
}

func (s *server) verifyFactor(as, factor, challenge, code string) answer {
	s.t.Helper()
	return s.do(call{path: "/factors/" + factor + "/verify", body: body(map[string]any{"challenge_id": challenge, "code": code}), as: as})
}

func (s *server) unenroll(as, factor string) answer {
	s.t.Helper()
	return s.do(call{method: http.MethodDelete, path: "/factors/" + factor, as: as})
}

// upgradeToAAL2 verifies a new challenge with the app, 30 seconds after the last one.
func (s *server) upgradeToAAL2(as string, a app) tokens {
	s.t.Helper()
	s.clock.Advance(30 * time.Second)
	return s.verifyFactor(as, a.ID, s.challenge(as, a.ID), s.code(a, 0)).tokens(s.t)
}

// memberWithApp creates an account with a verified app and signs in with it.
func (s *server) memberWithApp(email string) (tokens, app) {
	s.t.Helper()
	member := s.member(email)
	made := s.newApp(member.Access, "phone")
	return s.upgradeToAAL2(member.Access, made), made
}

// amr lists the methods of an access token, newest first.
func (s *server) amr(access string) []string {
	s.t.Helper()
	var methods []string
	for _, entry := range s.claimsOf(access)["amr"].([]any) {
		methods = append(methods, entry.(map[string]any)["method"].(string))
	}
	return methods
}

// factors lists types and states of a user's factors.
func (s *server) factors(as string) []string {
	s.t.Helper()
	got := s.do(call{method: http.MethodGet, path: "/user", as: as})
	got.want(s.t, http.StatusOK, "")
	var user struct {
		Factors []struct {
			Type string `json:"factor_type"`
			Name string `json:"friendly_name"`
			Status,
			ID string
		}
	}
	got.parse(s.t, &user)
	var list []string
	for _, f := range user.Factors {
		list = append(list, f.Type+" "+f.Name+" "+f.Status)
	}
	return list
}

const (
	ownPassword = strong // what member signs up with
	unknownID   = "99999999-9999-4999-8999-999999999999"
)

// lastRefresh returns the current refresh token of a user.
func (s *server) lastRefresh(email string) string {
	s.t.Helper()
	var token string
	if err := s.db.QueryRow(s.t.Context(), `select r.token from auth.refresh_tokens r join auth.users u on u.id::text = r.user_id
		where u.email = $1 and not r.revoked order by r.id desc limit 1`, email).Scan(&token); err != nil {
		s.t.Fatal(err)
	}
	return token
}
