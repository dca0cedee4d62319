package auth

// Codes of errors about outside providers and identities. Source: supabase/auth.
const (
	codeBadOAuthCallback = "bad_oauth_callback"
	codeBadOAuthState    = "bad_oauth_state"
	codeInvalidState     = "oauth_invalid_state"
	codeClientState      = "oauth_client_state_not_found"
	codeProviderEmail    = "provider_email_needs_verification"
	codeProviderDisabled = "provider_disabled"
	codeManualLinking    = "manual_linking_disabled"
	codeIdentityExists   = "identity_already_exists"
	codeIdentityNotFound = "identity_not_found"
	codeSingleIdentity   = "single_identity_not_deletable"
	codeEmailConflict    = "email_conflict_identity_not_deletable"
	codeCustomNotFound   = "custom_provider_not_found"
	codeCustomQuota      = "over_custom_provider_quota"
)

// What the audit trail says of identities. Source: supabase/auth.
const (
	actionIdentityLinked   action = "identity_linked"
	actionIdentityUnlinked action = "identity_unlinked"
)
