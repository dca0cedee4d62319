package core_test

import (
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"plaza/storage/blob"
	"plaza/storage/core"
)

func (k *kit) blobCount() (count int) {
	k.t.Helper()
	if err := k.blobs.List(k.t.Context(), "", func(blob.Info) error { count++; return nil }); err != nil {
		k.t.Fatal(err)
	}
	return count
}

func (k *kit) upload(key string) {
	k.t.Helper()
	_, err := k.Upload(k.t.Context(), service, core.Upload{
		Target: core.Target{Bucket: "own", Key: key, MimeType: "text/plain", Length: 3}, Size: 3, Body: strings.NewReader("abc"),
	}, false)
	if err != nil {
		k.t.Fatal(err)
	}
}

func TestDeletedBlobsAreHeld(t *testing.T) {
	t.Parallel()
	k := start(t)
	k.upload("one")
	if err := k.Delete(t.Context(), service, "own", "one"); err != nil {
		t.Fatal(err)
	}
	if err := k.keeping(time.Hour).Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	if count := k.blobCount(); count != 1 {
		t.Errorf("%d blobs are held", count)
	}
	k.exec(`update storage.unused_blobs set delete_after = delete_after - interval '61 minutes'`)
	if err := k.keeping(time.Hour).Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	if count := k.blobCount(); count != 0 {
		t.Errorf("%d blobs are left", count)
	}
}

func TestUnnamedBlobsOfARestoredDatabaseAreSwept(t *testing.T) {
	t.Parallel()
	k := start(t)
	k.upload("named")
	k.upload("newer")
	k.exec(`alter table storage.objects disable trigger all; delete from storage.objects where name = 'newer'; alter table storage.objects enable trigger all`)
	conn, err := pgx.Connect(t.Context(), k.address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close(t.Context()) })
	marked, err := core.MarkUnnamed(t.Context(), conn, k.blobs, func(string) bool { return true })
	if err != nil || marked != 1 {
		t.Fatalf("%d marked: %v", marked, err)
	}
	k.exec(`update storage.unused_blobs set delete_after = now() - interval '1 minute'`)
	if err := k.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	if count := k.blobCount(); count != 1 {
		t.Errorf("%d blobs are left", count)
	}
}
