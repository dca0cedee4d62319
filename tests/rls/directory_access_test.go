package rls

func businessAccess(w *world) []access {
	shop := rowOf("the shop", "businesses", w.shop)
	former := rowWhere("a former slug", "business_former_slugs", "business_id", w.shop)
	create := newRow("a business", "businesses", "(name, type, location) values ('New place', 'Bar', 'Madrid')")
	return []access{
		{anon, "select *", shop, allowed}, // PERM-09
		{w.ana, "select", shop, allowed},
		// PERM-07, PERM-11: its owner or an admin may edit.
		{w.owner, "update name = 'Better name'", shop, allowed},
		{w.ada, "update name = 'Better name'", shop, allowed},
		{w.rival, "update name = 'Mine now'", shop, hidden},
		{w.ana, "update name = 'Mine now'", shop, hidden},
		{anon, "update name = 'Mine now'", shop, refused},
		{w.owner, "update rating = 5", shop, refused},
		{w.owner, "update combined_rating = 5", shop, refused},
		{w.owner, "update source = 'seeded'", shop, refused},
		{w.owner, "update slug = 'x'", shop, refused},
		{w.owner, "update display_id = 'B-1'", shop, refused},
		// PERM-06: owners and admins create.
		{w.ada, "insert", create, allowed},
		{w.owner, "insert", create, allowed}, // plan pro
		{w.ana, "insert", create, refused},
		{anon, "insert", create, refused},
		{w.ana, "insert", newRow("with a rating", "businesses", "(name, type, location, rating) values ('x1', 'Bar', 'Madrid', 5)"), refused},
		{w.ada, "delete", shop, allowed}, // PERM-15
		{w.owner, "delete", shop, hidden},
		{anon, "delete", shop, refused},
		// Former URLs are written only by a trigger.
		{anon, "select", former, allowed},
		{w.owner, "insert", newRow("a former slug", "business_former_slugs", "(slug, business_id) values ('taken', '%s')", w.shop), refused},
		{w.ada, "insert", newRow("a former slug", "business_former_slugs", "(slug, business_id) values ('taken', '%s')", w.shop), refused},
		{w.owner, "update slug = 'taken'", former, refused},
		{w.owner, "delete", former, refused},
		{w.ada, "delete", former, refused},
	}
}

func businessPartAccess(w *world) []access {
	var lines []access
	parts := []struct {
		row    row
		update string
		create row
	}{
		{rowOf("a service", "services", w.haircut), "price = 30",
			newRow("a service", "services", "(business_id, name, price, duration) values ('%s', 'Colour', 40, 90)", w.shop)},
		{rowOf("a photo", "business_photos", w.photo), "display_order = 2",
			newRow("a photo", "business_photos", "(business_id, photo_url) values ('%s', 'https://example.com/b.png')", w.shop)},
		{rowWhere("a category", "business_categories", "business_id", w.shop), "",
			newRow("a category", "business_categories", "select '%s', id from public.categories where name = 'Shopping'", w.shop)},
		{rowWhere("a week", "business_availability", "business_id", w.shop), "is_open = true",
			newRow("a day", "business_availability", "(business_id, weekday, is_open) values ('%s', 'monday', false) on conflict (business_id, weekday) do update set is_open = false, slots = '[]'", w.shop)},
		{rowWhere("a blackout date", "blackout_dates", "business_id", w.shop), "",
			newRow("a blackout date", "blackout_dates", "(business_id, blackout_date) values ('%s', current_date + 91)", w.shop)},
	}
	for _, part := range parts {
		lines = append(lines,
			access{anon, "select", part.row, allowed}, // PERM-09
			access{w.owner, "insert", part.create, allowed},
			access{w.ada, "insert", part.create, allowed},
			access{w.rival, "insert", part.create, refused},
			access{w.ana, "insert", part.create, refused},
			access{anon, "insert", part.create, refused},
			access{w.owner, "delete", part.row, allowed},
			access{w.ada, "delete", part.row, allowed},
			access{w.rival, "delete", part.row, hidden},
			access{anon, "delete", part.row, refused},
		)
		if part.update != "" {
			lines = append(lines,
				access{w.owner, "update " + part.update, part.row, allowed},
				access{w.rival, "update " + part.update, part.row, hidden},
				access{anon, "update " + part.update, part.row, refused},
			)
		}
	}
	return append(lines,
		access{w.owner, "update business_id = business_id", rowOf("a service", "services", w.haircut), refused},
		access{w.owner, "update photo_url = 'https://example.com/c.png'", rowOf("a photo", "business_photos", w.photo), refused},
	)
}

// referenceAccess returns the access table of reference tables: everybody reads, admins write
// (PERM-16).
func referenceAccess(w *world) []access {
	var lines []access
	unmigrated := rowWhere("an unmigrated business", "url_migration_preview", "id", w.shop)
	tables := []struct {
		row    row
		update string
		create row
	}{
		{rowWhere("a category", "categories", "name", "Food"), "icon = 'x'",
			newRow("a category", "categories", "(name) values ('Extra')")},
		{rowWhere("a directory category", "categories-plaza", "category_code", "hair"), "is_active = false",
			newRow("a directory category", "categories-plaza", "(category_name, category_code, category_level) values ('Extra', 'extra', 1)")},
		{rowWhere("a synonym", "category_synonyms", "category_slug", "hair"), "priority = 1",
			newRow("a synonym", "category_synonyms", "(category_slug, synonym_term, language_code) values ('hair', 'ondas al agua', 'es')")},
		{rowWhere("a mapping", "url_mappings", "slug", "madrid"), "original = 'Madriz'",
			newRow("a mapping", "url_mappings", "(type, original) values ('location', 'Toledo')")},
		{rowWhere("a redirect", "url_redirects", "business_id", w.shop), "redirect_type = 302",
			newRow("a redirect", "url_redirects", "(old_url, new_url) values ('/a-%s', '/b')", w.shop)},
	}
	for _, table := range tables {
		lines = append(lines,
			access{anon, "select", table.row, allowed},
			access{w.ada, "update " + table.update, table.row, allowed},
			access{w.owner, "update " + table.update, table.row, hidden},
			access{anon, "update " + table.update, table.row, refused},
			access{w.ada, "insert", table.create, allowed},
			access{w.owner, "insert", table.create, refused},
			access{anon, "insert", table.create, refused},
			access{w.owner, "delete", table.row, hidden},
			access{anon, "delete", table.row, refused},
		)
	}
	for _, counted := range []row{
		rowWhere("a city", "cities", "slug", "madrid"),
		rowWhere("a town", "towns", "slug", "girona"),
		rowWhere("a count", "directory_counts", "city_slug", "madrid"),
		rowWhere("a city's count", "city_counts", "slug", "madrid"),
		rowWhere("a category's count", "category_counts", "city_slug", "madrid"),
	} {
		lines = append(lines,
			access{anon, "select", counted, allowed},
			access{w.ana, "select", counted, allowed},
		)
	}
	return append(lines,
		access{w.ada, "update name = 'Madriz'", rowWhere("a city", "cities", "slug", "madrid"), refused},
		access{w.ada, "update name = 'Gerona'", rowWhere("a town", "towns", "slug", "girona"), refused},
		access{w.ada, "update businesses = 0", rowWhere("a count", "directory_counts", "city_slug", "madrid"), refused},
		access{w.ada, "select", unmigrated, allowed},
		access{w.owner, "select", unmigrated, hidden},
		access{anon, "select", unmigrated, refused},
	)
}

// metricAccess returns the access table of metrics: readable by the business's owner and admins,
// written by the server (S-42, ADMIN-METRICS-06).
func metricAccess(w *world) []access {
	var lines []access
	for _, table := range []string{"business_metrics", "advertiser_metrics"} {
		own := rowWhere("the shop's "+table, table, "business_id", w.shop)
		lines = append(lines,
			access{w.owner, "select", own, allowed},
			access{w.ada, "select", own, allowed},
			access{w.rival, "select", own, hidden},
			access{w.ana, "select", own, hidden},
			access{anon, "select", own, refused},
			access{w.owner, "update metric_date = current_date", own, refused},
			access{w.owner, "delete", own, refused},
			access{w.owner, "insert", newRow("a day", table, "(business_id, metric_date) values ('%s', '2020-01-01')", w.shop), refused},
			access{service, "insert", newRow("a day", table, "(business_id, metric_date) values ('%s', '2020-01-01')", w.shop), allowed},
		)
	}
	return lines
}
