package seal_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"plaza/server/auth/seal"
)

func box(t *testing.T, current string, names ...string) *seal.Box {
	t.Helper()
	keys := map[string][]byte{}
	for _, name := range names {
		keys[name] = seal.Derive([]byte("secret of " + name))
	}
	b, err := seal.New(current, keys)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestOpensWhatItSealed(t *testing.T) {
	t.Parallel()
	b := box(t, "a", "a")
	for _, plain := range []string{"", "JBSWY3DPEHPK3PXP", strings.Repeat("x", 4096)} {
		sealed := b.Seal([]byte(plain), "place")
		if plain != "" && strings.Contains(sealed, plain) {
			t.Errorf("%q is in the clear: %s", plain, sealed)
		}
		if sealed == b.Seal([]byte(plain), "place") {
			t.Errorf("%q is sealed alike twice", plain)
		}
		if got, err := b.Open(sealed, "place"); err != nil || string(got) != plain {
			t.Errorf("%q opens as %q, %v", plain, got, err)
		}
	}
}

func TestAnOldKeyStillOpens(t *testing.T) {
	t.Parallel()
	sealed := box(t, "old", "old").Seal([]byte("secret"), "place")
	if got, err := box(t, "new", "new", "old").Open(sealed, "place"); err != nil || !bytes.Equal(got, []byte("secret")) {
		t.Errorf("%q, %v", got, err)
	}
	if _, err := box(t, "new", "new").Open(sealed, "place"); !errors.Is(err, seal.ErrUnknownKey) {
		t.Errorf("error %v, want ErrUnknownKey", err)
	}
}

func TestAlteredTextIsNotOpened(t *testing.T) {
	t.Parallel()
	b := box(t, "a", "a")
	sealed := b.Seal([]byte("secret"), "place")
	for name, text := range map[string]string{
		"empty": "", "plain": "secret", "no parts": "s1.", "no text": "s1.a.", "cut": sealed[:len(sealed)-2],
		"changed": sealed[:len(sealed)-1] + "!", "another version": "s2" + sealed[2:],
	} {
		if got, err := b.Open(text, "place"); !errors.Is(err, seal.ErrDamaged) {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	if _, err := b.Open(sealed, "another place"); !errors.Is(err, seal.ErrDamaged) {
		t.Errorf("at another place: %v", err)
	}
}

func TestKeysAreChecked(t *testing.T) {
	t.Parallel()
	if _, err := seal.New("a", map[string][]byte{"a": []byte("short")}); err == nil {
		t.Error("a short key is taken")
	}
	if _, err := seal.New("b", map[string][]byte{"a": make([]byte, seal.KeySize)}); err == nil {
		t.Error("a missing key is taken")
	}
}
