package s3_test

import (
	"errors"
	"testing"

	"plaza/storage/blob"
	"plaza/storage/blob/s3"
	"plaza/tests/testkit/s3server"
)

// A bucket belongs to the database that was there first, for each prefix. The object that
// records this is no blob.
func TestBucketOfAnotherDatabase(t *testing.T) {
	t.Parallel()
	server := s3server.Start(t)
	server.Bucket(t, "shared")
	cfg := config(server.Endpoint, "shared")
	cfg.Prefix = "tenant/"
	store := open(t, cfg)
	for range 2 {
		if err := store.Claim(t.Context(), "the first"); err != nil {
			t.Fatal(err)
		}
	}
	if err := store.Claim(t.Context(), "a second"); !errors.Is(err, s3.ErrOwned) {
		t.Errorf("a second database: %v", err)
	}
	if err := store.List(t.Context(), "", func(info blob.Info) error { return errors.New(info.Name) }); err != nil {
		t.Errorf("listed: %v", err)
	}
	cfg.Prefix = "other/"
	if err := open(t, cfg).Claim(t.Context(), "a second"); err != nil {
		t.Errorf("another prefix: %v", err)
	}
}
