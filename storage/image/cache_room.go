package image

import (
	"fmt"
	"os"
	"path/filepath"

	"plaza/server/freespace"
)

// KeepFree has the cache hold itself to a guard. It is to be called before Get.
func (c *Cache) SetGuard(guard *freespace.Guard) { c.guard = guard }

// makeRoom removes the oldest results until size more bytes may be written. Errors:
// freespace.ErrLow where that is not enough.
func (c *Cache) makeRoom(size int64) error {
	for {
		err := c.guard.Check(size)
		if err == nil {
			return nil
		}
		if !c.dropOldest() {
			return fmt.Errorf("cache of images: %w", err)
		}
	}
}

// dropOldest removes the result that was not asked for the longest, and reports
// whether there was one.
func (c *Cache) dropOldest() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	oldest := c.recent.Back()
	if oldest == nil {
		return false
	}
	_ = os.Remove(filepath.Join(c.folder, oldest.Value.(*kept).name))
	c.drop(oldest)
	return true
}
