package sms_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"plaza/server/auth/sms"
)

func TestTwilio(t *testing.T) {
	t.Parallel()
	message := sms.Message{To: "34600111222", Text: "Your code is 123456", Code: "123456", Channel: sms.Text}
	whatsapp := message
	whatsapp.Channel = sms.WhatsApp
	for name, tt := range map[string]struct {
		account sms.Twilio
		message sms.Message
		want    url.Values
	}{
		"a number":  {sms.Twilio{From: "+34900000000"}, message, url.Values{"To": {"+34600111222"}, "From": {"+34900000000"}, "Body": {"Your code is 123456"}}},
		"a service": {sms.Twilio{From: "MG123"}, message, url.Values{"To": {"+34600111222"}, "MessagingServiceSid": {"MG123"}, "Body": {"Your code is 123456"}}},
		"WhatsApp": {sms.Twilio{From: "+34900000000"}, whatsapp,
			url.Values{"To": {"whatsapp:+34600111222"}, "From": {"whatsapp:+34900000000"}, "Body": {"Your code is 123456"}}},
		"WhatsApp with a template": {sms.Twilio{From: "MG123", ContentSID: "HX1"}, whatsapp,
			url.Values{"To": {"whatsapp:+34600111222"}, "MessagingServiceSid": {"MG123"}, "ContentSid": {"HX1"}, "ContentVariables": {`{"1":"123456"}`}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				user, pass, _ := r.BasicAuth()
				if err := r.ParseForm(); err != nil || r.PostForm.Encode() != tt.want.Encode() {
					t.Errorf("form %v, want %v", r.PostForm, tt.want)
				}
				if user != "AC1" || pass != "token" || r.URL.Path != "/2010-04-01/Accounts/AC1/Messages.json" {
					t.Errorf("%s of %s", r.URL.Path, user)
				}
				w.WriteHeader(http.StatusCreated)
				_ = json.NewEncoder(w).Encode(map[string]string{"sid": "SM1"})
			}))
			t.Cleanup(service.Close)
			account := tt.account
			account.URL, account.AccountSID, account.AuthToken = service.URL+"/", "AC1", "token"
			if id, err := account.Send(t.Context(), tt.message); err != nil || id != "SM1" {
				t.Errorf("%q, %v", id, err)
			}
		})
	}
}

func TestTwilioRefuses(t *testing.T) {
	t.Parallel()
	for name, handler := range map[string]http.HandlerFunc{
		"an error": func(w http.ResponseWriter, _ *http.Request) {
			http.Error(w, `{"code":21211,"message":"The 'To' number 34600111222 is not valid"}`, 400)
		},
		"no JSON":       func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("hello")) },
		"no message":    func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("{}")) },
		"a broken line": func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			service := httptest.NewServer(handler)
			t.Cleanup(service.Close)
			_, err := sms.Twilio{URL: service.URL, AccountSID: "AC1", AuthToken: "token-of-twilio", From: "+1"}.Send(t.Context(), sms.Message{To: "34600111222"})
			if err == nil || strings.Contains(err.Error(), "34600111222") || strings.Contains(err.Error(), "token-of-twilio") {
				t.Errorf("%v", err)
			}
		})
	}
}
