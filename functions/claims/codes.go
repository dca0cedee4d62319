// Package claims sends the codes by which users prove that a business is theirs, and
// checks them.
//
// The database decides where a code is sent, how many codes are allowed and whether a code
// is correct: sql/functions/claim_codes.sql.
package claims

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"time"

	"github.com/jackc/pgx/v5/pgtype"

	"plaza/functions"
	"plaza/server/apierr"
	"plaza/server/auth/mailer"
	"plaza/server/auth/sms"
	"plaza/server/httpx"
	"plaza/server/pg"
	"plaza/server/project"
)

const (
	// maxBody is the largest request read, in bytes.
	maxBody = 1 << 10
	// withdrawTimeout bounds the deletion of a code that was not sent.
	withdrawTimeout = 5 * time.Second
)

const (
	makeCode     = `select code_id::text, code_method, code_to, code, business_name from private.make_claim_code($1, $2, $3)`
	withdrawCode = `select coalesce(private.withdraw_claim_code($1::uuid), false)`
	checkCode    = `select is_right, tries_left from private.check_claim_code($1, $2, $3)`
)

var (
	errSignedOut = apierr.New(http.StatusUnauthorized, "not_authenticated", "Not authenticated")
	errBadJSON   = apierr.New(http.StatusBadRequest, "bad_json", "Could not read the request's body as JSON")
	errNoClaim   = apierr.New(http.StatusNotFound, "claim_not_found", "You have no such claim that is still open")
	errNotSent   = apierr.New(http.StatusBadGateway, "code_not_sent_now", "The code could not be sent. Please try again in a moment.")
	errWrong     = apierr.New(http.StatusUnprocessableEntity, "wrong_code", "This is not the code")
)

// Codes sends and checks codes.
type Codes struct {
	db   *pg.DB
	mail mailer.Sender
	text sms.Sender // nil: text messages are off
	host string     // the site's host name, shown in messages
	log  *slog.Logger
}

// New returns the Codes of a site.
func New(p project.Parts) (*Codes, error) {
	site, err := url.Parse(p.SiteURL)
	if err != nil {
		return nil, fmt.Errorf("address of the site: %w", err)
	}
	return &Codes{db: p.DB, mail: p.Mail, text: p.Texts, host: site.Hostname(), log: p.Log}, nil
}

// request is the body of a call. A nil Code asks for a code to be sent.
type request struct {
	Claim string  `json:"claim"`
	Code  *string `json:"code"`
}

// Function is claim-code (ADMIN-CLAIM-11): {claim} sends a code to the business
// that the caller claims, {claim, code} checks it.
//
// Errors of both: claim_not_found, claim_verified. Of sending:
// business_has_owner, claim_no_code, claim_no_website, claim_shared_host,
// claim_other_domain, claim_no_phone, claim_texts_off, too_many_codes,
// too_many_codes_today, code_not_sent_now. Of checking: code_not_sent,
// code_expired, code_spent, wrong_code.
func (c *Codes) Function() functions.Func {
	return functions.Func{Name: "claim-code", Serve: func(w http.ResponseWriter, r *http.Request) error {
		var user, claim pgtype.UUID
		if user.Scan(functions.ClientsOf(r.Context()).Caller().Subject) != nil || !user.Valid {
			return errSignedOut
		}
		var q request
		if err := httpx.ReadJSON(w, r, maxBody, &q); errors.Is(err, httpx.ErrBadJSON) {
			return errBadJSON.WithCause(err)
		} else if err != nil {
			return err
		}
		if claim.Scan(q.Claim) != nil {
			return errNoClaim
		}
		var err error
		if q.Code == nil {
			err = c.send(r.Context(), claim, user)
		} else {
			err = c.check(r.Context(), claim, user, *q.Code)
		}
		if err != nil {
			return err
		}
		w.Header().Set("Cache-Control", "no-store")
		return httpx.WriteJSON(w, http.StatusOK, map[string]bool{"done": true})
	}}
}

// code is a generated code with its recipient.
type code struct{ id, method, to, digits, business string }

// send generates a code and sends it. The code is stored before it is sent, and withdrawn
// if it certainly did not arrive.
func (c *Codes) send(ctx context.Context, claim, user pgtype.UUID) error {
	var next code
	err := c.db.QueryRowAsService(ctx, pg.ServiceRole, makeCode, []any{claim, user, c.text != nil},
		&next.id, &next.method, &next.to, &next.digits, &next.business)
	if err != nil {
		return functions.TranslateError("make a code", err)
	}
	// The code is sent even if the client disconnects.
	ctx = context.WithoutCancel(ctx)
	err = c.deliver(ctx, next)
	if err == nil || errors.Is(err, mailer.ErrUncertain) {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, withdrawTimeout)
	defer cancel()
	var withdrawn bool
	if failed := c.db.QueryRowAsService(ctx, pg.ServiceRole, withdrawCode, []any{next.id}, &withdrawn); failed != nil {
		c.log.WarnContext(ctx, "code that was not sent could not be withdrawn", "error", failed)
	}
	c.log.WarnContext(ctx, "code of a claim not sent", "method", next.method, "error", err)
	return errNotSent.WithCause(err)
}

// deliver sends a code by mail or text message.
func (c *Codes) deliver(ctx context.Context, next code) error {
	ctx, cancel := context.WithTimeout(ctx, mailer.SendTimeout)
	defer cancel()
	if next.method == "phone_verification" {
		_, err := c.text.Send(ctx, c.textMessage(next))
		return err
	}
	message, err := c.mailMessage(next)
	if err != nil {
		return err
	}
	return c.mail.Send(ctx, message)
}

func (c *Codes) check(ctx context.Context, claim, user pgtype.UUID, digits string) error {
	var isRight bool
	var triesLeft int
	if err := c.db.QueryRowAsService(ctx, pg.ServiceRole, checkCode, []any{claim, user, digits}, &isRight, &triesLeft); err != nil {
		return functions.TranslateError("check a code", err)
	}
	if !isRight {
		return errWrong.WithHint("%d more tries", triesLeft)
	}
	return nil
}
