package mfa_test

import (
	"encoding/xml"
	"fmt"
	"image"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/boombuler/barcode/qr"
	"github.com/pquerna/otp"
	"github.com/pquerna/otp/totp"

	"plaza/server/auth/mfa"
)

var noon = time.Date(2026, time.March, 14, 12, 0, 0, 0, time.UTC)

func TestNewTOTP(t *testing.T) {
	t.Parallel()
	made, err := mfa.NewTOTP("Shop: Ana's", "ana+x@plaza.test")
	if err != nil {
		t.Fatal(err)
	}
	if !regexp.MustCompile(`^[A-Z2-7]{32}$`).MatchString(made.Secret) {
		t.Errorf("secret %q is not 32 characters of base32", made.Secret)
	}
	uri, err := url.Parse(made.URI)
	if err != nil {
		t.Fatal(err)
	}
	if uri.Scheme != "otpauth" || uri.Host != "totp" || uri.Path != "/Shop  Ana's:ana+x@plaza.test" {
		t.Errorf("URI %s", made.URI)
	}
	for name, want := range map[string]string{"secret": made.Secret, "issuer": "Shop  Ana's", "period": "30", "digits": "6", "algorithm": "SHA1"} {
		if got := uri.Query().Get(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	other, err := mfa.NewTOTP("Shop", "ana@plaza.test")
	if err != nil {
		t.Fatal(err)
	}
	if other.Secret == made.Secret {
		t.Error("two secrets are alike")
	}
}

// TestCodesMatchRFC6238 compares with the vectors of RFC 6238 (their last 6 digits).
func TestCodesMatchRFC6238(t *testing.T) {
	t.Parallel()
	const secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
	for at, code := range map[int64]string{59: "287082", 1111111109: "081804", 1111111111: "050471", 1234567890: "005924", 2000000000: "279037"} {
		step, ok, err := mfa.MatchTOTP(secret, code, time.Unix(at, 0), 0)
		if err != nil || !ok || step != at/30 {
			t.Errorf("at %d: step %d, ok %v, %v", at, step, ok, err)
		}
	}
}

func TestMatchTOTP(t *testing.T) {
	t.Parallel()
	const secret = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"
	now := noon.Unix() / 30
	codeOf := func(step int64) string {
		code, err := totp.GenerateCodeCustom(secret, time.Unix(step*30, 0), totp.ValidateOpts{Digits: otp.DigitsSix})
		if err != nil {
			t.Fatal(err)
		}
		return code
	}
	tests := []struct {
		name, code string
		spent      int64
		step       int64
		ok         bool
	}{
		{"now", codeOf(now), 0, now, true},
		{"with spaces around", " " + codeOf(now) + "\n", 0, now, true},
		{"one step early", codeOf(now - 1), 0, now - 1, true},
		{"one step late", codeOf(now + 1), 0, now + 1, true},
		{"two steps early", codeOf(now - 2), 0, 0, false},
		{"two steps late", codeOf(now + 2), 0, 0, false},
		{"used", codeOf(now), now, 0, false},
		{"before a used one", codeOf(now - 1), now, 0, false},
		{"after a used one", codeOf(now + 1), now, now + 1, true},
		{"empty", "", 0, 0, false},
		{"too long", codeOf(now) + "0", 0, 0, false},
		{"NUL", "\x00\x00\x00\x00\x00\x00", 0, 0, false},
	}
	for _, tt := range tests {
		step, ok, err := mfa.MatchTOTP(secret, tt.code, noon, tt.spent)
		if err != nil || ok != tt.ok || step != tt.step {
			t.Errorf("%s: step %d, ok %v, %v; want %d, %v", tt.name, step, ok, err, tt.step, tt.ok)
		}
	}
	if _, _, err := mfa.MatchTOTP("not base32!", "123456", noon, 0); err == nil {
		t.Error("a damaged secret is no error")
	}
}

func TestIssuerOf(t *testing.T) {
	t.Parallel()
	for site, want := range map[string]string{"https://plaza.test/x": "plaza.test", "http://127.0.0.1:54321": "127.0.0.1:54321", "plaza": "plaza"} {
		if got := mfa.IssuerOf(site); got != want {
			t.Errorf("IssuerOf(%q) is %q, want %q", site, got, want)
		}
	}
}

// TestQRCode reads the SVG back, module by module.
func TestQRCode(t *testing.T) {
	t.Parallel()
	for _, account := range []string{"a@b.c", strings.Repeat("ä", 120) + "@plaza.test"} {
		made, err := mfa.NewTOTP(strings.Repeat("é", 60), account)
		if err != nil {
			t.Fatal(err)
		}
		if strings.ContainsAny(made.QRCode, "#%\n\r\"") {
			t.Errorf("the SVG needs escaping in a data: address")
		}
		var drawn struct {
			XMLName xml.Name
			ViewBox string `xml:"viewBox,attr"`
			Path    struct {
				D string `xml:"d,attr"`
			} `xml:"path"`
		}
		if err := xml.Unmarshal([]byte(made.QRCode), &drawn); err != nil {
			t.Fatal(err)
		}
		want, err := qr.Encode(made.URI, qr.M, qr.Auto)
		if err != nil {
			t.Fatal(err)
		}
		size := want.Bounds().Dx()
		if drawn.XMLName.Space != "http://www.w3.org/2000/svg" || drawn.ViewBox != fmt.Sprintf("0 0 %[1]d %[1]d", size+8) {
			t.Errorf("it is %v, %s", drawn.XMLName, drawn.ViewBox)
		}
		black := map[image.Point]bool{}
		for _, run := range strings.Split(strings.TrimSuffix(drawn.Path.D, "z"), "z") {
			var x, y, width, back int
			if _, err := fmt.Sscanf(run, "M%d %dh%dv1h-%d", &x, &y, &width, &back); err != nil || back != width {
				t.Fatalf("run %q: %v", run, err)
			}
			for i := range width {
				black[image.Pt(x-4+i, y-4)] = true
			}
		}
		for y := range size {
			for x := range size {
				if r, _, _, _ := want.At(x, y).RGBA(); (r == 0) != black[image.Pt(x, y)] {
					t.Fatalf("module %d, %d differs", x, y)
				}
			}
		}
	}
}
