package rls

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"plaza/tests/testkit"
)

// Each change of what public pages show notifies the servers, which keep pages, of what to drop.
func TestChangesNotifyWhichPagesToDrop(t *testing.T) {
	t.Parallel()
	db := testkit.DB(t)
	conn, err := db.Acquire(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Release()
	run := func(statement string) {
		t.Helper()
		if _, err := conn.Exec(t.Context(), statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
	const encamp, madrid = "00000000-0000-4000-8000-0000000000a1", "00000000-0000-4000-8000-0000000000a2"
	run(`insert into businesses (id, name, type, location) values ('` + encamp + `', 'Forn', 'Bakery', 'Encamp, Andorra'), ('` + madrid + `', 'Taller', 'Garage', 'Madrid')`)
	run(`insert into services (business_id, name, price, duration) values ('` + madrid + `', 'Oil', 10, 30)`)
	tx, err := conn.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	w := fillWorld(t, tx)
	if err := tx.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	run(`listen plaza_pages`)
	shop, places := "b:"+encamp, []string{"l:", "l:andorra", "l:encamp"}
	garage, andMadrid := "b:"+madrid, []string{"l:", "l:madrid"}
	at := func(column string) string { return fmt.Sprintf("where %s = '%s'", column, madrid) }
	for _, test := range []struct {
		change string
		want   []string
	}{
		{`update businesses set name = 'Forn Nou' where id = '` + encamp + `'`, append(places, shop)},
		{`update businesses set hours = '{"structured": {"monday": {"isOpen": false}}}' where id = '` + encamp + `'`, append(places, shop)},
		{`update businesses set category_code = 'food' ` + at("id"), append(andMadrid, garage)},
		{`update businesses set location = 'Encamp, Andorra' ` + at("id"), append(slices.Clone(places), garage, "l:madrid")},
		{`update businesses set location = 'Madrid' ` + at("id"), append(slices.Clone(places), garage, "l:madrid")},
		{`insert into services (business_id, name, price, duration) values ('` + encamp + `', 'Bread', 10, 30)`, append(places, shop)},
		{`update services set price = 12 ` + at("business_id"), append(andMadrid, garage)},
		{`delete from services ` + at("business_id"), append(andMadrid, garage)},
		{`insert into business_photos (business_id, photo_url) values ('` + madrid + `', 'https://photos.example/1.jpg')`, append(andMadrid, garage)},
		{`update business_photos set caption = 'Door' ` + at("business_id"), append(andMadrid, garage)},
		{`delete from business_photos ` + at("business_id"), append(andMadrid, garage)},
		{`insert into url_redirects (old_url, new_url) values ('/old', '/about'), ('/older', '/about')`, []string{"p:/old", "p:/older"}},
		{`update url_redirects set old_url = '/former' where old_url = '/old'`, []string{"p:/former", "p:/old"}},
		{`delete from url_redirects where old_url = '/former'`, []string{"p:/former"}},
		{`update "categories-plaza" set category_name = 'Foods' where category_code = 'food'`, []string{"all"}},
		{`update cities set position = position where slug = 'madrid'`, []string{"all"}},
		{`delete from category_synonyms where false`, []string{"all"}},
		{`insert into businesses (name, type, location) select 'Stall ' || n, 'Shop', 'Madrid' from generate_series(1, 41) n`, []string{"all"}},
		{`update businesses set name = name || ' 2' where name like 'Stall %'`, []string{"all"}},
		{`delete from businesses where name like 'Stall %'`, []string{"all"}},
		{`delete from businesses ` + at("id"), append(andMadrid, garage)},
		{`update businesses set name = 'none' where false`, nil},
	} {
		run(test.change)
		if got := notified(t, conn.Conn()); !slices.Equal(got, sorted(test.want)) {
			t.Errorf("%s: notifies %q, want %q", test.change, got, sorted(test.want))
		}
	}
	// A review changes the rating of its business.
	run(`delete from reviews where id = '` + w.bensReview + `'`)
	if got := notified(t, conn.Conn()); !slices.Contains(got, "b:"+w.shop) {
		t.Errorf("a removed review notifies %q", got)
	}
}

// notified returns the lines of all notifications so far, each once.
func notified(t *testing.T, conn *pgx.Conn) []string {
	t.Helper()
	// A statement's own notification marks the end.
	if _, err := conn.Exec(t.Context(), `select pg_notify('plaza_pages', 'end')`); err != nil {
		t.Fatal(err)
	}
	var lines []string
	for {
		one, err := conn.WaitForNotification(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if one.Payload == "end" {
			return slices.Compact(sorted(lines))
		}
		lines = append(lines, strings.Split(one.Payload, "\n")...)
	}
}

func sorted(lines []string) []string {
	lines = slices.Clone(lines)
	slices.Sort(lines)
	return lines
}
