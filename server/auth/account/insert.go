package account

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5"

	"plaza/server/auth/store"
	"plaza/server/auth/users"
)

// decoyUser returns an invented user that looks like the result of a first sign-up. Its
// metadata passes through PostgreSQL, which orders the keys as it does for a real user.
func decoyUser(ctx context.Context, tx *store.Tx, reg registration) (*users.User, error) {
	now := reg.now.UTC()
	id := store.NewID()
	u := &users.User{
		ID: id, Aud: reg.audience, Role: "authenticated", ConfirmationSentAt: &now,
		AppMetadata: AppMetadata(reg.contact.Kind), CreatedAt: now, UpdatedAt: now,
	}
	identity := users.Identity{
		IdentityID: store.NewID(), ID: id, UserID: id, Provider: reg.contact.Kind,
		LastSignInAt: &now, CreatedAt: &now, UpdatedAt: &now,
	}
	if reg.contact.Kind == users.ByEmail {
		u.Email, identity.Email = reg.contact.Value, reg.contact.Value
	} else {
		u.Phone = reg.contact.Value
	}
	err := tx.QueryRow(ctx, "select $1::jsonb, "+identityData, reg.data, id, reg.contact.Email(), reg.contact.Phone()).
		Scan(&u.UserMetadata, &identity.Data)
	u.Identities = []users.Identity{identity}
	return u, err
}

// AppMetadata returns the app metadata of a new account, which names its provider. An
// empty provider means an anonymous account.
func AppMetadata(provider string) json.RawMessage {
	if provider == "" {
		return json.RawMessage(`{}`)
	}
	return json.RawMessage(`{"provider":"` + provider + `","providers":["` + provider + `"]}`)
}

// insert writes the rows of a new account. The project's hooks are called before and
// after.
func (s *core) insert(ctx context.Context, tx *store.Tx, reg registration) (*users.User, error) {
	c := reg.contact
	return s.Insert(ctx, tx, reg.preview(store.NewID(), s.config.JWT.Role), reg.who, func(batch *pgx.Batch, user *users.User) {
		batch.Queue(insertUser, user.ID, user.Aud, user.Role, c.Email(), c.Phone(), reg.hash, user.AppMetadata, reg.data, reg.now, user.IsAnonymous)
		if c.Kind != "" {
			batch.Queue(insertIdentity, reg.data, user.ID, c.Email(), c.Phone(), c.Kind, reg.now)
		}
	})
}

// Insert creates the account preview. queue queues the statements that write its rows. Insert
// returns the account as it is after the project's triggers. The project's hooks are
// called before and after.
func (s *core) Insert(ctx context.Context, tx *store.Tx, preview *users.User, info users.RequestInfo, queue func(*pgx.Batch, *users.User)) (*users.User, error) {
	if err := s.hooks.BeforeUserCreated(ctx, tx, preview, info); err != nil {
		return nil, err
	}
	batch := &pgx.Batch{}
	queue(batch, preview)
	if err := tx.ExecBatch(ctx, batch); err != nil {
		return nil, err
	}
	made, err := loadAndCheck(ctx, tx, preview.ID)
	if err != nil {
		return nil, err
	}
	return made, s.hooks.AfterUserCreated(ctx, tx, made, info)
}

// loadAndCheck returns an account whose metadata was changed in tx.
//
// Errors: 422 metadata_too_large.
func loadAndCheck(ctx context.Context, tx *store.Tx, id string) (*users.User, error) {
	user, err := users.Load(ctx, tx, id)
	if err == nil {
		err = user.CheckMetadata()
	}
	return user, err
}

// preview returns the account that is about to be created.
func (reg registration) preview(id, role string) *users.User {
	u := &users.User{
		ID: id, Aud: reg.audience, Role: role, AppMetadata: AppMetadata(reg.contact.Kind), UserMetadata: reg.data,
		Identities: []users.Identity{}, CreatedAt: reg.now.UTC(), UpdatedAt: reg.now.UTC(), IsAnonymous: reg.contact.Kind == "",
	}
	switch reg.contact.Kind {
	case users.ByEmail:
		u.Email = reg.contact.Value
	case users.ByPhone:
		u.Phone = reg.contact.Value
	}
	return u
}
