package auth

import (
	"encoding/json"

	"github.com/jackc/pgx/v5"

	"plaza/server/auth/users"
)

// action is what the audit trail says was done. Source: supabase/auth.
type action string

const (
	actionLogin                 action = "login"
	actionReauthRequested       action = "user_reauthenticate_requested"
	actionInvited               action = "user_invited"
	actionInviteAccepted        action = "invite_accepted"
	actionDeleted               action = "user_deleted"
	actionLogout                action = "logout"
	actionTokenRevoked          action = "token_revoked"
	actionSignedUp              action = "user_signedup"
	actionModified              action = "user_modified"
	actionRecoveryRequested     action = "user_recovery_requested"
	actionConfirmationRequested action = "user_confirmation_requested"
	actionRepeatedSignUp        action = "user_repeated_signup"
	actionUpdatedPassword       action = "user_updated_password"
	actionFactorEnrolled        action = "factor_in_progress"
	actionFactorUnenrolled      action = "factor_unenrolled"
	actionChallengeCreated      action = "challenge_created"
	actionFactorVerified        action = "verification_attempted"
	actionFactorDeleted         action = "factor_deleted"
	actionFactorUpdated         action = "factor_updated"
	actionPasskeyCreated        action = "passkey_created"
	actionPasskeyUpdated        action = "passkey_updated"
	actionPasskeyDeleted        action = "passkey_deleted"
)

// auditEntry is the payload of an entry.
type auditEntry struct {
	Action        action         `json:"action"`
	ActorID       string         `json:"actor_id"`
	ActorName     string         `json:"actor_name,omitempty"`
	ActorUsername string         `json:"actor_username"`
	ActorViaSSO   bool           `json:"actor_via_sso"`
	LogType       string         `json:"log_type"`
	Traits        map[string]any `json:"traits,omitempty"`
}

func logType(a action) string {
	switch a {
	case actionLogin, actionLogout:
		return "account"
	case actionSignedUp:
		return "team"
	case actionTokenRevoked:
		return "token"
	case actionFactorEnrolled, actionFactorUnenrolled, actionChallengeCreated, actionFactorVerified, actionFactorDeleted, actionFactorUpdated:
		return "factor"
	}
	return "user"
}

// audit adds an entry to the statements of a change.
func (s *Server) audit(batch *pgx.Batch, who users.Visitor, actor *users.User, what action, traits map[string]any) {
	if s.config.AuditLog.DisablePostgres {
		return
	}
	username := actor.Email
	if actor.Phone != "" {
		username = actor.Phone
	}
	payload, err := json.Marshal(auditEntry{
		Action: what, ActorID: actor.ID, ActorName: actor.MetadataText("full_name"), ActorUsername: username,
		ActorViaSSO: actor.IsSSO, LogType: logType(what), Traits: traits,
	})
	if err != nil {
		panic("auth: an audit entry always encodes: " + err.Error())
	}
	batch.Queue(insertAudit, payload, s.now(), who.IP())
}

// byEmail are the traits of what was done with a mail address.
var byEmail = traitsOf(users.ByEmail)

func traitsOf(provider string) map[string]any { return map[string]any{"provider": provider} }
