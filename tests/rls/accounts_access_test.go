package rls

// upsertProfile is the statement that the data API generates for {id, full_name, updated_at}.
const upsertProfile = `(id, full_name, updated_at) values ('%s', 'Ana', now()) on conflict (id) do update
	set id = excluded.id, full_name = excluded.full_name, updated_at = excluded.updated_at`

func profileAccess(w *world) []access {
	anas, bens := rowOf("ana's profile", "profiles", w.ana.id), rowOf("ben's profile", "profiles", w.ben.id)
	return []access{
		// S-04: a reviewer is visible to everybody; TestPrivateColumns tests which columns.
		{anon, "select id, full_name, avatar_url", bens, allowed},
		{anon, "select", bens, allowed},
		{anon, "select id", anas, hidden},
		{w.ana, "select id, full_name, avatar_url", bens, allowed},
		{w.ben, "select id", anas, hidden},
		{w.owner, "select full_name", bens, allowed},
		{w.ana, "select role", anas, allowed},
		{w.ada, "select", anas, allowed}, // API-32, PERM-15
		// S-03: only the user's own name, picture and timeout.
		{w.ana, "update full_name = 'Ana'", anas, allowed},
		{w.ana, "insert", newRow("as PROFILE-03 upserts", "profiles", upsertProfile, w.ana.id), allowed}, // API-11
		{w.ana, "insert", newRow("as PROFILE-03 upserts, another's", "profiles", upsertProfile, w.ben.id), refused},
		{w.ana, "update session_timeout_minutes = 30", anas, allowed},
		{w.ana, "update full_name = 'Ana'", bens, hidden},
		{w.ana, "update role = 'admin'", anas, refused},
		{w.ana, "update totp_enabled = true", anas, refused},
		{w.ana, "update display_id = 'U-0'", anas, refused},
		{w.ana, "update wants_to_sell = true", anas, refused},
		{anon, "update full_name = 'x'", bens, refused},
		{w.ana, "update role = 'admin'", bens, hidden},
		{w.ada, "update role = 'owner'", bens, allowed}, // API-33
		{w.ada, "update full_name = 'x'", bens, refused},
		{w.ada, "update totp_enabled = true", bens, refused}, // S-23
		{w.ana, "delete", anas, refused},
		{w.ana, "delete", bens, refused},
		{w.ada, "delete", bens, allowed}, // API-33, C-17
		{anon, "delete", bens, refused},
		{w.ana, "insert", newRow("of another", "profiles", "(id, full_name) values ('%s', 'x')", "00000000-0000-4000-8000-000000000000"), refused},
		{w.ana, "insert", newRow("with a role", "profiles", "(id, role) values ('%s', 'admin')", w.ana.id), "failed with 0A000"},
		{service, "select role", bens, allowed},
		{service, "update role = 'owner'", bens, allowed},
	}
}

func subscriptionAccess(w *world) []access {
	plan := rowWhere("a plan", "subscription_plans", "tier", "pro")
	own := rowWhere("the owner's subscription", "user_subscriptions", "user_id", w.owner.id)
	return []access{
		{anon, "select", plan, allowed}, // API-09
		{w.ana, "update price_monthly = 0", plan, hidden},
		{w.ada, "update price_monthly = 20", plan, allowed},
		{anon, "insert", newRow("a plan", "subscription_plans", "(tier, name, price_monthly, price_yearly) values ('x', 'x', 0, 0)"), refused},
		{w.ana, "insert", newRow("a plan", "subscription_plans", "(tier, name, price_monthly, price_yearly) values ('xx', 'x', 0, 0)"), refused},
		{w.ada, "delete", plan, refused},
		// S-38: read by its user, written by the server.
		{w.owner, "select", own, allowed},
		{w.ana, "select", own, hidden},
		{w.ada, "select", own, allowed},
		{anon, "select", own, refused},
		{w.owner, "update subscribed = true", own, refused},
		{w.ada, "update subscribed = true", own, refused},
		{w.ana, "insert", newRow("one's own", "user_subscriptions", "(user_id, subscribed) values ('%s', true)", w.ana.id), refused},
		{w.owner, "delete", own, refused},
		{service, "update subscribed = false", own, allowed},
	}
}

func securityAccess(w *world) []access {
	session := rowWhere("ben's session", "user_sessions", "user_id", w.ben.id)
	event := rowWhere("ben's event", "user_security_events", "user_id", w.ben.id)
	factor := rowWhere("ben's factor", "user_totp_secrets", "user_id", w.ben.id)
	return []access{
		{w.ben, "select id, ip_address, user_agent, last_activity_at, expires_at", session, allowed}, // SEC-16
		{w.ana, "select id", session, hidden},
		{w.ada, "select id", session, hidden},
		{anon, "select id", session, refused},
		{w.ben, "select session_token", session, refused}, // S-16
		{w.ben, "update is_active = false", session, allowed},
		{w.ana, "update is_active = false", session, hidden},
		{w.ben, "update expires_at = now() + interval '1 year'", session, refused},
		{w.ben, "delete", session, refused},
		{w.ben, "insert", newRow("a session", "user_sessions", "(user_id) values ('%s')", w.ben.id), refused},
		{w.ben, "select", event, allowed}, // SEC-19
		{w.ana, "select", event, hidden},
		{anon, "select", event, refused},
		{w.ben, "insert", newRow("an event", "user_security_events", "(user_id, event_type) values ('%s', 'failed_login')", w.ben.id), refused}, // S-07
		{w.ben, "update event_type = 'successful_login'", event, refused},
		{w.ben, "delete", event, refused},
		{w.ben, "select id", factor, hidden}, // there is none
		{anon, "select id", factor, refused},
		{w.ben, "delete", factor, refused},
	}
}
