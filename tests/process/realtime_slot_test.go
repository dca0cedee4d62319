package process

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"

	"plaza/tests/testkit/cluster"
)

// RT-28: while the server is stopped (SIGSTOP), more of the log is written than PostgreSQL keeps for
// it (max_slot_wal_keep_size), and it loses its slot. Changes come in order until a gap is reported, and
// after it; broadcasts of the database arrive, each once.
func TestLostSlotIsReportedAsGap(t *testing.T) {
	t.Parallel()
	own, err := cluster.StartWith(t.Context(), map[string]string{"max_slot_wal_keep_size": "1MB"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = own.Stop(context.Background()) })
	root := folder(t)
	if err := os.MkdirAll(filepath.Join(root, "supabase/migrations"), 0o755); err != nil {
		t.Fatal(err)
	}
	policy := `create policy "Everybody listens." on realtime.messages for select using (true);`
	if err := os.WriteFile(filepath.Join(root, "supabase/migrations/20260101000000_log.sql"), []byte(logSchema+policy), 0o600); err != nil {
		t.Fatal(err)
	}
	server := start(t, root, "DATABASE_URL="+own.URL())
	process := server.command.Process
	t.Cleanup(func() { _ = process.Signal(syscall.SIGCONT) })
	db, err := pgxpool.New(t.Context(), own.URL())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(db.Close)
	exec := func(statements ...string) {
		t.Helper()
		for _, statement := range statements {
			if _, err := db.Exec(t.Context(), statement); err != nil {
				t.Fatal(err)
			}
		}
	}
	write := func(n int) {
		t.Helper()
		exec("insert into public.log (writer) values (0)", fmt.Sprintf(`select realtime.send('{"n":%d}', 'e', 'room')`, n))
	}

	ben := listen(t, server, "ben")
	ben.send("realtime:room", "phx_join", `{"config":{"private":true,"presence":{"enabled":false},"broadcast":{"replication_ready":true}}}`)
	ben.until("broadcasts of the database", func(e event) bool {
		return e.name == "system" && strings.Contains(e.payload, "Replication connection established")
	})
	n := 1
	write(n)
	ben.until("the first row and broadcast", func(event) bool { return ben.last == 1 && ben.arrived[1] == 1 })

	if err := process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	for hasSlot := true; hasSlot; {
		n++
		write(n)
		exec("select pg_switch_wal()", "checkpoint")
		if err := db.QueryRow(t.Context(), "select exists (select from pg_replication_slots)").Scan(&hasSlot); err != nil {
			t.Fatal(err)
		}
	}
	n++
	write(n)
	if err := process.Signal(syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	ben.until("the report of the gap", func(event) bool { return ben.gaps == 1 })
	n++
	write(n)
	ben.until("the last row and broadcast", func(event) bool { return ben.last == n && ben.arrived[n] > 0 })
	for i := 1; i <= n; i++ {
		if ben.arrived[i] != 1 {
			t.Errorf("broadcast %d has arrived %d times", i, ben.arrived[i])
		}
	}
	if ben.gaps != 1 {
		t.Errorf("%d gaps", ben.gaps)
	}
}
