package rest_test

import (
	"fmt"
	"strconv"
	"testing"

	"plaza/server/rest/settings"
	"plaza/tests/testkit/restkit"
)

// TestTimeZones compares Prefer: timezone with PostgREST 16: all of PostgreSQL's zones and
// offsets are accepted, and an invalid one is an error, whatever handling is.
func TestTimeZones(t *testing.T) {
	t.Parallel()
	api := restkit.New(t, `
		create table moments (id int primary key, at timestamptz);
		insert into moments values (1, '2023-10-18T12:37:59.611Z');
		alter table moments enable row level security; create policy everyone on moments using (true);`, nil)
	unknown := `{"code":"22023","details":null,"hint":null,"message":"invalid value for parameter \"TimeZone\": \"Jupiter/Red_Spot\""}`
	for _, c := range []struct {
		name, prefer, want string
		status             int
		applied            string
	}{
		{"a name", "timezone=America/Los_Angeles", `[{"at":"2023-10-18T05:37:59.611-07:00"}]`, 200, "timezone=America/Los_Angeles"},
		{"a negative offset in hours", "timezone=-4", `[{"at":"2023-10-18T08:37:59.611-04:00"}]`, 200, "timezone=-4"},
		{"an offset with a sign and minutes is one of POSIX", "timezone=+05:30", `[{"at":"2023-10-18T07:07:59.611-05:30"}]`, 200, "timezone=+05:30"},
		{"an abbreviation that PostgreSQL knows", "timezone=EST5EDT", `[{"at":"2023-10-18T08:37:59.611-04:00"}]`, 200, "timezone=EST5EDT"},
		{"the first of two counts", "timezone=-4, timezone=-5", `[{"at":"2023-10-18T08:37:59.611-04:00"}]`, 200, "timezone=-4"},
		{"an unknown zone", "timezone=Jupiter/Red_Spot", unknown, 400, ""},
		{"an unknown zone, leniently", "handling=lenient, timezone=Jupiter/Red_Spot", unknown, 400, ""},
		{"an unknown zone, strictly", "handling=strict, timezone=Jupiter/Red_Spot", unknown, 400, ""},
		{"an empty zone", "timezone=", `{"code":"22023","details":null,"hint":null,"message":"invalid value for parameter \"TimeZone\": \"\""}`, 400, ""},
		{"leap seconds", "timezone=05:30:15",
			`{"code":"22023","details":"PostgreSQL does not support leap seconds.","hint":null,"message":"time zone \"05:30:15\" appears to use leap seconds"}`, 400, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			api.Run(t, restkit.Case{
				Path: "/moments?select=at", Header: map[string]string{"Prefer": c.prefer}, Status: c.status,
				Want: c.want, WantHeader: map[string]string{"Preference-Applied": c.applied},
			})
		})
	}
}

// PostgreSQL keeps each time zone that a connection has used in memory, and the number of
// valid zones is not limited: "AAA1", "AAB1" ….
func TestTimeZonesUseBoundedMemory(t *testing.T) {
	t.Parallel()
	api := restkit.New(t, `
		create function memory() returns bigint language sql security definer as 'select sum(total_bytes)::bigint from pg_backend_memory_contexts';`,
		func(c *settings.Config) { c.Pool = 1 })
	largest := 0
	for i := range 1200 {
		zone := fmt.Sprintf("A%c%c%c4", 'A'+i/676, 'A'+i/26%26, 'A'+i%26)
		response, body := api.Do(t, restkit.Case{Method: "POST", Path: "/rpc/memory", Header: map[string]string{"Prefer": "timezone=" + zone}})
		bytes, err := strconv.Atoi(body)
		if err != nil {
			t.Fatalf("%s: %d %s", zone, response.StatusCode, body)
		}
		largest = max(largest, bytes)
	}
	if largest > 16<<20 {
		t.Errorf("a connection uses %d MB", largest>>20)
	}
}
