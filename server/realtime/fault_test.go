package realtime_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"plaza/tests/testkit"
)

// While the database refuses connections, clients get an error without its address, and subscribing to changes is
// tried again. A join that waits for its subscription is refused.
func TestSubscriptionsWithoutDatabase(t *testing.T) {
	t.Parallel()
	a := startChanges(t, marks)
	a.server.SetResubscribePause(50 * time.Millisecond)
	address := a.db.Config().ConnString()
	elsewhere, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	name := strings.TrimPrefix(elsewhere.Path, "/")
	elsewhere.Path = "/postgres"
	outside := testkit.Open(t, elsewhere.String())
	allow := func(allowed bool) {
		t.Helper()
		for _, sql := range []string{
			fmt.Sprintf("alter database %q allow_connections %t", name, allowed),
			fmt.Sprintf("select pg_terminate_backend(pid) from pg_stat_activity where datname = '%s'", name),
		} {
			if _, err := outside.Exec(t.Context(), sql); err != nil {
				t.Fatal(err)
			}
		}
	}
	const topic, fault = "realtime:marks", "UnableToConnectToProject: Realtime was unable to connect to the project database"
	c, waits := a.dial(t, "2.0.0", a.auth.Keys.Anon), a.dial(t, "2.0.0", a.auth.Keys.Anon)
	allow(false)
	defer allow(true)

	var ids []int
	c.requestChanges(topic, a.auth.Keys.Anon, &ids, []string{markEntry})
	for range 2 { // after the join, and after another attempt
		c.expect(system(topic, "postgres_changes", "error", fault))
	}
	waits.send(topic, "phx_join", `{"config":{"postgres_changes":[`+markEntry+`],"postgres_changes_options":{"wait":true}}}`)
	if m := waits.next(); m.event != "phx_reply" || !strings.Contains(m.payload, `"reason":"`+fault+`"`) {
		t.Errorf("a join that waits: %+v", m)
	}

	allow(true)
	for {
		m := c.next()
		if m.event != "system" {
			t.Fatalf("got %+v", m)
		}
		if strings.Contains(m.payload, subscribedText) {
			break
		}
	}
	a.db.Reset() // its connections were ended, too
	a.exec(t, `insert into marks default values`)
	c.expectChange(`INSERT marks {"id":1}`)
}
