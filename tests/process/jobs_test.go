package process

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

	"plaza/server/jobs"
)

// leaders returns the port of the server that runs each job, as `plaza status` shows it.
func (s *server) leaders(t *testing.T, root string) map[string]string {
	t.Helper()
	output, err := s.runCommand(t, nil, "status", "--project", root, "-o", "json")
	if err != nil {
		t.Fatal(err)
	}
	var status struct{ Jobs []jobs.Row }
	if err := json.Unmarshal([]byte(output), &status); err != nil {
		t.Fatal(err)
	}
	found := make(map[string]string)
	for _, job := range status.Jobs {
		found[job.Name] = job.Server[strings.LastIndex(job.Server, ":")+1:]
	}
	return found
}

// Each job has one server, and another one when that is killed or stops.
func TestJobsMoveToAnotherServer(t *testing.T) {
	t.Parallel()
	yours := ownCluster(t)
	root := project(t)
	dir := folder(t) // with the shared secrets
	settings := []string{"DATABASE_URL=" + yours.URL()}
	first := startIn(t, root, dir, settings...)
	// await waits until a server runs all jobs. The bound is that of a test that fails.
	await := func(s *server, since string) map[string]string {
		t.Helper()
		want := s.url[strings.LastIndex(s.url, ":")+1:]
		for end := time.Now().Add(6 * jobs.MoveTime); ; {
			found := s.leaders(t, root)
			missing := len(found) < 5
			for _, port := range found {
				missing = missing || port != want
			}
			if !missing {
				return found
			}
			if time.Now().After(end) {
				t.Fatalf("%s: the jobs are run by %v, want %s\n%s", since, found, want, s.output)
			}
		}
	}
	before := await(first, "at the start")
	second := startIn(t, root, dir, settings...)
	await(first, "with another server")
	if err := first.stop(t, os.Kill); err == nil {
		t.Error("a kill leaves no error")
	}
	after := await(second, "after a kill")
	for name := range before {
		if after[name] == "" {
			t.Errorf("%s is gone", name)
		}
	}
	third := startIn(t, root, dir, settings...)
	if err := second.stop(t, os.Interrupt); err != nil {
		t.Error(err)
	}
	await(third, "after a stop")
}
