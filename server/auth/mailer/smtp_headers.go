package mailer

import (
	"encoding/json"
	"fmt"
	"net/textproto"
	"strings"

	"golang.org/x/net/http/httpguts"
)

// Headers are additional headers of each mail, by name. $messageType in a value is replaced by
// the kind of the mail. Source: GOTRUE_SMTP_HEADERS of supabase/auth.
type Headers map[string][]string

// standardHeaders are the headers that every mail already has.
var standardHeaders = map[string]bool{
	"From": true, "To": true, "Cc": true, "Bcc": true, "Subject": true, "Date": true, "Message-Id": true, "Mime-Version": true,
	"Content-Type": true, "Content-Transfer-Encoding": true,
}

// UnmarshalText reads {"X-Name": ["value", …]}.
func (h *Headers) UnmarshalText(text []byte) error {
	*h = nil
	if len(text) == 0 {
		return nil
	}
	headers := map[string][]string{}
	if err := json.Unmarshal(text, &headers); err != nil {
		return fmt.Errorf(`use JSON such as {"X-Name": ["value"]}: %w`, err)
	}
	for name, values := range headers {
		if !httpguts.ValidHeaderFieldName(name) || standardHeaders[textproto.CanonicalMIMEHeaderKey(name)] {
			return fmt.Errorf("%q is invalid or a header that every mail already has", name)
		}
		for _, value := range values {
			if value != oneLine(value) {
				return fmt.Errorf("the value of %s must be one line of at most %d characters", name, maxSubject)
			}
		}
	}
	*h = headers
	return nil
}

// forKind returns the headers of a mail of a kind.
func (h Headers) forKind(kind Kind) Headers {
	if kind == Reauthentication {
		kind = "reauthenticate" // as upstream
	}
	filled := make(Headers, len(h))
	for name, values := range h {
		for _, value := range values {
			filled[name] = append(filled[name], strings.ReplaceAll(value, "$messageType", string(kind)))
		}
	}
	return filled
}
