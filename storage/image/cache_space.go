package image

import (
	"fmt"
	"os"
	"path/filepath"

	"plaza/server/freespace"
)

// SetGuard sets the guard for the free space of the folder. It must be called before Get.
func (c *Cache) SetGuard(guard *freespace.Guard) { c.guard = guard }

// evictFor evicts the least recently used results until size more bytes may be written.
//
// Errors: freespace.ErrLow if this is not sufficient.
func (c *Cache) evictFor(size int64) error {
	for {
		err := c.guard.Check(size)
		if err == nil {
			return nil
		}
		if !c.evictOldest() {
			return fmt.Errorf("cache of images: %w", err)
		}
	}
}

// evictOldest removes the least recently used result, and reports whether there was one.
func (c *Cache) evictOldest() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	oldest := c.recent.Back()
	if oldest == nil {
		return false
	}
	_ = os.Remove(filepath.Join(c.folder, oldest.Value.(*cacheEntry).name))
	c.drop(oldest)
	return true
}
