package embedded

import "testing"

func TestSharedBuffers(t *testing.T) {
	for memory, want := range map[uint64]string{
		0: "128MB", 256 << 20: "128MB", 1 << 30: "256MB", 3 << 30: "768MB", 8 << 30: "1024MB", 1 << 40: "1024MB",
	} {
		if got := sharedBuffers(memory); got != want {
			t.Errorf("%d bytes of memory: %s, want %s", memory, got, want)
		}
	}
	if memory() == 0 {
		t.Error("the memory of this machine is unknown")
	}
}
