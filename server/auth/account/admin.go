package account

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"plaza/server/auth/audit"
	"plaza/server/auth/autherr"
	"plaza/server/auth/message"
	"plaza/server/auth/password"
	"plaza/server/auth/session"
	"plaza/server/auth/store"
	"plaza/server/auth/token"
	"plaza/server/auth/users"
	"plaza/server/pg"
)

// AdminChanges are the fields with which an admin creates or updates an account.
type AdminChanges struct {
	ID           string                     `json:"id"`
	Aud          string                     `json:"aud"`
	Role         string                     `json:"role"`
	Email        string                     `json:"email"`
	Phone        string                     `json:"phone"`
	Password     *string                    `json:"password"`
	PasswordHash string                     `json:"password_hash"`
	EmailConfirm bool                       `json:"email_confirm"`
	PhoneConfirm bool                       `json:"phone_confirm"`
	UserMetadata map[string]json.RawMessage `json:"user_metadata"`
	AppMetadata  map[string]json.RawMessage `json:"app_metadata"`
	BanDuration  string                     `json:"ban_duration"`

	ban *time.Duration // 0 ends a ban
}

// check validates the fields and normalizes them to their stored form.
func (c *AdminChanges) check() error {
	if err := parseContacts(&c.Email, &c.Phone); err != nil {
		return err
	}
	if c.BanDuration == "" {
		return nil
	}
	var length time.Duration
	if c.BanDuration != "none" {
		var err error
		if length, err = time.ParseDuration(c.BanDuration); err != nil {
			return autherr.BadRequest(autherr.CodeValidation, "invalid format for ban duration: %v", err)
		}
	}
	c.ban = &length
	return nil
}

func (c *AdminChanges) contacts() []users.Contact { return contactsOf(c.Email, c.Phone) }

func (c *AdminChanges) confirms(kind string) bool {
	return kind == users.ByEmail && c.EmailConfirm || kind == users.ByPhone && c.PhoneConfirm
}

// queueCommon queues confirmations and a ban, which are the same for new and existing accounts.
func (c *AdminChanges) queueCommon(batch *pgx.Batch, id string, now time.Time) {
	for _, kind := range []string{users.ByEmail, users.ByPhone} {
		if c.confirms(kind) {
			queueConfirmed(batch, id, kind, now)
		}
	}
	if c.ban != nil {
		var until *time.Time
		if *c.ban > 0 {
			end := now.Add(*c.ban)
			until = &end
		}
		batch.Queue(banUser, id, until, now)
	}
}

// Create creates an account for an admin.
//
// Errors: 400 validation_failed; 422 email_exists, phone_exists, metadata_too_large.
func (s *Admin) Create(ctx context.Context, params AdminChanges, r Request, actor *users.User) (*users.User, error) {
	if params.Email == "" && params.Phone == "" {
		return nil, autherr.BadRequest(autherr.CodeValidation, "Cannot create a user without either an email or phone")
	}
	if err := params.check(); err != nil {
		return nil, err
	}
	if params.Aud == "" {
		params.Aud = r.Audience
	}
	switch {
	case params.ID != "" && !store.IsUUID(params.ID):
		return nil, autherr.BadRequest(autherr.CodeValidation, "ID must conform to the uuid v4 format")
	case params.ID == session.NilUUID:
		return nil, autherr.BadRequest(autherr.CodeValidation, "ID cannot be a nil uuid")
	case params.ID == "":
		params.ID = store.NewID()
	}
	if err := s.checkAvailable(ctx, params.contacts(), params.Aud, ""); err != nil {
		return nil, err
	}
	hash, err := s.hashPassword(ctx, params)
	if err != nil {
		return nil, err
	}
	user, err := s.create(ctx, params, hash, r.Info, actor)
	return user, params.translateConflict(err, "Database error creating new user")
}

// translateConflict translates a database error into one that an admin sees.
func (c *AdminChanges) translateConflict(err error, message string) error {
	switch {
	case store.ViolatesUnique(err) && c.Email != "":
		return errEmailExists.WithCause(err)
	case store.ViolatesUnique(err) && c.Phone != "":
		return errPhoneExists.WithCause(err)
	}
	return wrapSaveError(err, message)
}

// hashPassword returns the hash of the password that the admin set, or of a random one.
func (s *Admin) hashPassword(ctx context.Context, params AdminChanges) (string, error) {
	hasPassword := params.Password != nil && *params.Password != ""
	switch {
	case params.Password != nil && params.PasswordHash != "":
		return "", autherr.BadRequest(autherr.CodeValidation, "Only a password or a password hash should be provided")
	case params.PasswordHash != "":
		if err := password.CheckSupported(params.PasswordHash); err != nil {
			return "", autherr.BadRequest(autherr.CodeValidation, "password_hash: %v", err)
		}
		return params.PasswordHash, nil
	case hasPassword && len(*params.Password) > password.MaxLength:
		return "", autherr.BadRequest(autherr.CodeValidation, "Password cannot be longer than %d characters", password.MaxLength)
	case hasPassword:
		return s.Hasher.Hash(ctx, *params.Password)
	}
	return s.Hasher.Hash(ctx, token.Link())
}

func (s *Admin) create(ctx context.Context, params AdminChanges, hash string, info users.RequestInfo, actor *users.User) (*users.User, error) {
	now, role, kinds := s.now().Truncate(time.Microsecond), params.Role, []string{}
	if role == "" {
		role = s.config.JWT.Role
	}
	for _, c := range params.contacts() {
		kinds = append(kinds, c.Kind)
	}
	app, err := json.Marshal(map[string]any{"provider": kinds[0], "providers": kinds})
	if err != nil {
		return nil, err
	}
	data, err := json.Marshal(params.UserMetadata)
	if err != nil || params.UserMetadata == nil {
		data = []byte(`{}`)
	}
	var user *users.User
	err = s.db.InTx(ctx, func(tx *store.Tx) error {
		batch := &pgx.Batch{}
		batch.Queue(insertUser, params.ID, params.Aud, role, pg.OrNull(params.Email), pg.OrNull(params.Phone), hash, app, data, now, false)
		for _, c := range params.contacts() {
			batch.Queue(insertIdentity, []byte(`{}`), params.ID, c.Email(), c.Phone(), c.Kind, now)
		}
		if err := mergeMetadata(batch, params.ID, nil, params.AppMetadata, now); err != nil {
			return err
		}
		params.queueCommon(batch, params.ID, now)
		traits := audit.Target(&users.User{ID: params.ID, Email: params.Email, Phone: params.Phone})
		traits["provider"] = kinds[0]
		s.trail.Add(batch, info, actor, audit.SignedUp, traits)
		if err := tx.ExecBatch(ctx, batch); err != nil {
			return err
		}
		user, err = loadAndCheck(ctx, tx, params.ID)
		return err
	})
	return user, err
}

// Update changes an account for an admin.
//
// Errors: 400 validation_failed; 422 email_exists, phone_exists, weak_password,
// metadata_too_large.
func (s *Admin) Update(ctx context.Context, user *users.User, params AdminChanges, info users.RequestInfo, actor *users.User) (*users.User, error) {
	if err := params.check(); err != nil {
		return nil, err
	}
	if err := s.checkAvailable(ctx, params.contacts(), user.Aud, user.ID); err != nil {
		return nil, err
	}
	var hash string
	if params.Password != nil {
		var err error
		if err = s.checkPassword(ctx, *params.Password); err != nil {
			return nil, err
		}
		if hash, err = s.Hasher.Hash(ctx, *params.Password); err != nil {
			return nil, err
		}
	}
	updated, err := s.update(ctx, user, params, hash, info, actor)
	return updated, params.translateConflict(err, "Error updating user")
}

func (s *Admin) update(ctx context.Context, user *users.User, params AdminChanges, hash string, info users.RequestInfo, actor *users.User) (updated *users.User, err error) {
	now := s.now().Truncate(time.Microsecond)
	err = s.db.InTx(ctx, func(tx *store.Tx) error {
		s.sessions.RefreshEndedOnCommit(tx, user.ID) // a ban ends the user's sessions, too
		batch := &pgx.Batch{}
		if params.Role != "" {
			batch.Queue(setRole, user.ID, params.Role, now)
		}
		for _, c := range params.contacts() {
			if c.Kind == users.ByEmail {
				batch.Queue(setEmail, user.ID, c.Value, now)
			} else {
				batch.Queue(setPhone, user.ID, c.Value, now)
			}
			batch.Queue(setIdentity, user.ID, c.Kind, c.Value, params.confirms(c.Kind), now)
		}
		if hash != "" {
			batch.Queue(setPassword, user.ID, hash, now)
			s.sessions.EndAll(tx, batch, user.ID)
		}
		if hash != "" || len(params.contacts()) > 0 {
			batch.Queue(message.ClearAllTokens, user.ID) // they were issued for the old password or address
		}
		if err := mergeMetadata(batch, user.ID, params.UserMetadata, params.AppMetadata, now); err != nil {
			return err
		}
		params.queueCommon(batch, user.ID, now)
		if len(params.contacts()) > 0 {
			RefreshProviders(batch, user.ID)
			if slices.ContainsFunc(params.contacts(), func(c users.Contact) bool { return params.confirms(c.Kind) }) {
				batch.Queue(notAnonymous, user.ID)
			}
		}
		s.trail.Add(batch, info, actor, audit.Modified, audit.Target(user))
		if err := tx.ExecBatch(ctx, batch); err != nil {
			return err
		}
		updated, err = users.Load(ctx, tx, user.ID)
		if err == nil && (params.AppMetadata != nil || params.UserMetadata != nil) {
			err = updated.CheckMetadata()
		}
		return err
	})
	return updated, err
}

// List returns a page of the users of an audience whose address or name contains
// filter, and the total number of matches.
func (s *Admin) List(ctx context.Context, audience, filter string, oldestFirst bool, limit, offset int64) (found []*users.User, total int64, err error) {
	filter = store.EscapeLike(filter)
	err = s.db.InTx(ctx, func(tx *store.Tx) error {
		rows, err := tx.Query(ctx, usersPage, audience, filter, oldestFirst, limit, offset)
		if err != nil {
			return err
		}
		found, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (*users.User, error) {
			u := &users.User{}
			err := row.Scan(append([]any{&total}, u.ScanTargets()...)...)
			u.Normalize()
			return u, err
		})
		if err == nil && len(found) == 0 && offset > 0 {
			err = tx.QueryRow(ctx, countUsers, audience, filter).Scan(&total)
		}
		return err
	})
	return found, total, err
}
