package rls

func bookingAccess(w *world) []access {
	bens := rowOf("ben's booking", "bookings", w.bensBooking)
	book := func(name string, customer caller) row {
		return newRow(name, "bookings", "(business_id, user_id, service_id, booking_date, start_time) values ('%s', '%s', '%s', current_date + 8, '12:00')",
			w.shop, customer.id, w.haircut)
	}
	note := rowWhere("the business's note", "booking_notes", "booking_id", w.bensBooking)
	noteFor := func(booking string) row {
		return newRow("a note", "booking_notes", "(booking_id, note) values ('%s', 'Pays in cash')", booking)
	}
	return []access{
		// S-26: the customer, the business's owner and admins can see it.
		{w.ben, "select *", bens, allowed},
		{w.owner, "select *", bens, allowed},
		{w.ada, "select *", bens, allowed},
		{w.ana, "select", bens, hidden},
		{w.rival, "select", bens, hidden},
		{anon, "select", bens, refused},
		{w.ana, "insert", book("as oneself", w.ana), allowed}, // PERM-10
		{w.ana, "insert", book("as another", w.ben), refused}, // S-27
		{w.owner, "insert", book("for a customer", w.ben), refused},
		{anon, "insert", book("as ben", w.ben), refused}, // PERM-09
		{w.ana, "insert", newRow("under an id of one's own", "bookings", "(id, business_id, user_id, service_id, booking_date, start_time) values (gen_random_uuid(), '%s', '%s', '%s', current_date + 8, '12:00')",
			w.shop, w.ana.id, w.haircut), allowed},
		// S-28: no direct change, by anybody.
		{w.ben, "update status = 'confirmed'", bens, refused},
		{w.owner, "update status = 'confirmed'", bens, refused},
		{w.ada, "update status = 'confirmed'", bens, refused},
		{w.ben, "update booking_date = current_date", bens, refused},
		{w.ben, "delete", bens, refused},
		{w.ada, "delete", bens, refused},
		{w.ana, "insert", newRow("at an own price", "bookings", "(business_id, user_id, service_id, booking_date, start_time, service_price) values ('%s', '%s', '%s', current_date + 8, '12:00', 0)",
			w.shop, w.ana.id, w.haircut), refused},
		{w.ana, "insert", newRow("as the business's", "bookings", "(business_id, user_id, service_id, booking_date, start_time, source) values ('%s', '%s', '%s', current_date + 8, '12:00', 'business')",
			w.shop, w.ana.id, w.haircut), refused},
		// BOOK-18: a business's private notes.
		{w.owner, "select", note, allowed},
		{w.ada, "select", note, allowed},
		{w.owner, "update note = 'Wants tea'", note, allowed},
		{w.owner, "delete", note, allowed},
		{w.ben, "select", note, hidden},
		{w.rival, "select", note, hidden},
		{w.rival, "update note = 'Mine'", note, hidden},
		{w.ben, "delete", note, hidden},
		{anon, "select", note, refused},
		{w.owner, "insert", noteFor(w.bensVisit), allowed},
		{w.ben, "insert", noteFor(w.bensVisit), refused},
		{w.rival, "insert", noteFor(w.bensVisit), refused},
		{anon, "insert", noteFor(w.bensVisit), refused},
	}
}

func reviewAccess(w *world) []access {
	bens := rowOf("ben's review", "reviews", w.bensReview)
	answer := newRow("an answer", "review_responses", "(review_id, content) values ('%s', 'Thank you')", w.bensReview)
	return []access{
		{anon, "select", bens, allowed}, // BIZ-11
		{w.ben, "update rating = 5", bens, allowed},
		{w.ana, "update rating = 1", bens, hidden},
		{w.owner, "update rating = 5", bens, hidden},
		{w.ada, "update rating = 5", bens, hidden},
		{anon, "update rating = 5", bens, refused},
		{w.ben, "update business_id = business_id", bens, refused},
		{w.ben, "delete", bens, allowed},
		{w.ada, "delete", bens, allowed},
		{w.owner, "delete", bens, hidden},
		{anon, "insert", newRow("a review", "reviews", "(business_id, rating) values ('%s', 5)", w.shop), refused},
		// S-44: the business's owner responds.
		{w.owner, "insert", answer, allowed},
		{w.rival, "insert", answer, refused},
		{w.ben, "insert", answer, refused},
		{w.ada, "insert", answer, refused},
		{anon, "insert", answer, refused},
		{anon, "select", rowWhere("no answer yet", "review_responses", "review_id", w.bensReview), hidden},
	}
}

func favoriteAccess(w *world) []access {
	bens := rowOf("ben's favourite", "favorites", w.bensFavorite)
	search := rowWhere("ben's search", "recent_searches", "user_id", w.ben.id)
	alert := rowWhere("ben's alert", "search_alerts", "user_id", w.ben.id)
	return []access{
		// S-29, FAV-02
		{w.ben, "select", bens, allowed},
		{w.ana, "select", bens, hidden},
		{w.ada, "select", bens, hidden},
		{anon, "select", bens, refused},
		{w.ana, "insert", newRow("as oneself", "favorites", "(user_id, business_id) values ('%s', '%s')", w.ana.id, w.shop), allowed},
		{w.ana, "insert", newRow("as another", "favorites", "(user_id, business_id) values ('%s', '%s')", w.ben.id, w.rivalShop), refused},
		{anon, "insert", newRow("as nobody", "favorites", "(business_id) values ('%s')", w.shop), refused},
		{w.ben, "update business_id = business_id", bens, refused},
		{w.ben, "delete", bens, allowed},
		{w.ana, "delete", bens, hidden},
		{anon, "delete", bens, refused},
		{w.ben, "select", search, allowed},
		{w.ana, "select", search, hidden},
		{w.ada, "select", search, hidden},
		{anon, "select", search, refused},
		{w.ben, "delete", search, allowed},
		{w.ana, "delete", search, hidden},
		{w.ana, "insert", newRow("as another", "recent_searches", "(user_id, query) values ('%s', 'x')", w.ben.id), refused},
		{w.ana, "insert", newRow("as oneself", "recent_searches", "(query) values ('x')"), allowed},
		{w.ben, "select", alert, allowed},
		{w.ana, "select", alert, hidden},
		{w.ada, "select", alert, hidden},
		{anon, "select", alert, refused},
		{w.ben, "update find_desc = 'x'", alert, refused},
		{w.ben, "update notified_at = now()", alert, refused},
		{w.ben, "delete", alert, allowed},
		{w.ana, "delete", alert, hidden},
		{anon, "delete", alert, refused},
		{w.ana, "insert", newRow("as another", "search_alerts", "(user_id, find_desc) values ('%s', 'x')", w.ben.id), refused},
		{w.ana, "insert", newRow("already notified", "search_alerts", "(find_desc, notified_at) values ('x', now())"), refused},
		{w.ana, "insert", newRow("as oneself", "search_alerts", "(find_desc) values ('x')"), allowed},
		{anon, "insert", newRow("as nobody", "search_alerts", "(find_desc) values ('x')"), refused},
	}
}

func messageAccess(w *world) []access {
	note := rowOf("ben's notification", "notifications", w.bensNotification)
	message := rowOf("ben's message to the owner", "messages", w.bensMessage)
	conversation := rowWhere("ben's conversation with the owner", "conversations", "customer_id", w.ben.id)
	write := func(name string, from, to caller, business string) row {
		return newRow(name, "messages", "(sender_id, recipient_id, business_id, content) values ('%s', '%s', '%s', 'Hello')", from.id, to.id, business)
	}
	return []access{
		// S-30: the user's own; only `read` can be changed; nobody inserts.
		{w.ben, "select", note, allowed},
		{w.ana, "select", note, hidden},
		{w.ada, "select", note, hidden},
		{anon, "select", note, refused},
		{w.ben, "update read = true", note, allowed}, // NOTIF-04
		{w.ana, "update read = true", note, hidden},
		{w.ben, "update title = 'x'", note, refused},
		{w.ben, "delete", note, refused},
		{w.ana, "insert", newRow("a notification", "notifications", "(user_id, type, title, content) values ('%s', 'other', 'x', 'x')", w.ana.id), refused},
		// S-31: the two parties read, the sender writes, the recipient marks it read.
		{w.ben, "select", message, allowed},
		{w.owner, "select", message, allowed},
		{w.ana, "select", message, hidden},
		{w.ada, "select", message, hidden},
		{anon, "select", message, refused},
		{w.owner, "update read = true", message, allowed},
		{w.ben, "update read = true", message, hidden},
		{w.owner, "update content = 'x'", message, refused},
		{w.ben, "delete", message, refused},
		{w.ana, "insert", write("to the owner", w.ana, w.owner, w.shop), allowed},
		{w.ana, "insert", write("as ben", w.ben, w.owner, w.shop), refused},
		{w.owner, "insert", write("an answer to ben", w.owner, w.ben, w.shop), allowed},
		{anon, "insert", write("as ben", w.ben, w.owner, w.shop), refused}, // MSG-02
		// Both parties can read a conversation; only messages and functions write it.
		{w.ben, "select", conversation, allowed},
		{w.owner, "select", conversation, allowed},
		{w.ana, "select", conversation, hidden},
		{w.ada, "select", conversation, hidden},
		{anon, "select", conversation, refused},
		{w.ben, "update blocked_by_owner = true", conversation, refused},
		{w.ben, "delete", conversation, refused},
		{w.ben, "insert", newRow("with ana", "conversations", "(business_id, customer_id, owner_id) values ('%s', '%s', '%s')", w.shop, w.ben.id, w.ana.id), refused},
	}
}

func moderationAccess(w *world) []access {
	application := rowOf("ben's application", "seller_applications", w.bensApplication)
	claim := rowOf("ben's claim", "claim_requests", w.bensClaim)
	report := rowOf("ben's report", "reports", w.bensReport)
	entry := rowWhere("an audit entry", "audit_logs", "record_id", w.shop)
	apply := func(who caller) row {
		return newRow("as "+who.name, "seller_applications", "(user_id, business_name, business_type, location) values ('%s', 'A place', 'Bar', 'Madrid')", who.id)
	}
	claimAs := func(who caller) row {
		return newRow("as "+who.name, "claim_requests",
			"(user_id, business_id, full_name, business_email, role_at_company, verification_method) values ('%s', '%s', 'A', 'a@example.com', 'Boss', 'email_domain')", who.id, w.unclaimed)
	}
	reportAs := func(who caller) row {
		return newRow("as "+who.name, "reports", "(reporter_id, reported_id, type, reason) values ('%s', '%s', 'business', 'Spam')", who.id, w.shop)
	}
	named := rowOf("ben's report, with what it is about", "reports_with_entity", w.bensReport)
	lines := []access{
		{w.ada, "select entity_name, reporter_name", named, allowed}, // ADMIN-REPORT-03
		{w.ben, "select entity_name", named, allowed},
		{w.ana, "select entity_name", named, hidden},
		{anon, "select entity_name", named, refused},
		{w.ada, "select actor_name", rowWhere("an audit entry with its actor", "audit_logs_with_actor", "record_id", w.shop), allowed},
		{anon, "select actor_name", rowWhere("an audit entry with its actor", "audit_logs_with_actor", "record_id", w.shop), refused},
	}
	for _, own := range []row{application, claim, report} {
		lines = append(lines,
			access{w.ben, "select", own, allowed}, // API-29
			access{w.ada, "select", own, allowed}, // PERM-16
			access{w.ana, "select", own, hidden},
			access{anon, "select", own, refused},
			access{w.ben, "update status = 'rejected'", own, hidden},
			access{w.owner, "update status = 'rejected'", own, hidden},
			access{w.ada, "update status = 'rejected'", own, allowed},
			access{anon, "update status = 'rejected'", own, refused},
		)
	}
	return append(lines,
		// S-47: the user's own.
		access{w.ana, "insert", apply(w.ana), allowed},
		access{w.ana, "insert", apply(w.rival), refused},
		access{anon, "insert", apply(w.ana), refused},
		access{w.ana, "insert", claimAs(w.ana), allowed},
		access{w.ana, "insert", claimAs(w.rival), refused},
		access{anon, "insert", claimAs(w.ana), refused},
		access{w.ana, "insert", reportAs(w.ana), allowed},
		access{w.ana, "insert", reportAs(w.rival), refused},
		access{anon, "insert", reportAs(w.ana), refused},
		access{w.ada, "delete", application, allowed}, // ADMIN-APP-04
		access{w.ben, "delete", application, hidden},
		access{w.ben, "delete", claim, refused},
		access{w.ben, "delete", report, hidden},
		// S-50: admins read, nobody writes.
		access{w.ada, "select", entry, allowed},
		access{w.owner, "select", entry, hidden},
		access{anon, "select", entry, refused},
		access{w.ada, "update action = 'DELETE'", entry, refused},
		access{w.ada, "delete", entry, refused},
		access{w.ada, "insert", newRow("an entry", "audit_logs", "(table_name, action) values ('x', 'INSERT')"), refused},
	)
}
