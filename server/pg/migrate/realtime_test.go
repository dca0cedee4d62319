package migrate_test

import (
	"io/fs"
	"testing"
	"testing/fstest"

	"plaza/server/pg/migrate"
	"plaza/sql"
	"plaza/tests/testkit"
)

// A table of messages without partitions, as project folders had it, is replaced: its policies
// and its newest messages stay.
func TestMessagesGetPartitions(t *testing.T) {
	t.Parallel()
	const ours = "bootstrap/0024_realtime.sql"
	before := fstest.MapFS{}
	must(t, fs.WalkDir(sql.FS, "bootstrap", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || path >= ours {
			return err
		}
		text, err := fs.ReadFile(sql.FS, path)
		before[path] = &fstest.MapFile{Data: text}
		return err
	}))
	url := testkit.EmptyURL(t)
	_, err := migrate.Up(t.Context(), url, []migrate.Source{migrate.Platform(before)}, nil)
	must(t, err)
	db := testkit.Open(t, url)
	_, err = db.Exec(t.Context(), `
		create table realtime.messages (
			id uuid not null default gen_random_uuid(), topic text not null, extension text not null, payload jsonb, event text, private boolean default false,
			inserted_at timestamp not null default now(), updated_at timestamp not null default now(), primary key (id, inserted_at));
		alter table realtime.messages enable row level security;
		create function realtime.send(payload jsonb, event text, topic text, private boolean default true) returns void language sql as '';
		create policy "Who may, listens." on realtime.messages as restrictive for select to anon, authenticated using (topic = 'room' and realtime.messages.extension = 'broadcast');
		create policy send on realtime.messages for insert with check (topic like 'r%');
		insert into realtime.messages (topic, extension, payload) values ('room', 'broadcast', '{}');
		insert into realtime.messages (topic, extension, inserted_at) values ('room', 'broadcast', '2020-01-01');`)
	must(t, err)
	_, err = migrate.Up(t.Context(), url, []migrate.Source{migrate.Platform(sql.FS)}, nil)
	must(t, err)
	var kind, policies string
	var rows int
	must(t, db.QueryRow(t.Context(), `select c.relkind::text, (select count(*) from realtime.messages),
			(select string_agg(concat_ws(' ', p.policyname, p.permissive, p.cmd, p.roles, p.qual, p.with_check), '; ' order by p.policyname)
			from pg_policies p where p.tablename = 'messages')
		from pg_class c where c.oid = 'realtime.messages'::regclass and c.relrowsecurity`).Scan(&kind, &rows, &policies))
	const want = `Who may, listens. RESTRICTIVE SELECT {anon,authenticated} ((topic = 'room'::text) AND (extension = 'broadcast'::text)); send PERMISSIVE INSERT {public} (topic ~~ 'r%'::text)`
	if kind != "p" || rows != 1 || policies != want {
		t.Errorf("kind %s, %d rows, policies\n%s\nwant\n%s", kind, rows, policies, want)
	}
}
