package auth_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"plaza/server/auth"
)

func startPhones(t testing.TB, change func(*auth.Config)) *server {
	t.Helper()
	return start(t, func(c *auth.Config) {
		c.MFA.Phone.Enroll, c.MFA.Phone.Verify = true, true
		if change != nil {
			change(c)
		}
	})
}

const number = "376600001"

// newPhone enrolls an unverified number.
func (s *server) newPhone(as, name string) string {
	s.t.Helper()
	got := s.enroll(as, map[string]any{"factor_type": "phone", "friendly_name": name, "phone": "+376 600 001"})
	got.want(s.t, http.StatusOK, "")
	var made struct{ ID, Type, Phone string }
	got.parse(s.t, &made)
	equal(s.t, "made", []string{"phone", "+376 600 001"}, []string{made.Type, made.Phone})
	return made.ID
}

// codeTo returns the code of the newest message.
func (s *server) codeTo(phone string) string {
	s.t.Helper()
	words := strings.Fields(s.lastText(phone).Text)
	return words[len(words)-1]
}

func TestPhoneFactor(t *testing.T) {
	t.Parallel()
	s := startPhones(t, func(c *auth.Config) { c.MFA.Phone.Template = "For Plaza: {{ .Code }}" })
	ana := s.member("ana@plaza.test")
	id := s.newPhone(ana.Access, "mobile")
	s.clock.Advance(time.Second)
	challenge := s.challenge(ana.Access, id)
	message := s.lastText(number)
	if !strings.HasPrefix(message.Text, "For Plaza: ") || len(s.codeTo(number)) != 6 {
		t.Errorf("message %q", message.Text)
	}
	equal(t, "codes in the clear", 0, s.count(`select count(*) from auth.mfa_challenges where otp_code like '%' || $1 || '%'`, s.codeTo(number)))
	s.verifyFactor(ana.Access, id, challenge, "000 000").want(t, http.StatusUnprocessableEntity, "mfa_verification_failed")
	strong := s.verifyFactor(ana.Access, id, challenge, s.codeTo(number)).tokens(t)
	equal(t, "methods", []string{"mfa/phone", "otp"}, s.amr(strong.Access))
	equal(t, "level", "aal2", s.claimsOf(strong.Access)["aal"].(string))
	s.verifyFactor(strong.Access, id, challenge, s.codeTo(number)).want(t, http.StatusUnprocessableEntity, "mfa_ip_address_mismatch")
	s.unenroll(strong.Access, id).want(t, http.StatusOK, "")
	equal(t, "level", "aal1", s.claimsOf(s.refresh(strong.Refresh).tokens(t).Access)["aal"].(string))
}

func TestPhoneFactorIsRefused(t *testing.T) {
	t.Parallel()
	s := startPhones(t, nil)
	ana := s.member("ana@plaza.test")
	for _, phone := range []string{"", "+0", "376600001\x00", "x376600001"} {
		s.enroll(ana.Access, map[string]any{"factor_type": "phone", "phone": phone}).want(t, http.StatusBadRequest, "validation_failed")
	}
	first := s.newPhone(ana.Access, "mobile")
	second := s.newPhone(ana.Access, "mobile") // begun again
	s.do(call{path: "/factors/" + first + "/challenge", as: ana.Access}).want(t, http.StatusNotFound, "mfa_factor_not_found")
	s.do(call{path: "/factors/" + second + "/challenge", body: `{"channel":"pigeon"}`, as: ana.Access}).want(t, http.StatusBadRequest, "validation_failed")

	challenge := s.challenge(ana.Access, second)
	s.do(call{path: "/factors/" + second + "/challenge", as: ana.Access}).want(t, http.StatusTooManyRequests, "over_sms_send_rate_limit")
	s.clock.Advance(time.Minute)
	s.challenge(ana.Access, second)
	strong := s.verifyFactor(ana.Access, second, challenge, s.codeToFirst(number)).tokens(t)
	s.enroll(strong.Access, map[string]any{"factor_type": "phone", "friendly_name": "again", "phone": number}).want(t, http.StatusUnprocessableEntity, "mfa_verified_factor_exists")
}

// codeToFirst returns the code of the oldest message.
func (s *server) codeToFirst(phone string) string {
	s.t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, text := range s.texts {
		if text.To == phone {
			words := strings.Fields(text.Text)
			return words[len(words)-1]
		}
	}
	s.t.Fatal("no message")
	return ""
}

// A message that could not be sent leaves no challenge, and may be requested again.
func TestUnsentMessageLeavesNoChallenge(t *testing.T) {
	t.Parallel()
	s := startPhones(t, func(c *auth.Config) {
		c.Hook.SendSMS = auth.Hook{Enabled: true, URI: "pg-functions://postgres/public/send"}
	})
	s.exec(`create function public.send(event jsonb) returns jsonb language plpgsql as $$
		begin return '{"error": {"http_code": 503, "message": "no network"}}'; end $$`)
	ana := s.member("ana@plaza.test")
	id := s.newPhone(ana.Access, "mobile")
	for range 2 {
		got := s.do(call{path: "/factors/" + id + "/challenge", as: ana.Access})
		equal(t, "status", http.StatusServiceUnavailable, got.status)
	}
	equal(t, "challenges", 0, s.count(`select count(*) from auth.mfa_challenges`))
}
