package account

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"plaza/server/auth/audit"
	"plaza/server/auth/message"
	"plaza/server/auth/users"
)

// checkAvailable refuses contacts of accounts other than except, a user's id or "".
//
// Errors: 422 email_exists, phone_exists.
func (s *core) checkAvailable(ctx context.Context, contacts []users.Contact, audience, except string) error {
	for _, c := range contacts {
		other, err := users.Find(ctx, s.db, c, audience)
		switch {
		case err != nil:
			return err
		case other == nil || other.ID == except:
		case c.Kind == users.ByEmail:
			return errEmailExists
		default:
			return errPhoneExists
		}
	}
	return nil
}

// parseContacts normalizes an address and a number to their stored form. Each may be empty.
//
// Errors: 400 validation_failed.
func parseContacts(email, phone *string) (err error) {
	if *email != "" {
		if *email, err = users.ParseEmail(*email); err != nil {
			return err
		}
	}
	if *phone != "" {
		*phone, err = users.ParsePhone(*phone)
	}
	return err
}

// contactsOf returns the address and the number as contacts. An empty one is left out.
func contactsOf(email, phone string) []users.Contact {
	var all []users.Contact
	if email != "" {
		all = append(all, users.Contact{Kind: users.ByEmail, Value: email})
	}
	if phone != "" {
		all = append(all, users.Contact{Kind: users.ByPhone, Value: phone})
	}
	return all
}

// confirm queues the confirmation of a contact of the user.
func (s *core) confirm(batch *pgx.Batch, user *users.User, kind string, info users.RequestInfo) {
	s.trail.Add(batch, info, user, audit.SignedUp, audit.Provider(kind))
	queueConfirmed(batch, user.ID, kind, s.now())
	batch.Queue(message.ClearAllTokens, user.ID)
}

func queueConfirmed(batch *pgx.Batch, id, kind string, now time.Time) {
	if kind == users.ByPhone {
		batch.Queue(confirmPhone, id, now)
		batch.Queue(confirmPhoneIdentity, id, now)
		return
	}
	ConfirmEmail(batch, id, now)
	batch.Queue(confirmIdentity, id, now)
}

// ConfirmEmail queues the confirmation of the account's email address.
func ConfirmEmail(batch *pgx.Batch, id string, now time.Time) { batch.Queue(confirmUser, id, now) }

// RefreshProviders queues the update of the account's providers in its app metadata.
func RefreshProviders(batch *pgx.Batch, id string) { batch.Queue(refreshProviders, id) }

// changeEmail queues the replacement of the user's address by the pending one.
func (s *core) changeEmail(batch *pgx.Batch, user *users.User, info users.RequestInfo) {
	s.trail.Add(batch, info, user, audit.Modified, nil)
	batch.Queue(changeIdentity, user.ID, user.NewEmail, s.now())
	batch.Queue(finishChange, user.ID, s.now())
	batch.Queue(message.ClearAllTokens, user.ID)
}

// changePhone queues the change of the user's phone number.
func (s *core) changePhone(batch *pgx.Batch, user *users.User, phone string, now time.Time) {
	batch.Queue(changePhoneIdentity, user.ID, phone, now)
	batch.Queue(finishPhoneChange, user.ID, phone, now)
	batch.Queue(message.ClearAllTokens, user.ID) // a code may have been sent to the old number
}
