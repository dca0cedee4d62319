package image_test

import (
	"errors"
	"os"
	"testing"

	"plaza/server/freespace"
	"plaza/storage/image"
)

func TestCacheKeepsTheFloorOfFreeSpace(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	c, err := image.OpenCache(folder, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	// The disk has 1000 bytes, some of which are used by the cache.
	c.SetGuard(freespace.NewMeasuredGuard(folder, 500, func(string) (freespace.Space, error) {
		entries, err := os.ReadDir(folder)
		free := int64(1000)
		for _, entry := range entries {
			if info, err := entry.Info(); err == nil {
				free -= info.Size()
			}
		}
		return freespace.Space{Free: free, Total: 1000}, err
	}))
	get := func(key string, size int) error {
		file, _, err := c.Get(t.Context(), key, func() (image.Picture, error) {
			return image.Picture{ContentType: "image/png", Bytes: make([]byte, size)}, nil
		})
		if err == nil {
			_ = file.Close()
		}
		return err
	}
	for _, key := range []string{"a", "b", "c"} {
		if err := get(key, 200); err != nil {
			t.Fatal(err)
		}
	}
	if stats := c.Stats(); stats.Files != 2 || stats.Bytes != 400 {
		t.Errorf("%+v, want the two newest results", stats)
	}
	if err := get("d", 501); !errors.Is(err, freespace.ErrLow) {
		t.Errorf("a result that is too large: %v", err)
	}
}
