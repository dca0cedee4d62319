package blobtest

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"plaza/storage/blob"
)

// large is a size for which the S3 store sends several parts if the size is unknown.
const large = 40 << 20

func failingReader(t *testing.T, s blob.Store) {
	broken := errors.New("the client went away")
	for _, after := range []int64{0, 1, 1 << 20, large} {
		for _, said := range []int64{after + 100, blob.UnknownSize} {
			r := io.MultiReader(Stream(3, after), iotest.ErrReader(broken))
			if _, err := s.Put(t.Context(), "failed", r, said); !errors.Is(err, broken) {
				t.Errorf("Put that failed after %d bytes: %v, want the reader's error", after, err)
			}
			mustBeGone(t, s, "failed")
		}
	}
}

func wrongSize(t *testing.T, s blob.Store) {
	for _, said := range []int64{0, 99, 101, 6 << 20} {
		_, err := s.Put(t.Context(), "wrong", struct{ io.Reader }{Stream(3, 100)}, said)
		if !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("Put of 100 bytes, said to be %d: %v, want io.ErrUnexpectedEOF", said, err)
		}
		mustBeGone(t, s, "wrong")
	}
	upload := mustBegin(t, s, "wrong")
	for _, said := range []int64{99, 101} {
		_, err := s.PutPart(t.Context(), "wrong", upload, 1, struct{ io.Reader }{Stream(3, 100)}, said)
		if !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("PutPart of 100 bytes, said to be %d: %v, want io.ErrUnexpectedEOF", said, err)
		}
	}
	if parts, err := s.Parts(t.Context(), "wrong", upload); err != nil || len(parts) != 0 {
		t.Errorf("parts after failures = %v, %v", parts, err)
	}
}

// cancelling is a reader that cancels a context after some bytes.
type cancelling struct {
	r      io.Reader
	after  int64
	cancel context.CancelFunc
}

func (c *cancelling) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	if c.after -= int64(n); c.after <= 0 {
		c.cancel()
	}
	return n, err
}

func cancelled(t *testing.T, s blob.Store) {
	for _, size := range []int64{10, large} {
		for _, said := range []int64{size, blob.UnknownSize} {
			ctx, cancel := context.WithCancel(t.Context())
			_, err := s.Put(ctx, "cancelled", &cancelling{Stream(4, size), size / 2, cancel}, said)
			if !errors.Is(err, context.Canceled) {
				t.Errorf("Put of %d bytes, said to be %d: %v, want context.Canceled", size, said, err)
			}
			mustBeGone(t, s, "cancelled")
		}
	}
}

func mustBegin(t *testing.T, s blob.Store, name string) string {
	t.Helper()
	upload, err := s.Begin(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	return upload
}

func mustPutPart(t *testing.T, s blob.Store, name, upload string, number int, content []byte, size int64) blob.Part {
	t.Helper()
	part, err := s.PutPart(t.Context(), name, upload, number, struct{ io.Reader }{bytes.NewReader(content)}, size)
	if err != nil {
		t.Fatal(err)
	}
	if part.Number != number || part.Size != int64(len(content)) || part.ETag == "" {
		t.Errorf("PutPart %d of %d bytes = %+v", number, len(content), part)
	}
	return part
}

// partSize returns a size that is valid for every part.
func partSize(s blob.Store) int64 { return max(s.MinPart(), 1000) }

func joins(t *testing.T, s blob.Store) {
	const name = "joined/whole"
	size := partSize(s)
	upload := mustBegin(t, s, name)
	first, second, last := Bytes(1, size), Bytes(2, size+7), Bytes(3, 5)
	parts := make([]blob.Part, 3)
	parts[2] = mustPutPart(t, s, name, upload, 10_000, last, blob.UnknownSize)
	parts[0] = mustPutPart(t, s, name, upload, 2, first, int64(len(first)))
	parts[1] = mustPutPart(t, s, name, upload, 3, second, blob.UnknownSize)
	mustBeGone(t, s, name)

	listed, err := s.Parts(t.Context(), name, upload)
	if err != nil || len(listed) != 3 {
		t.Fatalf("Parts = %+v, %v", listed, err)
	}
	for i, part := range listed {
		if part.Number != parts[i].Number || part.ETag != parts[i].ETag || part.Size != parts[i].Size || part.Modified.IsZero() {
			t.Errorf("part %d is listed as %+v, was put as %+v", i, part, parts[i])
		}
	}
	info, err := s.Join(t.Context(), name, upload, parts)
	if err != nil || info.Size != 2*size+12 || info.Name != name {
		t.Fatalf("Join = %+v, %v", info, err)
	}
	MustHold(t, s, name, 0, io.MultiReader(bytes.NewReader(first), bytes.NewReader(second), bytes.NewReader(last)))
	if _, err := s.Parts(t.Context(), name, upload); !errors.Is(err, blob.ErrNotFound) {
		t.Errorf("Parts after Join: %v, want ErrNotFound", err)
	}
	again, err := s.Join(t.Context(), name, upload, parts)
	if !errors.Is(err, blob.ErrNotFound) && (err != nil || again.Size != info.Size) {
		t.Errorf("Join after Join = %+v, %v, want the same blob or ErrNotFound", again, err)
	}
}

func replaced(t *testing.T, s blob.Store) {
	const name = "replaced"
	upload := mustBegin(t, s, name)
	before := mustPutPart(t, s, name, upload, 1, []byte("before"), 6)
	after := mustPutPart(t, s, name, upload, 1, []byte("after"), 5)
	listed, err := s.Parts(t.Context(), name, upload)
	if err != nil || len(listed) != 1 || listed[0].ETag != after.ETag || listed[0].Size != 5 {
		t.Errorf("Parts = %+v, %v", listed, err)
	}
	if _, err := s.Join(t.Context(), name, upload, []blob.Part{before}); !errors.Is(err, blob.ErrNotFound) {
		t.Errorf("Join of a part that was replaced: %v, want ErrNotFound", err)
	}
	if _, err := s.Join(t.Context(), name, upload, []blob.Part{after}); err != nil {
		t.Fatal(err)
	}
	MustHold(t, s, name, 0, strings.NewReader("after"))
}

func joinErrors(t *testing.T, s blob.Store) {
	const name = "strict"
	upload := mustBegin(t, s, name)
	there := mustPutPart(t, s, name, upload, 1, []byte("there"), 5)
	other := mustBegin(t, s, "other")
	elsewhere := mustPutPart(t, s, "other", other, 2, []byte("elsewhere"), 9)
	for what, parts := range map[string][]blob.Part{
		"no part":                   nil,
		"a number that was not put": {{Number: 7, ETag: there.ETag}},
		"a tag that was not given":  {{Number: 1, ETag: "0123456789abcdef0123456789abcdef"}},
		"a part of another upload":  {elsewhere},
		"a path":                    {{Number: 2, ETag: "x/../../" + other + "/00002." + elsewhere.ETag}},
	} {
		if _, err := s.Join(t.Context(), name, upload, parts); !errors.Is(err, blob.ErrNotFound) {
			t.Errorf("Join of %s: %v, want ErrNotFound", what, err)
		}
		mustBeGone(t, s, name)
	}
	second := mustPutPart(t, s, name, upload, 2, []byte("second"), 6)
	for _, parts := range [][]blob.Part{{second, there}, {there, there}} {
		if _, err := s.Join(t.Context(), name, upload, parts); err == nil {
			t.Errorf("parts %d, %d were joined", parts[0].Number, parts[1].Number)
		}
	}
	for _, number := range []int{0, -1, 10_001} {
		if _, err := s.PutPart(t.Context(), name, upload, number, strings.NewReader("x"), 1); err == nil {
			t.Errorf("part %d was taken", number)
		}
	}
	for _, unknown := range []string{other, "never", "", "../" + upload} {
		if _, err := s.PutPart(t.Context(), name, unknown, 1, strings.NewReader("x"), 1); !errors.Is(err, blob.ErrNotFound) {
			t.Errorf("PutPart to upload %q: %v, want ErrNotFound", unknown, err)
		}
		if _, err := s.Parts(t.Context(), name, unknown); !errors.Is(err, blob.ErrNotFound) {
			t.Errorf("Parts of upload %q: %v, want ErrNotFound", unknown, err)
		}
	}
	if _, err := s.Join(t.Context(), name, upload, []blob.Part{there}); err != nil {
		t.Errorf("Join after those that failed: %v", err)
	}
}

func discards(t *testing.T, s blob.Store) {
	const name = "discarded"
	upload := mustBegin(t, s, name)
	part := mustPutPart(t, s, name, upload, 1, []byte("part"), 4)
	for range 2 {
		if err := s.Discard(t.Context(), name, upload); err != nil {
			t.Errorf("Discard: %v", err)
		}
	}
	if err := s.Discard(t.Context(), name, "never"); err != nil {
		t.Errorf("Discard of an upload that never was: %v", err)
	}
	if _, err := s.PutPart(t.Context(), name, upload, 1, strings.NewReader("late"), 4); !errors.Is(err, blob.ErrNotFound) {
		t.Errorf("PutPart after Discard: %v, want ErrNotFound", err)
	}
	if _, err := s.Join(t.Context(), name, upload, []blob.Part{part}); !errors.Is(err, blob.ErrNotFound) {
		t.Errorf("Join after Discard: %v, want ErrNotFound", err)
	}
	mustBeGone(t, s, name)
}

func discardsAll(t *testing.T, s blob.Store) {
	one, two, other := mustBegin(t, s, "f/name"), mustBegin(t, s, "f/name"), mustBegin(t, s, "f/name2")
	for range 2 {
		if err := s.DiscardAll(t.Context(), "f/name"); err != nil {
			t.Errorf("DiscardAll: %v", err)
		}
	}
	for _, upload := range []string{one, two} {
		if _, err := s.PutPart(t.Context(), "f/name", upload, 1, strings.NewReader("x"), 1); !errors.Is(err, blob.ErrNotFound) {
			t.Errorf("a part after DiscardAll: %v, want ErrNotFound", err)
		}
	}
	if _, err := s.PutPart(t.Context(), "f/name2", other, 1, strings.NewReader("x"), 1); err != nil {
		t.Errorf("a part of another name: %v", err)
	}
}
