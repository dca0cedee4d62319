package request

import (
	"strings"
	"testing"
	"time"

	"plaza/server/apierr"
	"plaza/server/freespace"
	"plaza/server/spool"
)

func TestALargeBodyLeavesTheFloorOfFreeSpace(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	quota := spool.NewQuota(allBodies, time.Second, folder).WithGuard(freespace.NewMeasuredGuard(folder, 1000, func(string) (freespace.Space, error) {
		return freespace.Space{Free: 999, Total: 1 << 40}, nil
	}))
	b := &Bodies{quota, 64 << 20}
	if _, err := send(t, b, strings.Repeat("x", 2*smallBody), true); apierr.As(err) == nil || apierr.As(err).Code != errDiskLow.Code {
		t.Errorf("a large one: %v, want %v", err, errDiskLow)
	}
	if _, err := send(t, b, "x", true); err != nil {
		t.Errorf("a small one: %v", err)
	}
}
