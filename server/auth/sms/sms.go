// Package sms sends the auth server's text messages.
package sms

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"plaza/server/secret"
	"plaza/server/tracing"
)

// Channels of a message.
const (
	Text     = "sms"
	WhatsApp = "whatsapp"
)

// Message is a text for a phone.
type Message struct {
	To      string // E.164 without the plus sign
	Text    string
	Channel string // Text or WhatsApp
	Code    string // the one-time code in the text
}

// Sender sends a message and returns the provider's id for it.
type Sender interface {
	Send(ctx context.Context, m Message) (id string, err error)
}

// SenderFunc is a function that implements Sender.
type SenderFunc func(ctx context.Context, m Message) (string, error)

// Send calls the function.
func (f SenderFunc) Send(ctx context.Context, m Message) (string, error) { return f(ctx, m) }

// Twilio sends through Twilio's Programmable Messaging.
type Twilio struct {
	URL        string // of the API, https://api.twilio.com
	AccountSID string
	AuthToken  secret.Text
	From       string // a messaging service's SID or a number
	ContentSID string // a WhatsApp template; its first variable is the code
}

// Limits of a request.
const (
	twilioTimeout = 10 * time.Second
	maxResponse   = 64 << 10
)

// Send sends a message. Errors: Twilio's error, with the phone number removed.
func (t Twilio) Send(ctx context.Context, m Message) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, twilioTimeout)
	defer cancel()
	address := strings.TrimSuffix(t.URL, "/") + "/2010-04-01/Accounts/" + url.PathEscape(t.AccountSID) + "/Messages.json"
	form, err := t.form(m)
	if err != nil {
		return "", err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, address, strings.NewReader(form.Encode()))
	if err != nil {
		return "", err
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	request.SetBasicAuth(t.AccountSID, t.AuthToken.Reveal())
	response, err := tracing.Client().Do(request)
	if err != nil {
		return "", fmt.Errorf("reach Twilio: %w", err)
	}
	defer func() { _ = response.Body.Close() }()
	var result struct {
		SID     string `json:"sid"`
		Code    int    `json:"code"`
		Message string `json:"message"`
	}
	err = json.NewDecoder(io.LimitReader(response.Body, maxResponse)).Decode(&result)
	switch {
	case response.StatusCode >= http.StatusMultipleChoices:
		return "", fmt.Errorf("Twilio returned status %d: %s (error %d)", response.StatusCode, strings.ReplaceAll(result.Message, m.To, "…"), result.Code)
	case err != nil:
		return "", fmt.Errorf("decode Twilio's response: %w", err)
	case result.SID == "":
		return "", errors.New("no message id in Twilio's response")
	}
	return result.SID, nil
}

func (t Twilio) form(m Message) (url.Values, error) {
	to, from := "+"+m.To, t.From
	form := url.Values{"Body": {m.Text}}
	if m.Channel == WhatsApp {
		to = "whatsapp:" + to
		if !strings.HasPrefix(from, "MG") {
			from = "whatsapp:" + from
		}
		if t.ContentSID != "" {
			variables, err := json.Marshal(map[string]string{"1": m.Code})
			if err != nil {
				return nil, err
			}
			form = url.Values{"ContentSid": {t.ContentSID}, "ContentVariables": {string(variables)}}
		}
	}
	form.Set("To", to)
	if strings.HasPrefix(from, "MG") { // a messaging service
		form.Set("MessagingServiceSid", from)
	} else {
		form.Set("From", from)
	}
	return form, nil
}
