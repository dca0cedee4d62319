package replicas

import (
	"context"
	"log/slog"
	"strings"
	"testing"

	"plaza/server/pg"
)

// The log is read at the primary, also if the URL names a replica first.
func TestReplicationConnectsToThePrimary(t *testing.T) {
	t.Parallel()
	s := startPair(t)
	_, rest, _ := strings.Cut(s.primary.URL(), "@")
	host, _, _ := strings.Cut(rest, "/")
	url := strings.Replace(s.standby.URL(), "/postgres?", ","+host+"/postgres?target_session_attrs=read-write&", 1)
	db, err := pg.Open(t.Context(), pg.Config{CallerURL: url, ServiceURL: url, MaxCallers: 1, MaxService: 1, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(db.Close)
	conn, err := db.Replication(t.Context(), map[string]string{"replication": "database"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close(context.Background()) })
	results, err := conn.Exec(t.Context(), "select pg_is_in_recovery()").ReadAll()
	if err != nil || string(results[0].Rows[0][0]) != "f" {
		t.Errorf("it is connected to a replica: %v", err)
	}
}
