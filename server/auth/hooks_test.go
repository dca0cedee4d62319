package auth_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"plaza/server/auth"
)

// createHook creates a hook function and a table of its calls.
func (s *server) createHook(result string) {
	s.t.Helper()
	s.exec(`create table public.hook_calls (event jsonb);
		create function public.record_call(event jsonb) returns jsonb language plpgsql security definer
		as $$ begin insert into public.hook_calls values (event); return ` + result + `; end $$`)
}

var inDatabase = auth.Hook{Enabled: true, URI: "pg-functions://postgres/public/record_call"}

func (s *server) hookCalls(where string) int {
	s.t.Helper()
	return s.count("select count(*) from public.hook_calls where " + where)
}

func TestHookChangesTokens(t *testing.T) {
	t.Parallel()
	s := start(t, func(c *auth.Config) { c.Hook.CustomAccessToken = inDatabase })
	s.createHook(`jsonb_build_object('claims', event -> 'claims' || '{"plan": "gold", "role": "author"}')`)
	in := s.member("ana@plaza.test")
	set := s.claimsOf(in.Access)
	equal(t, "claims", "gold author", set["plan"].(string)+" "+set["role"].(string))
	again := s.refresh(in.Refresh).tokens(t)
	equal(t, "after a refresh", "gold", s.claimsOf(again.Access)["plan"].(string))
	equal(t, "methods", 1, s.hookCalls(`event ->> 'authentication_method' = 'otp' and event ->> 'user_id' = event -> 'claims' ->> 'sub'
		and event -> 'metadata' ->> 'name' = 'customize-access-token'`))
	equal(t, "methods", 1, s.hookCalls(`event ->> 'authentication_method' = 'token_refresh'`))
}

func TestHookMustKeepRequiredClaims(t *testing.T) {
	t.Parallel()
	for name, result := range map[string]string{
		"without sub":    `jsonb_build_object('claims', (event -> 'claims') - 'sub')`,
		"without claims": `'{}'::jsonb`,
		"no object":      `'{"claims": 7}'::jsonb`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := start(t, func(c *auth.Config) { c.Hook.CustomAccessToken = inDatabase; c.Mailer.Autoconfirm = true })
			s.createHook(result)
			s.post("/signup", body(map[string]any{"email": "ana@plaza.test", "password": strong})).want(t, http.StatusInternalServerError, "unexpected_failure")
			equal(t, "accounts", 0, s.count("select count(*) from auth.users"))
		})
	}
}

// A function is called in the transaction that creates the account, and may refuse it.
func TestHookRefusesAccounts(t *testing.T) {
	t.Parallel()
	s := start(t, func(c *auth.Config) {
		c.Hook.BeforeUserCreated, c.Hook.AfterUserCreated = inDatabase, inDatabase
		c.Ways.Anonymous = true
	})
	s.createHook(`case when event -> 'user' ->> 'email' like '%@evil.test' then '{"error": {"http_code": 403, "message": "Not from there"}}' else '{}' end::jsonb`)
	refused := s.post("/signup", body(map[string]any{"email": "x@evil.test", "password": strong}))
	refused.want(t, http.StatusForbidden, "unexpected_failure")
	if !strings.Contains(refused.body, "Not from there") {
		t.Error(refused.body)
	}
	s.ok("/signup", body(map[string]any{"email": "ana@plaza.test", "password": strong, "data": map[string]any{"a": 1}}))
	s.ok("/signup", `{}`)
	equal(t, "accounts", 2, s.count("select count(*) from auth.users"))
	for _, name := range []string{"before-user-created", "after-user-created"} {
		equal(t, name, 1, s.hookCalls(`event -> 'metadata' ->> 'name' = '`+name+`' and event -> 'user' ->> 'email' = 'ana@plaza.test' and event -> 'user' -> 'user_metadata' @> '{"a": 1}'
			and event -> 'user' ->> 'id' = (select id::text from auth.users where email = 'ana@plaza.test')`))
		equal(t, name+", anonymous", 1, s.hookCalls(`event -> 'metadata' ->> 'name' = '`+name+`' and event -> 'user' ->> 'is_anonymous' = 'true'`))
	}
}

func TestHooksSendMailsAndMessages(t *testing.T) {
	t.Parallel()
	s := start(t, func(c *auth.Config) { c.Hook.SendEmail, c.Hook.SendSMS = inDatabase, inDatabase; c.Ways.Phone = true })
	s.createHook(`'{}'::jsonb`)
	s.ok("/signup", body(map[string]any{"email": "ana@plaza.test", "password": strong}))
	s.ok("/otp", body(map[string]any{"phone": phone}))
	equal(t, "own mails", 0, s.mailCount())
	equal(t, "own messages", 0, len(s.texts))
	code := s.text("select event -> 'email_data' ->> 'token' from public.hook_calls where event -> 'email_data' ->> 'email_action_type' = 'signup' and event -> 'user' ->> 'email' = 'ana@plaza.test'")
	s.ok("/verify", body(map[string]any{"type": "signup", "email": "ana@plaza.test", "token": code})).tokens(t)
	code = s.text("select event -> 'sms' ->> 'otp' from public.hook_calls where event -> 'sms' ->> 'phone' = $1", phone)
	s.ok("/verify", body(map[string]any{"type": "sms", "phone": phone, "token": code})).tokens(t)
}

// A service is called over HTTP with a signature. Its error is returned to the client.
func TestAHookOverHTTP(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var names []string
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		text, _ := io.ReadAll(r.Body)
		var event struct {
			Metadata struct {
				Name string
				IP   string `json:"ip_address"`
			}
			Claims map[string]any
			User   struct{ Email string }
		}
		if err := json.Unmarshal(text, &event); err != nil || !strings.HasPrefix(r.Header.Get("Webhook-Signature"), "v1,") || event.Metadata.IP != "127.0.0.1" {
			t.Errorf("%s %v: %v", text, r.Header, err)
		}
		mu.Lock()
		names = append(names, event.Metadata.Name)
		mu.Unlock()
		w.Header().Set("Content-Type", "application/json")
		result := map[string]any{}
		if event.Metadata.Name == "customize-access-token" {
			event.Claims["plan"] = "gold"
			result["claims"] = event.Claims
		}
		if event.User.Email == "x@evil.test" {
			result["error"] = map[string]any{"http_code": 422, "message": "Not from there"}
		}
		_ = json.NewEncoder(w).Encode(result)
	}))
	t.Cleanup(service.Close)
	overHTTP := auth.Hook{Enabled: true, URI: service.URL, Secrets: "v1,whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIz"}
	s := start(t, func(c *auth.Config) { c.Hook.CustomAccessToken, c.Hook.BeforeUserCreated = overHTTP, overHTTP })
	in := s.member("ana@plaza.test")
	equal(t, "claim", "gold", s.claimsOf(in.Access)["plan"].(string))
	s.post("/signup", body(map[string]any{"email": "x@evil.test", "password": strong})).want(t, http.StatusUnprocessableEntity, "unexpected_failure")
	mu.Lock()
	equal(t, "called hooks", "before-user-created customize-access-token before-user-created", strings.Join(names, " "))
	mu.Unlock()
}
