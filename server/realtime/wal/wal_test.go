package wal_test

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"plaza/server/pg"
	"plaza/server/realtime/wal"
	"plaza/tests/testkit"
)

// open opens a stream of the publication supabase_realtime.
func open(t *testing.T, schema string) (exec func(string), stream *wal.Stream) {
	t.Helper()
	address := testkit.PlatformURL(t)
	db := testkit.Open(t, address)
	exec = func(sql string) {
		t.Helper()
		if _, err := db.Exec(t.Context(), sql); err != nil {
			t.Fatal(err)
		}
	}
	exec(schema)
	door, err := pg.Open(t.Context(), pg.Config{CallerURL: address, ServiceURL: address, MaxCallers: 1, MaxService: 1, AcquireTimeout: time.Second, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(door.Close)
	conn, err := door.Replication(t.Context(), wal.Settings)
	if err != nil {
		t.Fatal(err)
	}
	if stream, err = wal.Open(t.Context(), conn, []string{"supabase_realtime"}, wal.Timeouts{Status: 5 * time.Second, Answer: 10 * time.Second}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = stream.Close() })
	return exec, stream
}

// show returns a message as text, without what differs from run to run.
func show(message any) string {
	tuple := func(t wal.Tuple) string {
		var values []string
		for _, v := range t {
			if v.Kind == wal.Text {
				values = append(values, fmt.Sprintf("%.40s", v.Text))
			} else {
				values = append(values, string(v.Kind))
			}
		}
		return "(" + strings.Join(values, ", ") + ")"
	}
	old := func(t wal.Tuple, isKey bool) string {
		if t == nil {
			return ""
		}
		if isKey {
			return "key" + tuple(t) + " "
		}
		return "old" + tuple(t) + " "
	}
	switch m := message.(type) {
	case *wal.Begin:
		return "begin"
	case *wal.Commit:
		return "commit"
	case *wal.Relation:
		text := fmt.Sprintf("relation %s.%s %c", m.Schema, m.Name, m.Identity)
		for _, c := range m.Columns {
			text += fmt.Sprintf(" %s:%d:%t", c.Name, c.Type, c.IsKey)
		}
		return text
	case *wal.Insert:
		return "insert " + tuple(m.New)
	case *wal.Update:
		return "update " + old(m.Old, m.OldIsKey) + tuple(m.New)
	case *wal.Message:
		return "message " + m.Prefix
	case *wal.Origin:
		return "origin"
	case *wal.Delete:
		return "delete " + old(m.Old, m.OldIsKey)
	}
	return fmt.Sprintf("%T", message)
}

func TestStream(t *testing.T) {
	t.Parallel()
	exec, stream := open(t, `
		create table plants (id int primary key, name text, big text, born timestamptz);
		alter table plants alter column big set storage external;
		create table whole (a int, b text);
		alter table whole replica identity full;
		create table other (id int primary key);
		alter publication supabase_realtime add table plants, whole;`)
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	exec(`insert into plants values (1, 'Rosa', repeat('x', 100000), '2026-11-27 12:00+01'), (2, null, null, null)`)
	exec(`update plants set name = 'Rosal' where id = 1`)
	exec(`update plants set id = 3 where id = 2`)
	exec(`insert into other values (1)`)
	exec(`begin; insert into plants values (9); rollback;`)
	exec(`delete from plants where id = 3`)
	exec(`insert into whole values (1, 'a'); update whole set b = 'b'; delete from whole; truncate plants`)
	exec(`alter table plants add column more int default 7; insert into plants (id) values (4)`)
	const wanted = `begin
relation public.plants d id:23:true name:25:false big:25:false born:1184:false
insert (1, Rosa, xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx, 2026-11-27 11:00:00+00)
insert (2, n, n, n)
commit
begin
update (1, Rosal, u, 2026-11-27 11:00:00+00)
commit
begin
update key(2, n, n, n) (3, n, n, n)
commit
begin
delete key(3, n, n, n) 
commit
begin
relation public.whole f a:23:true b:25:true
insert (1, a)
update old(1, a) (1, b)
delete old(1, b) 
commit
begin
message plaza_schema
relation public.plants d id:23:true name:25:false big:25:false born:1184:false more:23:false
insert (4, n, n, n, 7)
commit`
	var got []string
	known := make(map[uint32]string)
	for len(got) < strings.Count(wanted, "\n")+1 {
		message, err := stream.Next(ctx)
		if err != nil {
			t.Fatalf("%v after\n%s", err, strings.Join(got, "\n"))
		}
		switch m := message.(type) {
		case *wal.Begin:
			if age := time.Since(m.At); age < -time.Minute || age > time.Hour || m.XID == 0 || m.Final == 0 {
				t.Errorf("%+v", m)
			}
		case *wal.Commit:
			if m.End == 0 {
				t.Errorf("%+v", m)
			}
		}
		text := show(message)
		if r, ok := message.(*wal.Relation); ok { // it may come again although nothing has changed
			if known[r.ID] == text {
				continue
			}
			known[r.ID] = text
		}
		got = append(got, text)
	}
	if diff := cmp.Diff(wanted, strings.Join(got, "\n")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Next returns an error when the connection ends.
func TestStreamEnds(t *testing.T) {
	t.Parallel()
	exec, stream := open(t, "")
	exec(`select pg_terminate_backend(active_pid) from pg_replication_slots where slot_name = '` + stream.Slot() + `'`)
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	if message, err := stream.Next(ctx); err == nil || ctx.Err() != nil {
		t.Errorf("%v, %v", message, err)
	}
}

func message(parts ...any) []byte {
	var out []byte
	for _, part := range parts {
		switch part := part.(type) {
		case string:
			out = append(out, part...)
		default:
			out, _ = binary.Append(out, binary.BigEndian, part)
		}
	}
	return out
}

func TestMalformed(t *testing.T) {
	t.Parallel()
	for _, data := range [][]byte{
		nil, []byte("X"), []byte("B"), message("I", uint32(1)), message("I", uint32(1), "K", uint16(0)), message("I", uint32(1), "N", uint16(1)),
		message("I", uint32(1), "N", uint16(1), "x"), message("I", uint32(1), "N", uint16(1), "t", int32(-1)), message("I", uint32(1), "N", uint16(1), "t", int32(5), "abc"),
		message("I", uint32(1), "N", uint16(65535)), message("I", uint32(1), "N", uint16(0), "more"), message("R", uint32(1), "public"), message("R", uint32(1), "public\x00t\x00d", uint16(2), uint8(1), "a\x00", uint32(23), uint32(0)),
		message("U", uint32(1), "X", uint16(0), "N", uint16(0)), message("D", uint32(1), "N", uint16(0)),
	} {
		if got, err := wal.Decode(data); !errors.Is(err, wal.ErrMalformed) {
			t.Errorf("%q: %+v, %v", data, got, err)
		}
	}
}

// FuzzDecode checks that any data is refused, or decoded to no more values than it has bytes.
func FuzzDecode(f *testing.F) {
	f.Add(message("B", uint64(1), uint64(2), uint32(3)))
	f.Add(message("C", uint8(0), uint64(1), uint64(2), uint64(3)))
	f.Add(message("R", uint32(1), "public\x00t\x00d", uint16(1), uint8(1), "a\x00", uint32(23), uint32(0)))
	f.Add(message("I", uint32(1), "N", uint16(3), "n", "u", "t", uint32(2), "ab"))
	f.Add(message("U", uint32(1), "O", uint16(1), "n", "N", uint16(1), "n"))
	f.Add(message("D", uint32(1), "K", uint16(1), "n"))
	f.Add(message("M", uint8(1), uint64(1), "prefix\x00", uint32(2), "ab"))
	f.Add(message("O", uint64(1), "name\x00"))
	f.Add([]byte("T"))
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := wal.Decode(data)
		if err != nil && !errors.Is(err, wal.ErrMalformed) {
			t.Errorf("error %v", err)
		}
		if m, ok := got.(*wal.Insert); ok && len(m.New) > len(data) {
			t.Errorf("%d values of %d bytes", len(m.New), len(data))
		}
	})
}
