package words_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"plaza/client"
	"plaza/functions/words"
)

func names(t *testing.T) words.Names {
	t.Helper()
	all, err := words.ParseNames(client.Names())
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestOf(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]string{
		"/": "en es  /", "/en": "en en  /en", "/es": "es es /es /", "/ca/": "ca ca /ca /", "/ca/c/barcelona": "ca ca /ca /c/barcelona",
		"/about": "en es  /about", "/escaldes": "en es  /escaldes", "/en/about": "en es  /en/about", "/es/en": "es es /es /en",
	} {
		w, rest := words.Of(path, nil)
		if got := strings.Join([]string{w.Language, w.Home, w.Prefix, rest}, " "); got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
	for _, one := range [][3]string{
		{"es", "/", "/"}, {"en", "/", "/en"}, {"ca", "/en", "/ca"}, {"en", "/about", "/about"}, {"es", "/about", "/es/about"}, {"ca", "/c/x", "/ca/c/x"},
	} {
		if got := words.Path(one[0], one[1]); got != one[2] {
			t.Errorf("%s in %s is %s, want %s", one[1], one[0], got, one[2])
		}
	}
}

// As Intl formats them in the client.
func TestNumbers(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]string{
		"/":   "999 1,234 12,345 4.5 1 business 1,234 businesses $1,234.50 CHF\u00a00.50 -$3.00 $25",
		"/es": "999 1234 12.345 4,5 1 negocio 1234 negocios 1234,50\u00a0US$ 0,50\u00a0CHF -3,00\u00a0US$ 25\u00a0US$",
		"/ca": "999 1.234 12.345 4,5 1 negoci 1.234 negocis 1.234,50\u00a0USD 0,50\u00a0CHF -3,00\u00a0USD 25\u00a0USD",
	} {
		w, _ := words.Of(path, nil)
		got := strings.Join([]string{
			w.Count(999), w.Count(1234), w.Count(12345), w.Decimal("4.5"), w.Businesses(1), w.Businesses(1234),
			w.Money(1234.5, "USD"), w.Money(0.5, "CHF"), w.Money(-3, "USD"), w.Price(25, "USD"),
		}, " ")
		if got != want {
			t.Errorf("%s:\n%q, want\n%q", path, got, want)
		}
	}
}

func TestSay(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		path, text string
		values     []any
		want       string
	}{
		{"/", "Top rated in %s", []any{"Encamp"}, "Top rated in Encamp"},
		{"/es", "Top rated in %s", []any{"Encamp"}, "Los mejor valorados de Encamp"},
		{"/ca", "Top rated in %s", []any{"Encamp"}, "Els més ben valorats d'Encamp"},
		{"/ca", "Top rated in %s", []any{"Madrid"}, "Els més ben valorats de Madrid"},
		{"/ca", "Top rated in %s", []any{"Hospitalet"}, "Els més ben valorats d'Hospitalet"},
		{"/", "Qué", nil, "Qué"},
		{"/en", "Qué", nil, "What"},
		{"/en", "Añadir negocio", nil, "Añadir negocio"},
		{"/ca", "Qué", nil, "Què"},
		{"/", "%s businesses of a category", []any{"Restaurants"}, "Restaurants businesses"},
	} {
		w, _ := words.Of(tt.path, nil)
		if got := w.Say(tt.text, tt.values...); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.path, got, tt.want)
		}
	}
	w, _ := words.Of("/ca/search", names(t))
	if got := w.Name("Hair Salons") + ", " + w.Name("Somebody's"); got != "Perruqueries, Somebody's" {
		t.Errorf("names: %q", got)
	}
}

// sayCalls matches the texts of templates and code, groups those of the footer.
var (
	sayCalls = regexp.MustCompile("(?:\\bsay |Say\\()(\"(?:[^\"\\\\]|\\\\.)*\"|`[^`]*`)")
	groups   = regexp.MustCompile(`(?:\{|Label: )("[^"]*"),? (?:\[\]link|To:|places|kinds)`)
)

// Issue 19: each text of a page is translated to all languages, and there are no unused translations.
func TestEveryTextIsTranslated(t *testing.T) {
	t.Parallel()
	used := make(map[string]bool)
	read := func(file string, patterns ...*regexp.Regexp) {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, pattern := range patterns {
			for _, found := range pattern.FindAllStringSubmatch(string(source), -1) {
				text, err := strconv.Unquote(found[1])
				if err != nil {
					t.Fatal(err)
				}
				used[text] = true
			}
		}
	}
	for _, pattern := range []string{"../firstview/*.go", "../firstview/views/*.html", "../pages/*.go", "words.go"} {
		files, _ := filepath.Glob(pattern)
		for _, file := range files {
			if !strings.HasSuffix(file, "_test.go") {
				read(file, sayCalls)
			}
		}
	}
	read("../firstview/footer.go", groups)
	for _, day := range []string{"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun", "1 business", "%s businesses", "1 review", "%s reviews", "1 result", "%s results"} {
		used[day] = true
	}
	if len(used) < 100 {
		t.Errorf("found %d texts", len(used))
	}
	for text, missing := range words.Missing(used) {
		t.Errorf("%q: %s", text, missing)
	}
}
