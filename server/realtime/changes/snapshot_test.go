package changes

import "testing"

func TestSnapshot(t *testing.T) {
	t.Parallel()
	const epoch = 3 << 32
	for _, c := range []struct {
		text  string
		lower uint32
		want  bool
	}{
		{"90:100:", 89, true},
		{"90:100:90,95", 90, false},
		{"90:100:90,95", 94, true},
		{"90:100:90,95", 95, false},
		{"90:100:90,95", 100, false},
		{"90:100:90,95", 101, false},
		// The ids of 32 bits have wrapped around three times.
		{"12884901878:12884901890:12884901880", uint32((epoch - 8) & 0xffffffff), false},
		{"12884901878:12884901890:12884901880", uint32((epoch - 7) & 0xffffffff), true},
		{"12884901878:12884901890:", 1, true},
		{"12884901878:12884901890:", 2, false},
	} {
		s, err := parseSnapshot(c.text)
		if err != nil {
			t.Fatal(err)
		}
		if got := s.sees(c.lower); got != c.want {
			t.Errorf("%s sees %d: %t", c.text, c.lower, got)
		}
	}
	for _, text := range []string{"", "1:2", "1:2:x", "x:2:", "1:2:3:4"} {
		if _, err := parseSnapshot(text); err == nil {
			t.Errorf("%q was parsed", text)
		}
	}
}
