package projectdir

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"
)

// keyList has the keys of config.toml. A line is a section and the names in it. A "*" matches any name.
// Source: the structs of the CLI's pkg/config.
const keyList = `
: project_id
api: enabled port schemas extra_search_path max_rows auto_expose_new_tables external_url
api.tls: enabled cert_path key_path
db: port shadow_port health_timeout major_version root_key orioledb_version
db.pooler: enabled port pool_mode default_pool_size max_client_conn
db.migrations: enabled schema_paths
db.seed: enabled sql_paths
db.settings: effective_cache_size logical_decoding_work_mem maintenance_work_mem max_connections max_locks_per_transaction
db.settings: max_parallel_maintenance_workers max_parallel_workers max_parallel_workers_per_gather max_replication_slots
db.settings: max_slot_wal_keep_size max_standby_archive_delay max_standby_streaming_delay max_wal_size max_wal_senders
db.settings: max_worker_processes session_replication_role shared_buffers statement_timeout track_activity_query_size
db.settings: track_commit_timestamp wal_keep_size wal_sender_timeout work_mem
db.network_restrictions: enabled allowed_cidrs allowed_cidrs_v6
db.ssl_enforcement: enabled
db.vault: *
realtime: enabled ip_version max_header_length
studio: enabled port api_url openai_api_key
inbucket: enabled port smtp_port pop3_port admin_email sender_name
local_smtp: enabled port smtp_port pop3_port admin_email sender_name
storage: enabled file_size_limit
storage.image_transformation: enabled
storage.s3_protocol: enabled
storage.buckets.*: public file_size_limit allowed_mime_types objects_path
storage.analytics: enabled max_namespaces max_tables max_catalogs
storage.analytics.buckets.*: *
storage.vector: enabled max_buckets max_indexes
storage.vector.buckets.*: *
auth: enabled site_url external_url additional_redirect_urls jwt_expiry jwt_issuer enable_refresh_token_rotation
auth: refresh_token_reuse_interval enable_manual_linking enable_signup enable_anonymous_sign_ins minimum_password_length
auth: password_requirements signing_keys_path publishable_key secret_key jwt_secret anon_key service_role_key
auth.passkey: enabled
auth.webauthn: rp_display_name rp_id rp_origins
auth.rate_limit: anonymous_users token_refresh sign_in_sign_ups token_verifications email_sent sms_sent web3
auth.captcha: enabled provider secret
auth.hook.*: enabled uri secrets
auth.mfa: max_enrolled_factors
auth.mfa.totp: enroll_enabled verify_enabled
auth.mfa.phone: enroll_enabled verify_enabled otp_length template max_frequency
auth.mfa.web_authn: enroll_enabled verify_enabled
auth.sessions: timebox inactivity_timeout
auth.email: enabled enable_signup double_confirm_changes enable_confirmations secure_password_change max_frequency otp_length otp_expiry
auth.email.smtp: enabled host port user pass admin_email sender_name
auth.email.template.*: subject content_path
auth.email.notification.*: enabled subject content_path
auth.sms: enabled enable_signup enable_confirmations template max_frequency test_otp
auth.sms.twilio: enabled account_sid message_service_sid auth_token
auth.sms.twilio_verify: enabled account_sid message_service_sid auth_token
auth.sms.messagebird: enabled originator access_key
auth.sms.textlocal: enabled sender api_key
auth.sms.vonage: enabled from api_key api_secret
auth.external.*: enabled client_id secret url redirect_uri skip_nonce_check email_optional
auth.web3.solana: enabled
auth.web3.ethereum: enabled
auth.oauth_server: enabled allow_dynamic_registration authorization_url_path
auth.third_party.firebase: enabled project_id
auth.third_party.auth0: enabled tenant tenant_region
auth.third_party.aws_cognito: enabled user_pool_id user_pool_region
auth.third_party.clerk: enabled domain
auth.third_party.workos: enabled issuer_url
edge_runtime: enabled policy inspector_port deno_version
edge_runtime.secrets: *
functions.*: enabled verify_jwt import_map entrypoint static_files
analytics: enabled port backend gcp_project_id gcp_project_number gcp_jwt_path vector_port
experimental: orioledb_version s3_host s3_region s3_access_key s3_secret_key
experimental.webhooks: enabled
experimental.pgdelta: enabled declarative_schema_path format_options
experimental.inspect: rules`

// knownKeys has the patterns of all keys of config.toml.
var knownKeys = parseKeys(keyList)

func parseKeys(list string) (keys []string) {
	for line := range strings.Lines(strings.TrimSpace(list)) {
		section, names, _ := strings.Cut(line, ":")
		for _, name := range strings.Fields(names) {
			keys = append(keys, strings.TrimPrefix(section+"."+name, "."))
		}
	}
	return keys
}

// matches reports whether a key has the form of a pattern.
func matches(pattern, key string) bool {
	matched, err := path.Match(strings.ReplaceAll(pattern, ".", "/"), strings.ReplaceAll(key, ".", "/"))
	return matched && err == nil
}

// maxTypos is the maximum edit distance between an unknown key and a known one that is suggested instead.
const maxTypos = 3

// nearest returns the known key that is most similar to an unknown one, or "" if none is similar.
func nearest(key string) (found string) {
	least := maxTypos + 1
	parts := strings.Split(key, ".")
	for _, pattern := range knownKeys {
		names := strings.Split(pattern, ".")
		if len(names) != len(parts) {
			continue
		}
		for i, name := range names {
			if name == "*" {
				names[i] = parts[i]
			}
		}
		candidate := strings.Join(names, ".")
		if distance := levenshtein.ComputeDistance(key, candidate); distance < least {
			found, least = candidate, distance
		}
	}
	return found
}

// elsewhere are the keys that have an effect without being translated to a variable by followed.
var elsewhere = []string{
	"project_id", "api.auto_expose_new_tables", "db.migrations.enabled", "db.seed.*", "db.settings.*", "db.vault.*", "storage.buckets.*.*", "auth.enabled", "auth.email.enabled", "auth.sms.enabled",
	"auth.email.smtp.enabled", "edge_runtime.enabled", "edge_runtime.secrets.*",
	"auth.third_party.*.*", "functions.*.enabled", "functions.*.verify_jwt", "functions.*.import_map", "functions.*.entrypoint", "functions.*.static_files",
}

// unfollowed is a key, or a section, that has no effect in Plaza.
type unfollowed struct {
	pattern  string   // of the key; for a section it ends with ".*"
	harmless []string // values that need no message: those of the CLI's template, and those that Plaza conforms to
	instead  string   // what Plaza does, whatever the value is
}

// notFollowed are the keys without effect. The other keys of a section with enabled = false are not
// reported.
var notFollowed = []unfollowed{
	{"api.enabled", []string{"true"}, "the data API is always served"},
	{"api.tls.*", []string{"false"}, "Plaza serves http; put a proxy with a certificate in front of it"},
	{"db.shadow_port", []string{"54320"}, "the shadow database takes any free port"},
	{"db.orioledb_version", []string{""}, "the database is PostgreSQL's own storage"},
	{"db.health_timeout", []string{"2m", "2m0s"}, "the start waits until the database is ready"},
	{"db.major_version", []string{"17", "18"}, "the database is PostgreSQL 18, or that of DATABASE_URL"},
	{"db.pooler.*", []string{"false"}, "Plaza pools its own connections and starts no pooler for others"},
	{"db.migrations.schema_paths", []string{""}, "the schema is that of the migrations"},
	{"db.network_restrictions.*", []string{"false"}, "the database listens on this machine alone"},
	{"db.ssl_enforcement.*", []string{"false"}, "the database listens on this machine alone"},
	{"realtime.ip_version", []string{"IPv4"}, "PLAZA_HOST is the address that is listened on"},
	{"realtime.max_header_length", []string{"4096"}, "it is that of all requests"},
	{"studio.*", []string{"false"}, "Plaza has no Studio"},
	{"analytics.*", []string{"false"}, "Plaza has no log server; it writes its log to the terminal"},
	{"inbucket.*", []string{"false"}, "mails that no relay takes are shown by Plaza itself"},
	{"local_smtp.*", []string{"false"}, "mails that no relay takes are shown by Plaza itself"},
	{"experimental.*", []string{""}, "Plaza has none of them"},
	{"experimental.*.*", []string{"false"}, "Plaza has none of them"},
	{"storage.enabled", []string{"true"}, "storage is always served"},
	{"storage.analytics.*", []string{"false"}, "there are no such buckets"},
	{"storage.vector.*", []string{"false"}, "there are no such buckets"},
	{"storage.analytics.buckets.*.*", nil, "there are no such buckets"},
	{"storage.vector.buckets.*.*", nil, "there are no such buckets"},
	{"auth.external_url", []string{""}, "auth is served at /auth/v1 of API_EXTERNAL_URL"},
	{"auth.publishable_key", []string{""}, "plaza keys shows and changes the keys"},
	{"auth.secret_key", []string{""}, "plaza keys shows and changes the keys"},
	{"auth.external.*.*", []string{"false"}, "Plaza has no such provider"},
	{"auth.hook.*.*", []string{"false"}, "Plaza has no such hook"},
	{"auth.email.template.*.*", nil, "Plaza sends no such mail"},
	{"auth.email.notification.*.*", []string{"false"}, "Plaza sends no such mail"},
	{"auth.rate_limit.web3", []string{"30"}, "nobody can sign in with a wallet"},
	{"auth.web3.*.*", []string{"false"}, "nobody can sign in with a wallet"},
	{"auth.sms.twilio_verify.*", []string{"false"}, "text messages are sent by Twilio or by the hook send_sms"},
	{"auth.sms.messagebird.*", []string{"false"}, "text messages are sent by Twilio or by the hook send_sms"},
	{"auth.sms.textlocal.*", []string{"false"}, "text messages are sent by Twilio or by the hook send_sms"},
	{"auth.sms.vonage.*", []string{"false"}, "text messages are sent by Twilio or by the hook send_sms"},
	{"edge_runtime.policy", []string{"per_worker"}, "a function is started again when its files change"},
	{"edge_runtime.inspector_port", []string{"8083"}, "functions cannot be inspected"},
	{"edge_runtime.deno_version", []string{"2"}, "functions run on this machine's deno"},
}

// warningFor returns the message about a key without effect, or "" if its value needs none.
func warningFor(key, text string) string {
	for _, one := range notFollowed {
		if !matches(one.pattern, key) {
			continue
		}
		if slices.Contains(one.harmless, text) {
			return ""
		}
		if strings.HasSuffix(one.pattern, ".*") {
			key = "[" + key[:strings.LastIndexByte(key, '.')] + "]"
		}
		return fmt.Sprintf("config.toml: %s is not followed: %s", key, one.instead)
	}
	if strings.HasSuffix(key, ".enabled") && text == "false" {
		return "" // the file switches off what Plaza does not have
	}
	if likely := nearest(key); likely != "" && likely != key {
		return fmt.Sprintf("config.toml: %s is not known and not followed; did you mean %s?", key, likely)
	}
	return "config.toml: " + key + " is not known and not followed"
}
