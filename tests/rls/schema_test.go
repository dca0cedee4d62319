package rls

import (
	"context"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"plaza/tests/testkit"
)

type lister interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
}

func list(t *testing.T, db lister, sql string, args ...any) []string {
	t.Helper()
	rows, err := db.Query(t.Context(), sql, args...)
	if err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	found, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	return found
}

// TestSchema lists forbidden properties of the schema. Each list must be empty.
func TestSchema(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, sql string }{
		{"tables of an exposed schema without row-level security",
			`select relname::text from pg_class
			where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relrowsecurity`},
		{"foreign keys without an index",
			`select conrelid::regclass || '.' || conname from pg_constraint c
			where contype = 'f' and connamespace in ('public'::regnamespace, 'private'::regnamespace)
				and not exists (select from pg_index i
					where i.indrelid = c.conrelid and (i.indkey::smallint[])[0:cardinality(c.conkey) - 1] @> c.conkey)`},
		{"definer functions without a fixed search_path",
			`select oid::regprocedure::text from pg_proc
			where pronamespace in ('public'::regnamespace, 'private'::regnamespace) and prosecdef
				and not coalesce(proconfig, '{}') && array['search_path=""', 'search_path=']`},
		{"definer views that are not barriers",
			`select relname::text from pg_class
			where relnamespace = 'public'::regnamespace and relkind = 'v'
				and not coalesce(reloptions, '{}') && array['security_invoker=true', 'security_barrier=true']`},
		{"views that a browser's user may write, but for profiles, whose triggers have the rules",
			`select relname::text || ' ' || role || ' ' || "right" from pg_class,
				unnest(array['anon', 'authenticated']) as role, unnest(array['insert', 'update', 'delete']) as "right"
			where relnamespace = 'public'::regnamespace and relkind = 'v' and relname <> 'profiles' and has_table_privilege(role, oid, "right")`},
		{"policies for every role",
			`select tablename || '.' || policyname from pg_policies where schemaname = 'public' and roles = '{public}'`},
		{"policies that call the caller's look-up for each row",
			`select tablename || '.' || policyname from pg_policies
			where schemaname = 'public'
				and regexp_replace(coalesce(qual, '') || coalesce(with_check, ''), 'SELECT (auth\.uid|is_admin|has_role)', '', 'g')
					~ '(auth\.uid|is_admin|has_role)\('`},
		{"tables that anon may write",
			`select relname::text from pg_class
			where relnamespace = 'public'::regnamespace and relkind = 'r'
				and (has_any_column_privilege('anon', oid, 'insert, update') or has_table_privilege('anon', oid, 'delete, truncate'))`},
		{"tables that a signed-in user may empty",
			`select relname::text from pg_class
			where relnamespace = 'public'::regnamespace and relkind = 'r' and has_table_privilege('authenticated', oid, 'truncate')`},
		{"admin functions that anon may call",
			`select oid::regprocedure::text from pg_proc
			where pronamespace = 'public'::regnamespace and proname ~ '^(admin_|review_)' and has_function_privilege('anon', oid, 'execute')`},
	}
	db := testkit.Tx(t)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if found := list(t, db, tt.sql); len(found) > 0 {
				t.Errorf("%s: %q", tt.name, found)
			}
		})
	}
}

// C-29, DATA-07: migrated_url is a flag, false until the business has been migrated.
func TestMigratedURLIsAFlag(t *testing.T) {
	t.Parallel()
	db := testkit.Tx(t)
	got := list(t, db, `select format('%s %s', data_type, column_default) from information_schema.columns
		where table_schema = 'public' and table_name = $1 and column_name = 'migrated_url'`, "businesses")
	if diff := cmp.Diff([]string{"boolean false"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestDocumentedColumns tests DATA-01 to DATA-38: every column in the requirements exists under its
// name.
func TestDocumentedColumns(t *testing.T) {
	t.Parallel()
	db := testkit.Tx(t)
	for table, columns := range documentedColumns {
		t.Run(table, func(t *testing.T) {
			found := list(t, db, `select attname::text from pg_attribute
				where attrelid = to_regclass(format('public.%I', $1::text)) and attnum > 0 and not attisdropped`, table)
			missing := slices.DeleteFunc(slices.Clone(columns), func(c string) bool { return slices.Contains(found, c) })
			if diff := cmp.Diff([]string{}, missing); diff != "" {
				t.Errorf("columns of %s (-want +missing):\n%s", table, diff)
			}
		})
	}
}

var documentedColumns = map[string][]string{
	"profiles": {"id", "full_name", "avatar_url", "role", "session_timeout_minutes", "display_id", "created_at", "updated_at", "totp_enabled"}, // DATA-01
	"businesses": { // DATA-02, DATA-03, DATA-04, DATA-05, DATA-06, DATA-07, DATA-08
		"id", "slug", "old_slug", "url_path", "migrated_url", "display_id", "owner_id", "name", "type", "location", "phone", "image_url",
		"longitude", "latitude", "hours", "amenities", "rating", "combined_rating", "user_ratings_total", "tagline", "source", "created_at",
		"company_values", "languages", "types", "weekday_text", "rating_sources", "is_claimed", "verification_status", "updated_at",
		"description", "website", "address"},
	"services":              {"id", "business_id", "name", "description", "price", "duration"},                                                                                                                                                                                                                                                               // DATA-10
	"bookings":              {"id", "business_id", "user_id", "service_id", "booking_date", "start_time", "end_time", "notes", "status"},                                                                                                                                                                                                                     // DATA-11
	"reviews":               {"id", "business_id", "user_id", "rating", "comment", "created_at"},                                                                                                                                                                                                                                                             // DATA-13
	"review_responses":      {"review_id", "content", "created_at"},                                                                                                                                                                                                                                                                                          // DATA-13
	"favorites":             {"id", "user_id", "business_id", "created_at"},                                                                                                                                                                                                                                                                                  // DATA-14
	"notifications":         {"id", "user_id", "type", "title", "content", "read", "created_at"},                                                                                                                                                                                                                                                             // DATA-15
	"business_photos":       {"id", "business_id", "photo_url", "caption", "display_order", "created_at", "updated_at"},                                                                                                                                                                                                                                      // DATA-16
	"categories":            {"id", "name", "icon", "created_at"},                                                                                                                                                                                                                                                                                            // DATA-17
	"categories-plaza":      {"category_name", "category_code", "category_level", "parent_category", "is_active"},                                                                                                                                                                                                                                            // DATA-18
	"category_synonyms":     {"category_slug", "synonym_term", "normalized_term", "priority", "language_code"},                                                                                                                                                                                                                                               // DATA-19
	"seller_applications":   {"id", "user_id", "business_name", "business_type", "business_description", "location", "status", "created_at", "updated_at"},                                                                                                                                                                                                   // DATA-20
	"messages":              {"sender_id", "recipient_id", "business_id", "content", "read", "created_at"},                                                                                                                                                                                                                                                   // DATA-21
	"business_categories":   {"business_id", "category_id"},                                                                                                                                                                                                                                                                                                  // DATA-22
	"recent_searches":       {"user_id", "query", "location", "category", "created_at"},                                                                                                                                                                                                                                                                      // DATA-23
	"subscription_plans":    {"id", "tier", "name", "is_active", "price_monthly", "analytics_access", "logo_upload", "promoted_listings", "priority_support", "max_businesses", "max_photos_per_business", "max_description_length"},                                                                                                                         // DATA-24
	"user_subscriptions":    {"plan_id", "subscribed", "subscription_tier", "subscription_end", "plan_name"},                                                                                                                                                                                                                                                 // DATA-25
	"user_sessions":         {"id", "user_id", "session_token", "ip_address", "user_agent", "expires_at", "is_active", "last_activity_at"},                                                                                                                                                                                                                   // DATA-26
	"url_redirects":         {"old_url", "new_url", "business_id", "redirect_type", "is_active"},                                                                                                                                                                                                                                                             // DATA-27
	"url_mappings":          {"id", "type", "original", "slug", "created_at"},                                                                                                                                                                                                                                                                                // DATA-29
	"claim_requests":        {"id", "user_id", "business_id", "full_name", "business_email", "business_phone", "role_at_company", "verification_method", "status", "submitted_at", "reviewed_at", "reviewed_by", "admin_notes"},                                                                                                                              // DATA-30
	"reports":               {"id", "reporter_id", "reported_id", "type", "reason", "details", "status", "created_at"},                                                                                                                                                                                                                                       // DATA-32
	"audit_logs":            {"id", "user_id", "table_name", "action", "record_id", "changed_fields", "old_data", "new_data", "created_at"},                                                                                                                                                                                                                  // DATA-33
	"user_totp_secrets":     {"id", "user_id", "is_verified", "last_used_at"},                                                                                                                                                                                                                                                                                // DATA-34, without its secrets (S-21)
	"user_security_events":  {"user_id", "event_type", "ip_address", "user_agent", "created_at", "metadata"},                                                                                                                                                                                                                                                 // DATA-35
	"business_metrics":      {"business_id", "metric_date", "num_total_page_views", "num_calls", "num_directions_and_map_views", "url_clicks", "num_messages_to_business", "online_bookings", "num_bookmarks", "rating", "reviews", "total_leads", "num_user_photos", "collection_item_added", "num_check_ins", "reply_rate", "median_response_time_in_sec"}, // DATA-36
	"advertiser_metrics":    {"business_id", "metric_date", "billed_impressions", "billed_clicks", "ad_cost", "ad_click_through_rate", "average_cost_per_click", "ad_driven_calls", "ad_driven_online_reservations", "ad_driven_biz_page_views", "ad_driven_messages_to_business", "ad_driven_total_leads"},                                                  // DATA-37
	"business_availability": {"business_id", "weekday", "is_open", "slots"},                                                                                                                                                                                                                                                                                  // DATA-38
	"blackout_dates":        {"business_id", "blackout_date"},                                                                                                                                                                                                                                                                                                // DATA-38
}
