package password

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/crypto/bcrypt"
)

func TestMatches(t *testing.T) {
	t.Parallel()
	h := NewHasher(bcrypt.MinCost, 2)
	hash, err := h.Hash(t.Context(), "Correct-Horse-1")
	if err != nil {
		t.Fatal(err)
	}
	long := strings.Repeat("x", MaxLength)
	longHash, err := h.Hash(t.Context(), long)
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name, hash, password string
		want                 bool
	}{
		{"right", hash, "Correct-Horse-1", true},
		{"wrong", hash, "correct-horse-1", false},
		{"empty", hash, "", false},
		{"no account", "", "Correct-Horse-1", false},
		{"a hash of another kind", "$argon2id$v=19$m=1,t=1,p=1$YWJj$YWJj", "Correct-Horse-1", false},
		{"a broken hash", "$2a$10$short", "Correct-Horse-1", false},
		{"72 bytes", longHash, long, true},
		{"72 bytes and one more", longHash, long + "x", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := h.Matches(t.Context(), tt.hash, tt.password)
			if err != nil || got != tt.want {
				t.Errorf("got %v, %v, want %v", got, err, tt.want)
			}
		})
	}
	if _, err := bcrypt.Cost([]byte(h.unmatchable)); err != nil {
		t.Errorf("no hash is computed for an unknown account: %v", err)
	}
	if cost, _ := bcrypt.Cost([]byte(NewHasher(Cost, 1).unmatchable)); cost != Cost {
		t.Errorf("the hash for an unknown account costs %d, want %d", cost, Cost)
	}
}

// A burst of sign-ins is refused instead of starving other requests.
func TestHashesAreBounded(t *testing.T) {
	t.Parallel()
	h := NewHasher(bcrypt.MinCost, 1)
	h.slots <- struct{}{} // one is under way
	h.waiting.Store(waitersPerSlot)
	if _, err := h.Matches(t.Context(), "", "x"); !errors.Is(err, ErrBusy) {
		t.Errorf("a full queue: %v, want ErrBusy", err)
	}
	h.waiting.Store(0)
	removed, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := h.Hash(removed, "x"); !errors.Is(err, context.Canceled) {
		t.Errorf("a client that disconnected: %v", err)
	}
	waited := make(chan error)
	go func() {
		_, err := h.Hash(t.Context(), "x")
		waited <- err
	}()
	<-h.slots
	if err := <-waited; err != nil {
		t.Errorf("a free slot is not taken: %v", err)
	}
	if len(h.slots) != 0 || h.waiting.Load() != 0 {
		t.Error("a slot or a place in the queue is not given back")
	}
}

func TestPolicy(t *testing.T) {
	t.Parallel()
	p := Policy{MinLength: 8, Required: CharacterSets{"abc", "0123456789"}}
	tests := []struct {
		name, password string
		want           *Weakness
	}{
		{"strong", "aaaaaaa1", nil},
		{"short", "aaaaaa1", &Weakness{[]string{"length"}, "Password should be at least 8 characters."}},
		{"no digit", "aaaaaaaa", &Weakness{[]string{"characters"}, "Password should contain at least one character of each: abc, 0123456789."}},
		{"both", "x", &Weakness{[]string{"length", "characters"},
			"Password should be at least 8 characters. Password should contain at least one character of each: abc, 0123456789."}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, p.Check(tt.password)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestCharacterSets(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, text string
		want       CharacterSets
	}{
		{"none", "", nil},
		{"one", "abc", CharacterSets{"abc"}},
		{"several", "abc:ABC::012", CharacterSets{"abc", "ABC", "012"}},
		{"a colon in a set", `abc:!\:?:012`, CharacterSets{"abc", "!:?", "012"}},
		{"ends escaped", `abc:x\`, CharacterSets{"abc", "x:"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got CharacterSets
			if err := got.UnmarshalText([]byte(tt.text)); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
