package auth_test

import (
	"net/http"
	"sync"
	"testing"
	"time"

	"plaza/server/auth"
)

const phone = "34600111222"

// withPhone lets people sign in by phone.
func withPhone(c *auth.Config) { c.Ways.Phone = true }

func TestPhoneSignUp(t *testing.T) {
	t.Parallel()
	s := start(t, withPhone)
	got := s.ok("/signup", `{"phone":"+34 600 111 222","password":"`+strong+`","data":{"name":"Ana"}}`)
	var made map[string]any
	got.parse(t, &made)
	equal(t, "phone", phone, made["phone"].(string))
	equal(t, "provider", "phone", made["app_metadata"].(map[string]any)["provider"].(string))
	sign := func() answer {
		return s.post("/token?grant_type=password", body(map[string]any{"phone": "+" + phone, "password": strong}))
	}
	sign().want(t, http.StatusBadRequest, "phone_not_confirmed")
	code := s.lastText(phone).Code
	s.post("/verify", body(map[string]any{"type": "signup", "phone": phone, "token": code})).want(t, http.StatusBadRequest, "validation_failed")
	in := s.ok("/verify", body(map[string]any{"type": "sms", "phone": phone, "token": code})).tokens(t)
	equal(t, "confirmed", true, in.User["phone_confirmed_at"] != nil)
	equal(t, "identity", 1, s.count("select count(*) from auth.identities where provider = 'phone' and identity_data @> '{\"phone\": \"34600111222\", \"phone_verified\": true}'"))
	sign().tokens(t)
	s.post("/verify", body(map[string]any{"type": "sms", "phone": phone, "token": code})).want(t, http.StatusForbidden, "otp_expired")
}

func TestPhoneCodes(t *testing.T) {
	t.Parallel()
	s := start(t, withPhone)
	first := s.ok("/otp", body(map[string]any{"phone": phone}))
	equal(t, "a first code makes an account, answered as one for an old account", `{"message_id":"SM1"}`, first.body)
	s.ok("/verify", body(map[string]any{"type": "sms", "phone": phone, "token": s.lastText(phone).Code})).tokens(t)
	s.clock.Advance(time.Minute)
	equal(t, "a further one names its message", `{"message_id":"SM2"}`, s.ok("/otp", body(map[string]any{"phone": phone})).body)
	s.post("/otp", body(map[string]any{"phone": phone})).want(t, http.StatusTooManyRequests, "over_sms_send_rate_limit")
	code := s.lastText(phone).Code
	equal(t, "text", "Your code is "+code, s.lastText(phone).Text)
	s.clock.Advance(61 * time.Second)
	s.post("/verify", body(map[string]any{"type": "sms", "phone": phone, "token": code})).want(t, http.StatusForbidden, "otp_expired")
	s.post("/otp", body(map[string]any{"phone": "34600999999", "create_user": false})).want(t, http.StatusUnprocessableEntity, "otp_disabled")
	s.post("/otp", body(map[string]any{"phone": "0034 1"})).want(t, http.StatusBadRequest, "validation_failed")
	s.post("/otp", body(map[string]any{"phone": phone, "channel": "pigeon"})).want(t, http.StatusBadRequest, "validation_failed")
	s.ok("/otp", body(map[string]any{"phone": phone, "channel": "whatsapp"}))
	equal(t, "channel", "whatsapp", s.lastText(phone).Channel)
}

func TestPhonesAreOffByDefault(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	for path, status := range map[string]int{"/otp": 400, "/signup": 400, "/token?grant_type=password": 422, "/resend": 400} {
		s.post(path, body(map[string]any{"phone": phone, "password": strong, "type": "sms"})).want(t, status, "phone_provider_disabled")
	}
}

// Of several concurrent requests with one code, exactly one succeeds.
func TestAPhoneCodeWorksOnce(t *testing.T) {
	t.Parallel()
	s := start(t, withPhone)
	s.ok("/otp", body(map[string]any{"phone": phone}))
	request := body(map[string]any{"type": "sms", "phone": phone, "token": s.lastText(phone).Code})
	var tries sync.WaitGroup
	statuses := make(chan int, 8)
	for range cap(statuses) {
		tries.Go(func() { statuses <- s.post("/verify", request).status })
	}
	tries.Wait()
	close(statuses)
	in := 0
	for status := range statuses {
		if status == http.StatusOK {
			in++
		} else {
			equal(t, "the others", http.StatusForbidden, status)
		}
	}
	equal(t, "who got in", 1, in)
	equal(t, "sessions", 1, s.count("select count(*) from auth.sessions"))
}

func TestFiveWrongCodesInvalidateACode(t *testing.T) {
	t.Parallel()
	s := start(t, withPhone)
	s.ok("/otp", body(map[string]any{"phone": phone}))
	code := s.lastText(phone).Code
	wrong := "000000"
	if code == wrong {
		wrong = "000001"
	}
	for range 5 {
		s.post("/verify", body(map[string]any{"type": "sms", "phone": phone, "token": wrong})).want(t, http.StatusForbidden, "otp_expired")
	}
	s.post("/verify", body(map[string]any{"type": "sms", "phone": phone, "token": code})).want(t, http.StatusForbidden, "otp_expired")
}

func TestTestNumbersGetNoMessage(t *testing.T) {
	t.Parallel()
	s := start(t, func(c *auth.Config) {
		c.Ways.Phone = true
		c.SMS.TestOTP = map[string]string{"+" + phone: "424242"}
		c.SMS.TestOTPValidUntil = startTime.Add(time.Hour)
	})
	s.ok("/otp", body(map[string]any{"phone": phone}))
	equal(t, "messages", 0, len(s.texts))
	s.ok("/verify", body(map[string]any{"type": "sms", "phone": phone, "token": "424242"})).tokens(t)
	s.clock.Advance(time.Hour)
	s.ok("/otp", body(map[string]any{"phone": phone}))
	equal(t, "messages after the end", 1, len(s.texts))
}

func TestPhoneChange(t *testing.T) {
	t.Parallel()
	s := start(t, withPhone)
	in := s.member("ana@plaza.test")
	change := func(number string) answer {
		return s.do(call{method: http.MethodPut, path: "/user", as: in.Access, body: body(map[string]any{"phone": number})})
	}
	got := change("+" + phone)
	got.want(t, http.StatusOK, "")
	var user map[string]any
	got.parse(t, &user)
	equal(t, "new number", phone, user["new_phone"].(string))
	equal(t, "number", "", user["phone"].(string))
	s.clock.Advance(time.Minute)
	equal(t, "again", `{}`, s.ok("/resend", body(map[string]any{"type": "phone_change", "phone": phone})).body)
	code := s.lastText(phone).Code
	s.ok("/verify", body(map[string]any{"type": "phone_change", "phone": phone, "token": code})).tokens(t)
	equal(t, "changed", 1, s.count("select count(*) from auth.users where phone = $1 and phone_change = '' and phone_confirmed_at is not null", phone))
	equal(t, "providers", 1, s.count(`select count(*) from auth.users where raw_app_meta_data -> 'providers' = '["email", "phone"]'`))
	other := s.member("eva@plaza.test")
	s.do(call{method: http.MethodPut, path: "/user", as: other.Access, body: body(map[string]any{"phone": phone})}).want(t, http.StatusUnprocessableEntity, "phone_exists")
}

// A message that could not be sent can be requested again at once.
func TestUnsentMessageCanBeRequestedAgain(t *testing.T) {
	t.Parallel()
	s := start(t, withPhone)
	s.refuseTexts = true
	s.post("/otp", body(map[string]any{"phone": phone})).want(t, http.StatusUnprocessableEntity, "sms_send_failed")
	s.refuseTexts = false
	s.ok("/otp", body(map[string]any{"phone": phone}))
	s.ok("/verify", body(map[string]any{"type": "sms", "phone": phone, "token": s.lastText(phone).Code})).tokens(t)
}

func TestAnonymousUsers(t *testing.T) {
	t.Parallel()
	off := start(t, nil)
	off.post("/signup", `{}`).want(t, http.StatusUnprocessableEntity, "anonymous_provider_disabled")

	s := start(t, func(c *auth.Config) { c.Ways.Anonymous, c.Ways.Phone = true, true })
	in := s.ok("/signup", `{"data":{"theme":"dark"}}`).tokens(t)
	set := s.claimsOf(in.Access)
	equal(t, "claim", true, set["is_anonymous"].(bool))
	equal(t, "way", "anonymous", s.amr(in.Access)[0])
	equal(t, "identities", 0, s.count("select count(*) from auth.identities"))
	s.do(call{method: http.MethodPut, path: "/user", as: in.Access, body: `{"password":"` + strong + `"}`}).want(t, http.StatusUnprocessableEntity, "validation_failed")

	// With an address the user becomes permanent and keeps the id.
	s.do(call{method: http.MethodPut, path: "/user", as: in.Access, body: `{"email":"ana@plaza.test","password":"` + strong + `"}`}).want(t, http.StatusOK, "")
	after := s.ok("/verify", body(map[string]any{"type": "email_change", "email": "ana@plaza.test", "token": s.linkTo("ana@plaza.test").code})).tokens(t)
	equal(t, "id", in.User["id"], after.User["id"])
	equal(t, "anonymous", false, after.User["is_anonymous"].(bool))
	equal(t, "password", http.StatusOK, s.signIn("ana@plaza.test", strong).status)
	equal(t, "data", "dark", after.User["user_metadata"].(map[string]any)["theme"].(string))
}

func TestAnAnonymousUserGetsAPhone(t *testing.T) {
	t.Parallel()
	s := start(t, func(c *auth.Config) { c.Ways.Anonymous, c.Ways.Phone = true, true })
	in := s.ok("/signup", `{}`).tokens(t)
	s.do(call{method: http.MethodPut, path: "/user", as: in.Access, body: body(map[string]any{"phone": phone})}).want(t, http.StatusOK, "")
	after := s.ok("/verify", body(map[string]any{"type": "phone_change", "phone": phone, "token": s.lastText(phone).Code})).tokens(t)
	equal(t, "anonymous", false, after.User["is_anonymous"].(bool))
	equal(t, "id", in.User["id"], after.User["id"])
}

func TestNonces(t *testing.T) {
	t.Parallel()
	s := start(t, func(c *auth.Config) { c.Security.RequireReauthentication = true; c.JWT.Expiry = 7 * 24 * 3600 })
	in := s.member("ana@plaza.test")
	set := func(nonce, password string) answer {
		return s.do(call{method: http.MethodPut, path: "/user", as: in.Access, body: body(map[string]any{"password": password, "nonce": nonce})})
	}
	set("", "Another-Horse-1").want(t, http.StatusOK, "") // signed in just now
	s.clock.Advance(25 * time.Hour)
	set("", "Third-Horse-1").want(t, http.StatusBadRequest, "reauthentication_needed")
	set("123456", "Third-Horse-1").want(t, http.StatusUnprocessableEntity, "reauthentication_not_valid")
	s.do(call{method: http.MethodGet, path: "/reauthenticate", as: in.Access}).want(t, http.StatusOK, "")
	nonce := s.nonce("ana@plaza.test")
	set(nonce, "Third-Horse-1").want(t, http.StatusOK, "")
	set(nonce, "Fourth-Horse-1").want(t, http.StatusUnprocessableEntity, "reauthentication_not_valid")
}
