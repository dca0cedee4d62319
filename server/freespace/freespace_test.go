package freespace_test

import (
	"errors"
	"io"
	"strings"
	"testing"

	"plaza/server/freespace"
)

// guard returns a Guard for a file system of 100 GiB whose free space is set by the
// test.
func guard(floor freespace.Floor, free *int64) *freespace.Guard {
	return freespace.NewMeasuredGuard("/objects", floor, func(string) (freespace.Space, error) {
		return freespace.Space{Free: *free, Total: 100 << 30}, nil
	})
}

func TestTheDefaultFloorIsOneGibibyteOrAShareOfASmallDisk(t *testing.T) {
	t.Parallel()
	for total, want := range map[int64]int64{100 << 30: 1 << 30, 1 << 30: (1 << 30) / 20} {
		if got := freespace.Auto.Bytes(freespace.Space{Total: total}); got != want {
			t.Errorf("of %d: %d, want %d", total, got, want)
		}
	}
}

func TestCheckIncludesTheBytesToWrite(t *testing.T) {
	t.Parallel()
	free := int64(1000)
	g := guard(400, &free)
	if err := g.Check(600); err != nil {
		t.Error(err)
	}
	if err := g.Check(601); !errors.Is(err, freespace.ErrLow) {
		t.Errorf("one byte more: %v", err)
	}
	if err := guard(0, &free).Check(5000); err != nil {
		t.Errorf("without a floor: %v", err)
	}
	if err := (*freespace.Guard)(nil).Check(5000); err != nil {
		t.Errorf("without a guard: %v", err)
	}
}

func TestAReaderFailsWhenTheDiskFillsMeanwhile(t *testing.T) {
	t.Parallel()
	free := int64(1000)
	body := guard(400, &free).Reader(strings.NewReader(strings.Repeat("x", 3<<20)))
	if _, err := io.CopyN(io.Discard, body, 1<<20); err != nil {
		t.Fatal(err)
	}
	free = 399
	if n, err := io.Copy(io.Discard, body); !errors.Is(err, freespace.ErrLow) || n > 1<<20 {
		t.Errorf("%d bytes, %v", n, err)
	}
}

func TestSpaceOfARealFolder(t *testing.T) {
	t.Parallel()
	if space, err := freespace.Of(t.TempDir()); err != nil || space.Total <= 0 || space.Free > space.Total {
		t.Errorf("%+v, %v", space, err)
	}
}
