package external

import (
	"context"
	"errors"
	"strings"

	"github.com/jackc/pgx/v5"

	"plaza/server/auth/account"
	"plaza/server/auth/audit"
	"plaza/server/auth/autherr"
	"plaza/server/auth/mailer"
	"plaza/server/auth/message"
	"plaza/server/auth/store"
	"plaza/server/auth/users"
)

// linkToUser links an identity to the signed-in user. A user without an address gets the
// identity's address, which also makes an anonymous user a permanent one.
func (s *Identities) linkToUser(ctx context.Context, tx *store.Tx, login externalLogin) error {
	user, err := users.Lock(ctx, tx, login.linkTo)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return autherr.Unprocessable(autherr.CodeUserNotFound, "Linking target user not found")
	case err != nil:
		return err
	case user.Banned(login.now):
		return autherr.Forbidden(autherr.CodeUserBanned, "User is banned")
	}
	identity, owner, err := findIdentity(ctx, tx, login)
	switch {
	case err != nil:
		return err
	case identity != "" && owner == user.ID:
		return autherr.Unprocessable(autherr.CodeIdentityExists, "Identity is already linked")
	case identity != "":
		return autherr.Unprocessable(autherr.CodeIdentityExists, "Identity is already linked to another user")
	}
	batch := &pgx.Batch{}
	s.addIdentity(batch, login, user)
	account.RefreshProviders(batch, user.ID)
	if err := tx.ExecBatch(ctx, batch); err != nil {
		return err
	}
	if user.Email == "" && login.email().Address != "" {
		return s.adoptAddress(ctx, tx, login, user)
	}
	return s.messages.Notify(ctx, tx, s.config.Mailer.Notices.IdentityLinked && user.Confirmed(users.ByEmail), mailer.IdentityLinked, user, "", mailer.Data{Provider: login.provider}, login.req.Info)
}

// adoptAddress sets the address of a user without one to the address of a new identity.
func (s *Identities) adoptAddress(ctx context.Context, tx *store.Tx, login externalLogin, user *users.User) error {
	email := login.email()
	taken, err := isTaken(ctx, tx, email.Address, user.Aud, user.ID)
	if err != nil {
		return err
	}
	if taken {
		return autherr.BadRequest(autherr.CodeEmailExists, "A user with this email address has already been registered")
	}
	if !email.Verified {
		// An unverified address may belong to someone else. It must be confirmed like a
		// change of address.
		if err := s.limits.SpendMailIn(ctx, tx); err != nil {
			return err
		}
		if err := s.messages.RequestChange(ctx, tx, user, email.Address, login.mailRequest()); err != nil {
			return err
		}
		return committedError{autherr.Unprocessable(autherr.CodeNotConfirmed, "Unverified email with %[1]v. A confirmation email has been sent to your %[1]v email", login.provider)}
	}
	batch := &pgx.Batch{}
	batch.Queue(setAddress, user.ID, email.Address, login.now)
	account.ConfirmEmail(batch, user.ID, login.now)
	batch.Queue(message.ClearToken, user.ID, message.TokenConfirmation)
	return tx.ExecBatch(ctx, batch)
}

var errNoInvitation = autherr.NotFound(autherr.CodeUserNotFound, "User identified by token not found")

// acceptInvitation accepts an invitation with an identity instead of a password. Knowing the
// mailed secret confirms the address.
func (s *Identities) acceptInvitation(ctx context.Context, tx *store.Tx, login externalLogin) (string, error) {
	found, err := s.messages.FindLink(ctx, tx, login.invitation, []string{message.TokenConfirmation})
	if errors.Is(err, message.ErrInvalidLink) {
		return "", autherr.NotFound(autherr.CodeInviteNotFound, "Invite not found")
	}
	if err != nil {
		return "", err
	}
	user, err := users.Lock(ctx, tx, found.UserID)
	switch {
	case err != nil:
		return "", err
	case user.InvitedAt == nil:
		return "", autherr.NotFound(autherr.CodeInviteNotFound, "Invite not found")
	case user.Banned(login.now):
		return "", autherr.Forbidden(autherr.CodeUserBanned, "User is banned")
	case !login.hasEmail(user.Email):
		return "", autherr.BadRequest(autherr.CodeValidation, "Invited email does not match emails from external provider")
	}
	if identity, _, err := findIdentity(ctx, tx, login); err != nil || identity != "" {
		return "", errors.Join(err, autherr.Unprocessable(autherr.CodeIdentityExists, "Identity is already linked to another user"))
	}
	batch := &pgx.Batch{}
	s.trail.Add(batch, login.req.Info, user, audit.InviteAccepted, login.traits())
	if err := tx.ExecBatch(ctx, batch); err != nil {
		return "", err
	}
	if err := s.linkToOwner(ctx, tx, login, user); err != nil {
		return "", err
	}
	batch = &pgx.Batch{}
	account.ConfirmEmail(batch, user.ID, login.now)
	batch.Queue(message.ClearAllTokens, user.ID)
	return user.ID, tx.ExecBatch(ctx, batch)
}

// hasEmail reports whether the provider lists an address of the user.
func (login externalLogin) hasEmail(address string) bool {
	for _, email := range login.profile.Emails {
		if address != "" && strings.EqualFold(email.Address, address) {
			return true
		}
	}
	return false
}
