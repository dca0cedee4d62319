package auth

import (
	"context"
	"encoding/json"
	"net/http"
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
	"plaza/server/claims"
	"plaza/server/httpx"
)

// actor is who acts with an admin's token, as the audit trail names them.
func (s *Server) actor(r *http.Request) *users.User {
	who, _, err := s.deps.Auth.Bearer(r)
	if err != nil {
		who = claims.Caller{}
	}
	id := who.Subject
	if id == "" {
		id = session.NilUUID
	}
	return &users.User{ID: id, Role: who.Role, Email: who.Role}
}

// auditOf are the traits of what was done to an account.
func auditOf(user *users.User) map[string]any {
	return map[string]any{"user_id": user.ID, "user_email": user.Email, "user_phone": user.Phone}
}

var ()

// adminGetUser answers GET /admin/users/{id}.
func (s *Server) adminGetUser(w http.ResponseWriter, r *http.Request) error {
	user, err := s.target(r)
	if err != nil {
		return err
	}
	return httpx.WriteJSON(w, http.StatusOK, user)
}

// userChanges are the fields by which an admin makes or changes an account.
type userChanges struct {
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

// check brings the fields into the form in which they are stored.
func (c *userChanges) check() error {
	var err error
	if c.Email != "" {
		if c.Email, err = users.ParseEmail(c.Email); err != nil {
			return err
		}
	}
	if c.Phone != "" {
		if c.Phone, err = users.ParsePhone(c.Phone); err != nil {
			return err
		}
	}
	if c.BanDuration != "" {
		var length time.Duration
		if c.BanDuration != "none" {
			if length, err = time.ParseDuration(c.BanDuration); err != nil {
				return autherr.BadRequest(autherr.CodeValidation, "invalid format for ban duration: %v", err)
			}
		}
		c.ban = &length
	}
	return nil
}

func (c *userChanges) contacts() []users.Contact {
	var all []users.Contact
	if c.Email != "" {
		all = append(all, users.Contact{Kind: users.ByEmail, Value: c.Email})
	}
	if c.Phone != "" {
		all = append(all, users.Contact{Kind: users.ByPhone, Value: c.Phone})
	}
	return all
}

func (c *userChanges) confirms(kind string) bool {
	return kind == users.ByEmail && c.EmailConfirm || kind == users.ByPhone && c.PhoneConfirm
}

// free refuses contacts that another account has.
func (s *Server) free(ctx context.Context, contacts []users.Contact, audience, except string) error {
	for _, c := range contacts {
		taken, err := users.Find(ctx, s.store, c, audience)
		switch {
		case err != nil:
			return err
		case taken == nil || taken.ID == except:
		case c.Kind == users.ByEmail:
			return errEmailExists
		default:
			return errPhoneExists
		}
	}
	return nil
}

// adminCreateUser answers POST /admin/users.
func (s *Server) adminCreateUser(w http.ResponseWriter, r *http.Request) error {
	var asked userChanges
	if err := read(w, r, &asked); err != nil {
		return err
	}
	if asked.Email == "" && asked.Phone == "" {
		return autherr.BadRequest(autherr.CodeValidation, "Cannot create a user without either an email or phone")
	}
	if err := asked.check(); err != nil {
		return err
	}
	if asked.Aud == "" {
		asked.Aud = s.audience(r)
	}
	switch {
	case asked.ID != "" && !store.IsUUID(asked.ID):
		return autherr.BadRequest(autherr.CodeValidation, "ID must conform to the uuid v4 format")
	case asked.ID == session.NilUUID:
		return autherr.BadRequest(autherr.CodeValidation, "ID cannot be a nil uuid")
	case asked.ID == "":
		asked.ID = store.NewID()
	}
	if err := s.free(r.Context(), asked.contacts(), asked.Aud, ""); err != nil {
		return err
	}
	hash, err := s.givenHash(r.Context(), asked)
	if err != nil {
		return err
	}
	user, err := s.createUser(r, asked, hash)
	switch {
	case store.ViolatesUnique(err) && asked.Email != "":
		return errEmailExists.WithCause(err)
	case store.ViolatesUnique(err):
		return errPhoneExists.WithCause(err)
	case err != nil:
		return savingFailed(err, "Database error creating new user")
	}
	return httpx.WriteJSON(w, http.StatusOK, user)
}

// givenHash is the hash of the password an admin gives, or of one nobody knows.
func (s *Server) givenHash(ctx context.Context, asked userChanges) (string, error) {
	given := asked.Password != nil && *asked.Password != ""
	switch {
	case asked.Password != nil && asked.PasswordHash != "":
		return "", autherr.BadRequest(autherr.CodeValidation, "Only a password or a password hash should be provided")
	case asked.PasswordHash != "":
		if err := password.Supported(asked.PasswordHash); err != nil {
			return "", autherr.BadRequest(autherr.CodeValidation, "password_hash: %v", err)
		}
		return asked.PasswordHash, nil
	case given && len(*asked.Password) > password.MaxLength:
		return "", autherr.BadRequest(autherr.CodeValidation, "Password cannot be longer than %d characters", password.MaxLength)
	case given:
		return s.hasher.Hash(ctx, *asked.Password)
	}
	return s.hasher.Hash(ctx, token.Link())
}

func (s *Server) createUser(r *http.Request, asked userChanges, hash string) (*users.User, error) {
	ctx, who, now := r.Context(), s.visitor(r), s.now().Truncate(time.Microsecond)
	role, kinds := asked.Role, []string{}
	if role == "" {
		role = s.config.JWT.Role
	}
	for _, c := range asked.contacts() {
		kinds = append(kinds, c.Kind)
	}
	app, err := json.Marshal(map[string]any{"provider": kinds[0], "providers": kinds})
	if err != nil {
		return nil, err
	}
	data, err := json.Marshal(asked.UserMetadata)
	if err != nil || asked.UserMetadata == nil {
		data = []byte(`{}`)
	}
	var user *users.User
	err = s.store.InTx(ctx, func(tx *store.Tx) error {
		batch := &pgx.Batch{}
		batch.Queue(insertUser, asked.ID, asked.Aud, role, orNone(asked.Email), orNone(asked.Phone), hash, app, data, now, false)
		for _, c := range asked.contacts() {
			batch.Queue(insertIdentity, []byte(`{}`), asked.ID, c.Email(), c.Phone(), c.Kind, now)
		}
		if asked.AppMetadata != nil {
			if err := mergeInto(batch, mergeAppData, asked.ID, asked.AppMetadata, now); err != nil {
				return err
			}
		}
		s.settle(batch, asked.ID, &asked, now)
		traits := auditOf(&users.User{ID: asked.ID, Email: asked.Email, Phone: asked.Phone})
		traits["provider"] = kinds[0]
		s.trail.Add(batch, who, s.actor(r), audit.SignedUp, traits)
		if err := tx.ExecBatch(ctx, batch); err != nil {
			return err
		}
		user, err = users.Load(ctx, tx, asked.ID)
		if err == nil {
			err = user.CheckMetadata()
		}
		return err
	})
	return user, err
}

func orNone(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// settle queues confirmations and a ban, which are alike for new and old accounts.
func (s *Server) settle(batch *pgx.Batch, id string, asked *userChanges, now time.Time) {
	if asked.EmailConfirm {
		batch.Queue(confirmUser, id, now)
		batch.Queue(confirmIdentity, id, now)
	}
	if asked.PhoneConfirm {
		batch.Queue(confirmPhone, id, now)
		batch.Queue(confirmPhoneIdentity, id, now)
	}
	if asked.ban != nil {
		var until *time.Time
		if *asked.ban > 0 {
			end := now.Add(*asked.ban)
			until = &end
		}
		batch.Queue(banUser, id, until, now)
	}
}

// adminUpdateUser answers PUT /admin/users/{id}.
func (s *Server) adminUpdateUser(w http.ResponseWriter, r *http.Request) error {
	user, err := s.target(r)
	if err != nil {
		return err
	}
	var asked userChanges
	if err := read(w, r, &asked); err != nil {
		return err
	}
	if err := asked.check(); err != nil {
		return err
	}
	if err := s.free(r.Context(), asked.contacts(), user.Aud, user.ID); err != nil {
		return err
	}
	var hash string
	if asked.Password != nil {
		if err := s.passwordError(r.Context(), *asked.Password); err != nil {
			return err
		}
		if hash, err = s.hasher.Hash(r.Context(), *asked.Password); err != nil {
			return err
		}
	}
	user, err = s.changeUser(r, user, asked, hash)
	switch {
	case store.ViolatesUnique(err) && asked.Email != "":
		return errEmailExists.WithCause(err)
	case store.ViolatesUnique(err) && asked.Phone != "":
		return errPhoneExists.WithCause(err)
	case err != nil:
		return savingFailed(err, "Error updating user")
	}
	return httpx.WriteJSON(w, http.StatusOK, user)
}

func (s *Server) changeUser(r *http.Request, user *users.User, asked userChanges, hash string) (*users.User, error) {
	ctx, who, now := r.Context(), s.visitor(r), s.now().Truncate(time.Microsecond)
	err := s.store.InTx(ctx, func(tx *store.Tx) error {
		s.sessions.NoteEnded(tx, user.ID)
		batch := &pgx.Batch{}
		if asked.Role != "" {
			batch.Queue(setRole, user.ID, asked.Role, now)
		}
		for _, c := range asked.contacts() {
			if c.Kind == users.ByEmail {
				batch.Queue(setEmail, user.ID, c.Value, now)
			} else {
				batch.Queue(setPhone, user.ID, c.Value, now)
			}
			batch.Queue(setIdentity, user.ID, c.Kind, c.Value, asked.confirms(c.Kind), now)
		}
		if hash != "" {
			batch.Queue(setPassword, user.ID, hash, now)
			batch.Queue(session.EndAll, user.ID)
		}
		if hash != "" || len(asked.contacts()) > 0 {
			batch.Queue(message.ClearAllTokens, user.ID) // which prove an old password or address
		}
		if asked.AppMetadata != nil {
			if err := mergeInto(batch, mergeAppData, user.ID, asked.AppMetadata, now); err != nil {
				return err
			}
		}
		if asked.UserMetadata != nil {
			if err := mergeInto(batch, mergeData, user.ID, asked.UserMetadata, now); err != nil {
				return err
			}
		}
		s.settle(batch, user.ID, &asked, now)
		if len(asked.contacts()) > 0 {
			batch.Queue(refreshProviders, user.ID)
			if slices.ContainsFunc(asked.contacts(), func(c users.Contact) bool { return asked.confirms(c.Kind) }) {
				batch.Queue(notAnonymous, user.ID)
			}
		}
		s.trail.Add(batch, who, s.actor(r), audit.Modified, auditOf(user))
		if err := tx.ExecBatch(ctx, batch); err != nil {
			return err
		}
		var err error
		user, err = users.Load(ctx, tx, user.ID)
		if err == nil && (asked.AppMetadata != nil || asked.UserMetadata != nil) {
			err = user.CheckMetadata()
		}
		return err
	})
	return user, err
}

// adminDeleteUser answers DELETE /admin/users/{id}. A soft deletion keeps the
// row, without what names the person.
func (s *Server) adminDeleteUser(w http.ResponseWriter, r *http.Request) error {
	user, err := s.target(r)
	if err != nil {
		return err
	}
	var asked struct {
		Soft bool `json:"should_soft_delete"`
	}
	if r.ContentLength != 0 {
		if err := read(w, r, &asked); err != nil {
			return err
		}
	}
	err = s.deleteUser(r.Context(), user, asked.Soft, s.actor(r), s.visitor(r))
	if err != nil {
		return savingFailed(err, "Database error deleting user")
	}
	return httpx.WriteJSON(w, http.StatusOK, struct{}{})
}

func (s *Server) deleteUser(ctx context.Context, user *users.User, soft bool, actor *users.User, who users.Visitor) error {
	return s.store.InTx(ctx, func(tx *store.Tx) error {
		s.sessions.NoteEnded(tx, user.ID)
		batch := &pgx.Batch{}
		s.trail.Add(batch, who, actor, audit.Deleted, auditOf(user))
		if soft {
			for _, statement := range softDeletion {
				batch.Queue(statement, user.ID)
			}
			batch.Queue(noteDeletion, user.ID, s.now())
		} else {
			batch.Queue(deleteUser, user.ID)
		}
		return tx.ExecBatch(ctx, batch)
	})
}
