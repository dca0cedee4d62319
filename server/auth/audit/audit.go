// Package audit keeps the audit trail of accounts.
package audit

import (
	"context"
	"encoding/json"
	"time"

	"github.com/jackc/pgx/v5"

	"plaza/server/auth/store"
	"plaza/server/auth/users"
)

// Action is an action in the audit trail. Source: supabase/auth.
type Action string

// The actions.
const (
	Login                 Action = "login"
	ReauthRequested       Action = "user_reauthenticate_requested"
	Invited               Action = "user_invited"
	InviteAccepted        Action = "invite_accepted"
	Deleted               Action = "user_deleted"
	Logout                Action = "logout"
	TokenRevoked          Action = "token_revoked"
	SignedUp              Action = "user_signedup"
	Modified              Action = "user_modified"
	RecoveryRequested     Action = "user_recovery_requested"
	ConfirmationRequested Action = "user_confirmation_requested"
	RepeatedSignUp        Action = "user_repeated_signup"
	UpdatedPassword       Action = "user_updated_password"
	FactorEnrolled        Action = "factor_in_progress"
	FactorUnenrolled      Action = "factor_unenrolled"
	ChallengeCreated      Action = "challenge_created"
	FactorVerified        Action = "verification_attempted"
	FactorDeleted         Action = "factor_deleted"
	FactorUpdated         Action = "factor_updated"
	PasskeyCreated        Action = "passkey_created"
	PasskeyUpdated        Action = "passkey_updated"
	PasskeyDeleted        Action = "passkey_deleted"
	IdentityLinked        Action = "identity_linked"
	IdentityUnlinked      Action = "identity_unlinked"
)

// entry is the payload of an audit trail entry.
type entry struct {
	Action        Action         `json:"action"`
	ActorID       string         `json:"actor_id"`
	ActorName     string         `json:"actor_name,omitempty"`
	ActorUsername string         `json:"actor_username"`
	ActorViaSSO   bool           `json:"actor_via_sso"`
	LogType       string         `json:"log_type"`
	Traits        map[string]any `json:"traits,omitempty"`
}

// logType groups actions, as upstream does.
func logType(a Action) string {
	switch a {
	case Login, Logout:
		return "account"
	case SignedUp:
		return "team"
	case TokenRevoked:
		return "token"
	case FactorEnrolled, FactorUnenrolled, ChallengeCreated, FactorVerified, FactorDeleted, FactorUpdated:
		return "factor"
	}
	return "user"
}

// Trail writes and reads the audit trail.
type Trail struct {
	db       *store.Store
	disabled bool
	now      func() time.Time
}

// New returns a Trail. If off is true, it writes nothing.
func New(db *store.Store, off bool, now func() time.Time) *Trail { return &Trail{db, off, now} }

const insertEntry = `insert into auth.audit_log_entries (instance_id, id, payload, created_at, ip_address)
	values ('00000000-0000-0000-0000-000000000000', gen_random_uuid(), $1, $2, $3)`

// Add queues the insertion of an entry.
func (t *Trail) Add(batch *pgx.Batch, info users.RequestInfo, actor *users.User, action Action, traits map[string]any) {
	if t.disabled {
		return
	}
	username := actor.Email
	if actor.Phone != "" {
		username = actor.Phone
	}
	payload, err := json.Marshal(entry{
		Action: action, ActorID: actor.ID, ActorName: actor.MetadataText("full_name"), ActorUsername: username,
		ActorViaSSO: actor.IsSSO, LogType: logType(action), Traits: traits,
	})
	if err != nil {
		panic("auth: cannot encode audit entry: " + err.Error())
	}
	batch.Queue(insertEntry, payload, t.now(), info.IP())
}

// Provider returns the traits of an action on an identity of a provider.
func Provider(name string) map[string]any { return map[string]any{"provider": name} }

// Target returns the traits of an action on an account.
func Target(user *users.User) map[string]any {
	return map[string]any{"user_id": user.ID, "user_email": user.Email, "user_phone": user.Phone}
}

// entriesPage returns a page of entries with the total count. $1 lists keys of the payload, one
// of which must contain $2.
const entriesPage = `select count(*) over (), json_build_object('id', e.id, 'payload', e.payload, 'created_at', e.created_at, 'ip_address', e.ip_address)
	from auth.audit_log_entries e
	where $2 = '' or exists (select from unnest($1::text[]) k where e.payload ->> k ilike '%' || $2 || '%')
	order by e.created_at desc, e.id limit $3 offset $4`

// Page returns a page of the entries in which one of keys contains text, newest first, and
// the total number of matches.
func (t *Trail) Page(ctx context.Context, keys []string, text string, limit, offset int64) (entries []json.RawMessage, total int64, err error) {
	err = t.db.InTx(ctx, func(tx *store.Tx) error {
		rows, err := tx.Query(ctx, entriesPage, keys, store.EscapeLike(text), limit, offset)
		if err != nil {
			return err
		}
		entries, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (json.RawMessage, error) {
			var entry json.RawMessage
			err := row.Scan(&total, &entry)
			return entry, err
		})
		return err
	})
	return entries, total, err
}
