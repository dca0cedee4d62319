package external

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"plaza/server/auth/account"
	"plaza/server/auth/audit"
	"plaza/server/auth/autherr"
	"plaza/server/auth/mailer"
	"plaza/server/auth/message"
	"plaza/server/auth/provider"
	"plaza/server/auth/session"
	"plaza/server/auth/store"
	"plaza/server/auth/users"
)

// externalLogin is a user authenticated by a provider.
type externalLogin struct {
	profile       provider.Profile
	provider      string
	emailOptional bool
	linkTo        string // id of the signed-in user to link the identity to; empty: sign in
	invitation    string // secret of an invitation's link
	req           account.Request
	now           time.Time
	retried       bool // this is the second attempt
}

func (login externalLogin) traits() map[string]any { return audit.Provider(login.provider) }

// email returns the user's primary address in its stored form. The address is empty if
// there is no usable one.
func (login externalLogin) email() provider.Email {
	email := login.profile.Email()
	address, err := users.ParseEmail(email.Address)
	if err != nil {
		return provider.Email{}
	}
	email.Address = address
	return email
}

// verified returns the addresses that the provider has verified. An unverified address is
// not included even if the project requires no confirmations.
func (login externalLogin) verified() []string {
	found := []string{}
	for _, email := range login.profile.Emails {
		if address, err := users.ParseEmail(email.Address); err == nil && email.Verified {
			found = append(found, address)
		}
	}
	return found
}

// withAccount finds or creates the account of an external login and then runs fn, in one
// transaction. The transaction commits on a committedError, for example to keep a queued mail.
func (s *Identities) withAccount(ctx context.Context, login externalLogin, fn func(tx *store.Tx, userID string) error) error {
	var refused error
	run := func(tx *store.Tx) error {
		userID, err := s.accountFor(ctx, tx, login)
		if refused = nil; errors.As(err, new(committedError)) {
			refused = err
			return nil
		}
		if err != nil {
			return err
		}
		return fn(tx, userID)
	}
	err := s.db.InTx(ctx, run)
	if store.ViolatesUnique(err) || errors.Is(err, errConcurrentSignUp) {
		login.retried = true // a concurrent sign-in of the same user created the account: now it is found
		err = s.db.InTx(ctx, run)
	}
	if err != nil {
		return err
	}
	return refused
}

// errConcurrentSignUp means that the account was created by another transaction after this one had
// looked for it.
var errConcurrentSignUp = errors.New("account was created concurrently")

// committedError is an error after which the transaction commits.
type committedError struct{ error }

func (k committedError) Unwrap() error { return k.error }

func (s *Identities) accountFor(ctx context.Context, tx *store.Tx, login externalLogin) (string, error) {
	switch {
	case login.linkTo != "":
		return login.linkTo, s.linkToUser(ctx, tx, login)
	case login.invitation != "":
		return s.acceptInvitation(ctx, tx, login)
	}
	return s.signIn(ctx, tx, login)
}

// signIn finds the account of an identity: the account that has the identity, the account
// with an address that the provider has verified, or a new one.
func (s *Identities) signIn(ctx context.Context, tx *store.Tx, login externalLogin) (string, error) {
	identity, userID, err := findIdentity(ctx, tx, login)
	if err != nil {
		return "", err
	}
	if identity == "" {
		if userID, err = s.findOwner(ctx, tx, login); err != nil {
			return "", err
		}
	}
	var user *users.User
	if userID != "" {
		if user, err = users.Lock(ctx, tx, userID); err != nil {
			return "", err
		}
		if user.Banned(login.now) {
			return "", autherr.Forbidden(autherr.CodeUserBanned, "User is banned")
		}
	}
	switch {
	case identity != "":
		err = s.refreshIdentity(ctx, tx, login, user, identity)
	case user != nil:
		err = s.linkToOwner(ctx, tx, login, user)
	default:
		user, err = s.create(ctx, tx, login)
	}
	if err != nil {
		return "", err
	}
	return user.ID, s.requireConfirmed(ctx, tx, login, user)
}

func findIdentity(ctx context.Context, tx *store.Tx, login externalLogin) (identity, userID string, err error) {
	err = tx.QueryRow(ctx, identityByName, login.profile.Subject, login.provider).Scan(&identity, &userID)
	if errors.Is(err, pgx.ErrNoRows) {
		return "", "", nil
	}
	return identity, userID, err
}

// findOwner returns the id of the account that a new identity is linked to because of a
// verified address. It is empty if there is none.
func (s *Identities) findOwner(ctx context.Context, tx *store.Tx, login externalLogin) (string, error) {
	addresses := login.verified()
	if len(addresses) == 0 {
		return "", nil
	}
	names, others, inDefaultDomain := s.config.Experimental.LinkingDomains.LinkableProviders(login.provider)
	rows, err := tx.Query(ctx, accountsByAddress, addresses, names, others, inDefaultDomain, login.req.Audience)
	if err != nil {
		return "", err
	}
	owners, err := pgx.CollectRows(rows, pgx.RowTo[string])
	switch {
	case err != nil:
		return "", err
	case len(owners) > 1:
		return "", autherr.Internal("Multiple accounts with the same email address in the same linking domain detected")
	case len(owners) == 0:
		return "", nil
	}
	return owners[0], nil
}

// refreshIdentity stores the provider's current profile.
func (s *Identities) refreshIdentity(ctx context.Context, tx *store.Tx, login externalLogin, user *users.User, identity string) error {
	batch := &pgx.Batch{}
	batch.Queue(updateIdentity, identity, login.profile.Data(), login.now)
	batch.Queue(mergeProfile, user.ID, login.profile.Data(), login.now)
	account.RefreshProviders(batch, user.ID)
	return s.execMerge(ctx, tx, batch, user.ID)
}

// execMerge runs a batch that merges into an account's metadata, and checks its size.
func (s *Identities) execMerge(ctx context.Context, tx *store.Tx, batch *pgx.Batch, userID string) error {
	if err := tx.ExecBatch(ctx, batch); err != nil {
		return err
	}
	user, err := users.Load(ctx, tx, userID)
	if err != nil {
		return err
	}
	return user.CheckMetadata()
}

// linkToOwner links a new identity to an account. If the account's address is not confirmed,
// its password, sessions, factors and other identities are removed: an attacker may have
// created the account in advance to wait for the owner of the address.
func (s *Identities) linkToOwner(ctx context.Context, tx *store.Tx, login externalLogin, user *users.User) error {
	batch := &pgx.Batch{}
	identity := s.addIdentity(batch, login, user)
	if user.Confirmed(users.ByEmail) {
		batch.Queue(mergeProfile, user.ID, login.profile.Data(), login.now)
	} else {
		batch.Queue(resetAccount, user.ID, login.profile.Data(), login.now)
		s.sessions.EndAll(tx, batch, user.ID)
		for _, sql := range []string{dropFactors, dropPasskeys, message.ClearAllTokens} {
			batch.Queue(sql, user.ID)
		}
		batch.Queue(dropOtherIdentities, user.ID, identity)
	}
	account.RefreshProviders(batch, user.ID)
	if err := s.execMerge(ctx, tx, batch, user.ID); err != nil {
		return err
	}
	return s.messages.Notify(ctx, tx, s.config.Mailer.Notices.IdentityLinked && user.Confirmed(users.ByEmail), mailer.IdentityLinked, user, "", mailer.Data{Provider: login.provider}, login.req.Info)
}

// addIdentity queues the linking of the identity to a user and returns the identity's id.
func (s *Identities) addIdentity(batch *pgx.Batch, login externalLogin, user *users.User) string {
	id := store.NewID()
	batch.Queue(insertProviderIdentity, id, login.profile.Subject, user.ID, login.profile.Data(), login.provider, login.now)
	s.trail.Add(batch, login.req.Info, user, audit.IdentityLinked, map[string]any{"identity_id": id, "provider": login.provider, "provider_id": login.profile.Subject})
	return id
}

// create creates an account for a new user.
func (s *Identities) create(ctx context.Context, tx *store.Tx, login externalLogin) (*users.User, error) {
	if s.config.DisableSignup {
		return nil, account.ErrSignupDisabled
	}
	email := login.email()
	if email.Address != "" {
		taken, err := isTaken(ctx, tx, email.Address, login.req.Audience, session.NilUUID)
		if err != nil {
			return nil, err
		}
		_, _, inDefaultDomain := s.config.Experimental.LinkingDomains.LinkableProviders(login.provider)
		switch {
		case taken && inDefaultDomain && !login.retried && contains(login.verified(), email.Address):
			return nil, errConcurrentSignUp
		case taken && inDefaultDomain && !login.emailOptional:
			return nil, autherr.Unprocessable(autherr.CodeProviderEmail, "Unverified email with %[1]v. Verify the email with %[1]v in order to sign in", login.provider)
		case taken && inDefaultDomain:
			email.Address = ""
		}
	}
	user := &users.User{
		ID: store.NewID(), Aud: login.req.Audience, Role: s.config.JWT.Role, Email: email.Address, AppMetadata: account.AppMetadata(login.provider),
		UserMetadata: login.profile.Data(), Identities: []users.Identity{}, CreatedAt: login.now.UTC(), UpdatedAt: login.now.UTC(),
	}
	_, _, inDefaultDomain := s.config.Experimental.LinkingDomains.LinkableProviders(login.provider)
	return s.accounts.Insert(ctx, tx, user, login.req.Info, func(batch *pgx.Batch, user *users.User) {
		batch.Queue(insertProviderUser, user.ID, user.Aud, user.Role, user.Email, user.AppMetadata, user.UserMetadata, login.now, !inDefaultDomain)
		batch.Queue(insertProviderIdentity, store.NewID(), login.profile.Subject, user.ID, login.profile.Data(), login.provider, login.now)
	})
}

// isTaken reports whether an account other than except, a user's id, has an address.
func isTaken(ctx context.Context, tx *store.Tx, address, audience, except string) (taken bool, err error) {
	err = tx.QueryRow(ctx, addressTaken, address, audience, except).Scan(&taken)
	return taken, err
}

// requireConfirmed accepts a sign-in if the account's address is confirmed, or if the
// provider confirms it now. Otherwise it sends a confirmation mail, if there is an address, and
// refuses the sign-in unless the project allows unverified addresses.
func (s *Identities) requireConfirmed(ctx context.Context, tx *store.Tx, login externalLogin, user *users.User) error {
	batch := &pgx.Batch{}
	switch {
	case user.Confirmed(users.ByEmail), user.Email == "" && login.emailOptional:
		s.trail.Add(batch, login.req.Info, user, audit.Login, login.traits())
		return tx.ExecBatch(ctx, batch)
	case user.Email != "" && (contains(login.verified(), user.Email) || s.config.Mailer.Autoconfirm):
		s.trail.Add(batch, login.req.Info, user, audit.SignedUp, login.traits())
		account.ConfirmEmail(batch, user.ID, login.now)
		batch.Queue(message.ClearAllTokens, user.ID)
		return tx.ExecBatch(ctx, batch)
	}
	refused := autherr.Unprocessable(autherr.CodeProviderEmail, "Unverified email with %[1]v. Verify the email with %[1]v in order to sign in", login.provider)
	if user.Email != "" {
		if err := s.mailConfirmation(ctx, tx, login, user); err != nil {
			return err
		}
		refused = autherr.Unprocessable(autherr.CodeProviderEmail, "Unverified email with %[1]v. A confirmation email has been sent to your %[1]v email", login.provider)
	}
	if s.config.Mailer.AllowUnverified {
		s.trail.Add(batch, login.req.Info, user, audit.Login, login.traits())
		return tx.ExecBatch(ctx, batch)
	}
	return committedError{refused}
}

func contains(addresses []string, address string) bool {
	for _, one := range addresses {
		if strings.EqualFold(one, address) {
			return true
		}
	}
	return false
}

// mailConfirmation sends a confirmation mail, within the project's rate limit.
func (s *Identities) mailConfirmation(ctx context.Context, tx *store.Tx, login externalLogin, user *users.User) error {
	if err := s.limits.SpendMailIn(ctx, tx); err != nil {
		return err
	}
	return s.messages.RequestConfirmation(ctx, tx, user, login.mailRequest())
}

func (login externalLogin) mailRequest() message.Request {
	return message.Request{Redirect: login.req.Redirect, Info: login.req.Info, Now: login.now}
}
