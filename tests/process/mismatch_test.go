package process

import (
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"plaza/tests/testkit"
	"plaza/tests/testkit/s3server"
)

// A server that does not match the running servers, or its database, does not start and logs why. The others go on.
func TestMismatchedServersDoNotStart(t *testing.T) {
	t.Parallel()
	bytes := s3server.Start(t)
	bytes.Bucket(t, "objects")
	bucket := []string{
		"STORAGE_BACKEND=s3", "STORAGE_S3_BUCKET=objects", "STORAGE_S3_ENDPOINT=" + bytes.Endpoint, "STORAGE_S3_FORCE_PATH_STYLE=true",
		"STORAGE_S3_REGION=" + s3server.Region, "STORAGE_S3_ACCESS_KEY_ID=" + s3server.AccessKey, "STORAGE_S3_SECRET_ACCESS_KEY=" + s3server.SecretKey,
	}
	own, foreign := ownCluster(t), ownCluster(t)
	root, dir := project(t), folder(t) // with the secrets of the first server
	there := append(slices.Clip(bucket), "DATABASE_URL="+own.URL())
	first := startIn(t, root, dir, there...)
	refused := func(dir, want string, environ ...string) {
		t.Helper()
		s := launchIn(t, root, dir, environ...)
		if err := <-s.ended; err == nil || !strings.Contains(s.output.String(), want) {
			t.Errorf("%q is not logged: %v\n%s", want, err, s.output)
		}
		s.ended <- nil
	}
	refused(filepath.Join(root, "other"), "another server uses this database with other secrets", there...)
	refused(dir, "belongs to another cluster than the primary", append(slices.Clip(there), "DATABASE_REPLICA_URLS="+foreign.URL())...)
	refused(filepath.Join(root, "third"), "the bucket has the objects of another database", append(slices.Clip(bucket), "DATABASE_URL="+foreign.URL())...)
	if status, body := first.call(t, http.MethodGet, "/rest/v1/notes", first.keys.Anon, ""); status != http.StatusOK {
		t.Errorf("the first server: %d %s", status, body)
	}

	if _, err := testkit.Open(t, own.URL()).Exec(t.Context(), "insert into plaza.platform_migrations (version, name, checksum) values (9999, 'later', '')"); err != nil {
		t.Fatal(err)
	}
	refused(dir, "this one has no version 9999 of the platform", there...)
	second := startIn(t, root, dir, append(slices.Clip(there), "PLAZA_SERVE_NEWER_DATABASE=true")...)
	if status, body := second.call(t, http.MethodGet, "/rest/v1/notes", second.keys.Anon, ""); status != http.StatusOK {
		t.Errorf("beside a newer release: %d %s", status, body)
	}
}
