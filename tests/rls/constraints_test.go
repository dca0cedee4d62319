package rls

import (
	"fmt"
	"strings"
	"testing"
)

// TestConstraints has a value for each limit of RULE and SEED: with it, the statement fails with
// 23514 (or, with ok, succeeds).
func TestConstraints(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	long := func(n int) string { return "'" + strings.Repeat("x", n) + "'" }
	const ok, bad = "", "23514"
	tests := []struct{ table, column, value, want string }{
		{"profiles", "full_name", long(100), ok}, // SEED-04
		{"profiles", "full_name", long(101), bad},
		{"profiles", "role", "'root'", bad},
		{"profiles", "avatar_url", "'https://example.com/a.png'", ok},
		{"profiles", "avatar_url", "'javascript:alert(1)'", bad}, // S-40
		{"profiles", "session_timeout_minutes", "1", bad},
		{"categories", "name", long(50), ok}, // SEED-05
		{"categories", "name", long(51), bad},
		{"businesses", "name", "'x'", bad}, // RULE-09
		{"businesses", "name", "'xx'", ok},
		{"businesses", "name", "'Núñez & Cía. d''Art'", ok}, // C-46
		{"businesses", "name", long(101), bad},              // RULE-15, SEED-06
		{"businesses", "name", "'<script>'", bad},
		{"businesses", "type", "'x'", bad},                 // RULE-10
		{"businesses", "location", "'x'", bad},             // RULE-11
		{"businesses", "location", long(200), ok},          // SEED-06
		{"businesses", "location", long(201), bad},         // SEED-06
		{"businesses", "address", "'abcd'", bad},           // RULE-15
		{"businesses", "address", long(201), bad},          // RULE-15
		{"businesses", "phone", "null", ok},                // RULE-12
		{"businesses", "phone", "'+34 (600) 123-456'", ok}, // SEED-07
		{"businesses", "phone", "'123456'", bad},           // RULE-07
		{"businesses", "phone", "'++34600123456'", bad},    // RULE-07
		{"businesses", "phone", "'1234567890123456'", bad}, // RULE-07
		{"businesses", "phone", "'600-CALL-ME'", bad},      // SEED-07
		{"businesses", "image_url", "'https://example.com/a.png'", ok},
		{"businesses", "image_url", "'ftp://example.com/a.png'", bad}, // RULE-13
		{"businesses", "image_url", "'/storage/v1/object/public/business-photos/a.png'", ok},
		{"businesses", "image_url", "'//example.com/a.png'", bad},
		{"businesses", "image_url", "'https://example.com/' || repeat('x', 2048)", bad}, // RULE-08
		{"businesses", "website", "'https://example.com/menu?x=1'", ok},
		{"businesses", "website", "'javascript:alert(1)'", bad},    // RULE-08
		{"businesses", "website", "'http://localhost:8080'", bad},  // RULE-08
		{"businesses", "website", "'http://192.168.1.1/'", bad},    // RULE-08
		{"businesses", "website", "'http://[::1]/'", bad},          // RULE-08
		{"businesses", "website", "'http://db.internal/'", bad},    // RULE-08
		{"businesses", "website", "'http://2130706433/'", bad},     // RULE-08: 127.0.0.1 as one number
		{"businesses", "website", "'http://user@localhost/'", bad}, // RULE-08
		{"businesses", "longitude", "180.1", bad},                  // RULE-14, SEED-07
		{"businesses", "latitude", "-90.1", bad},                   // SEED-07
		{"businesses", "rating", "5.1", bad},                       // SEED-06, ADMIN-INTEG-04
		{"businesses", "source", "'scraped'", bad},                 // DATA-06
		{"businesses", "source", "'CSV-upload'", ok},
		{"businesses", "verification_status", "'sure'", bad},
		{"businesses", "time_zone", "'Europe/Paris'", bad},
		{"businesses", "hours", `'{"structured": {"monday": {"open": "9:00", "close": "17:00"}}}'`, bad}, // SEED-07
		{"businesses", "hours", `'{"structured": {"lunes": {"open": "09:00", "close": "17:00"}}}'`, bad},
		{"businesses", "hours", `'{"structured": {"monday": {"open": "09:00", "close": "17:00", "isOpen": "yes"}}}'`, bad},
		{"businesses", "hours", `'{}'`, bad},
		{"businesses", "hours", `'"Mon-Fri 9-17"'`, ok}, // DATA-09
		{"businesses", "hours", "null", ok},
		{"businesses", "amenities", `'[{"name": "Parking", "icon": "p", "category": "accessibility", "available": true}]'`, ok}, // DATA-05
		{"businesses", "amenities", `'[{"name": "  "}]'`, bad},                                                                  // OWNER-14
		{"businesses", "amenities", `'[{"name": "Bar"}, {"name": "Bar"}]'`, bad},                                                // OWNER-14
		{"businesses", "amenities", `'[{"name": "Bar"}, {"name": "bar"}]'`, ok},                                                 // OWNER-14: case matters
		{"businesses", "amenities", `'[{"name": "Bar", "category": "fun"}]'`, bad},
		{"businesses", "amenities", `'{}'`, bad},
		{"businesses", "rating_sources", `'[{"source": "x", "rating": 6, "count": 1}]'`, bad},
		{"services", "name", "'x'", bad}, // RULE-16
		{"services", "name", long(101), bad},
		{"services", "description", long(501), bad}, // SEED-08
		{"services", "price", "-0.01", bad},         // RULE-17, ADMIN-INTEG-06
		{"services", "price", "0", ok},
		{"services", "price", "10000.01", bad}, // SEED-08
		{"services", "duration", "0", bad},     // RULE-18
		{"services", "duration", "1", ok},
		{"services", "duration", "481", bad}, // SEED-08
		{"business_photos", "photo_url", "'data:image/png;base64,x'", bad},
		{"bookings", "notes", long(501), bad},                      // SEED-10
		{"bookings", "end_time", "start_time", "end_before_start"}, // SEED-11
		{"bookings", "status", "'maybe'", bad},                     // BOOK-17
		{"reviews", "rating", "0", bad},                            // SEED-09, ADMIN-INTEG-05
		{"reviews", "rating", "6", bad},                            // SEED-09
		{"reviews", "comment", "'too short'", bad},                 // RULE-20
		{"reviews", "comment", long(1001), bad},                    // RULE-20, SEED-09
		{"notifications", "type", "'ad'", bad},                     // NOTIF-01
		{"notifications", "link", "'//evil.example'", bad},
		{"messages", "content", "' '", bad},
		{"messages", "recipient_id", "sender_id", bad},
		{"reports", "reason", "''", bad},                             // SEED-12
		{"reports", "reason", long(101), bad},                        // SEED-12
		{"reports", "details", long(1001), bad},                      // SEED-12
		{"reports", "reported_id", "reporter_id", bad},               // SEED-13, see TestTextsOfConstraints
		{"reports", "type", "'city'", bad},                           // DATA-32
		{"claim_requests", "verification_method", "'trust_me'", bad}, // DATA-30
		{"claim_requests", "business_email", "'nobody'", bad},
		{"url_mappings", "slug", "'Ma laga'", bad},       // ADMIN-LOC-07
		{"categories-plaza", "category_level", "3", bad}, // DATA-18
		{"subscription_plans", "price_monthly", "-1", bad},
	}
	for _, tt := range tests {
		t.Run(fmt.Sprintf("%s.%s %.40s", tt.table, tt.column, tt.value), func(t *testing.T) {
			tx, err := w.tx.Begin(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			schema := "public"
			if tt.table == "profiles" {
				schema = "private" // public.profiles is a view
			}
			_, err = tx.Exec(t.Context(), fmt.Sprintf(`update %s.%q t set %q = %s where ctid = (select ctid from %[1]s.%[2]q limit 1)`, schema, tt.table, tt.column, tt.value))
			if got := code(err); got != tt.want {
				t.Errorf("got %q (%v), want %q", got, err, tt.want)
			}
			if err := tx.Rollback(t.Context()); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// Values that must be unique.
func TestUnique(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.fails(t, w.ben, "23505", `insert into public.favorites (business_id) values ($1)`, w.shop)                                                  // S-29
	w.fails(t, w.ben, "23505", `insert into public.reviews (business_id, rating) values ($1, 5)`, w.shop)                                         // S-32
	w.fails(t, w.ben, "23505", `insert into public.seller_applications (business_name, business_type, location) values ('Two', 'Bar', 'Madrid')`) // S-47
	w.fails(t, w.ada, "23505", `insert into public.business_categories select * from public.business_categories limit 1`)                         // ADMIN-INTEG-09
	w.fails(t, w.ada, "23505", `insert into public.url_mappings (type, original) values ('location', 'Madrid')`)                                  // RULE-22
	w.fails(t, w.ada, "23505", `insert into public.categories (name) values ('FOOD')`)
	w.fails(t, w.ben, "23505", `insert into public.claim_requests (business_id, full_name, business_email, role_at_company, verification_method)
		values ($1, 'Ben', 'ben@example.com', 'Boss', 'email_domain')`, w.unclaimed)
}
