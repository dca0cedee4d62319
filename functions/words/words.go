// Package words has the texts of the marketplace's pages in the languages of the client, which
// has the same in client/src/texts.
package words

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// Words are the texts of pages in one language. A text is identified by its wording in the
// specification: Spanish for those of home, English for all others.
type Words struct {
	Language string // of all pages but home: "en", "es" or "ca"
	Home     string // language of home
	Prefix   string // start of the paths of pages: "", "/es" or "/ca"

	names map[string]string // by stored name
}

// Languages are the languages in which each page exists.
var Languages = []string{"en", "es", "ca"}

// prefixes are the starts of the paths of pages in a language. Without a prefix, home is in
// Spanish and all other pages are in English.
var prefixes = map[string]string{"es": "/es", "ca": "/ca"}

// Of returns the Words of a path, and the path without its language. names are the client's
// names of categories, amenities and places by language.
func Of(path string, names Names) (w *Words, rest string) {
	for language, prefix := range prefixes {
		if after, ok := strings.CutPrefix(path, prefix); ok && (after == "" || after[0] == '/') {
			if after == "" {
				after = "/"
			}
			return &Words{Language: language, Home: language, Prefix: prefix, names: names[language]}, after
		}
	}
	w = &Words{Language: "en", Home: "es"}
	if path == "/en" {
		w.Home = "en"
	}
	return w, path
}

// Names are names by language and stored name.
type Names map[string]map[string]string

// ParseNames parses the client's names: a JSON object for each language.
func ParseNames(files map[string][]byte) (Names, error) {
	all := make(Names, len(files))
	for language, file := range files {
		var names map[string]string
		if err := json.Unmarshal(file, &names); err != nil {
			return nil, fmt.Errorf("names in %q: %w", language, err)
		}
		all[language] = names
	}
	return all, nil
}

// Path returns the path of a page of the client in a language. Each page is in English without
// a prefix, but for home, which is in Spanish there.
func Path(language, path string) string {
	if path == "/" || path == "/en" {
		return map[string]string{"en": "/en", "es": "/", "ca": "/ca"}[language]
	}
	return prefixes[language] + path
}

// Name returns a category's, amenity's or place's name.
func (w *Words) Name(stored string) string {
	if name, ok := w.names[stored]; ok {
		return name
	}
	return stored
}

// Say returns a text in its language, formatted with values as by fmt.Sprintf.
func (w *Words) Say(text string, values ...any) string {
	if one, ok := fromEnglish[text]; ok {
		text = one.in(w.Language, text)
	} else if one, ok := fromSpanish[text]; ok {
		text = one.in(w.Home, text)
	}
	if len(values) == 0 {
		return text
	}
	return elide(fmt.Sprintf(text, values...))
}

// phrase is a text in the other languages.
type phrase struct{ en, es, ca string }

func (p phrase) in(language, source string) string {
	switch {
	case language == "ca":
		return p.ca
	case language == "es" && p.es != "":
		return p.es
	case language == "en" && p.en != "":
		return p.en
	}
	return source
}

// elide replaces "{de}" by "de ", or by "d'" before a vowel.
func elide(text string) string {
	before, after, ok := strings.Cut(text, "{de}")
	if !ok {
		return text
	}
	first := strings.TrimPrefix(strings.ToLower(after), "h")
	for _, vowel := range []string{"a", "e", "i", "o", "u", "à", "è", "é", "í", "ò", "ó", "ú"} {
		if strings.HasPrefix(first, vowel) {
			return before + "d'" + after
		}
	}
	return before + "de " + after
}

// Count formats a number as the client does: "1,234"; in Spanish from five digits on.
func (w *Words) Count(n int) string {
	digits := strconv.Itoa(n)
	separator, least := ",", 4
	switch w.Language {
	case "es":
		separator, least = ".", 5
	case "ca":
		separator = "."
	}
	if len(digits) < least {
		return digits
	}
	for at := len(digits) - 3; at > 0; at -= 3 {
		digits = digits[:at] + separator + digits[at:]
	}
	return digits
}

// Decimal returns a number, formatted with a point, with the language's decimal separator.
func (w *Words) Decimal(number string) string {
	if w.Language == "en" {
		return number
	}
	return strings.Replace(number, ".", ",", 1)
}

// Businesses counts businesses: "1 business", "1,234 businesses".
func (w *Words) Businesses(n int) string { return w.counted(n, "1 business", "%s businesses") }

// Results counts results, where the English text has the bare number.
func (w *Words) Results(n int) string {
	if w.Language == "en" {
		return strconv.Itoa(n)
	}
	return w.counted(n, "1 result", "%s results")
}

// Reviews counts reviews.
func (w *Words) Reviews(n int) string { return w.counted(n, "1 review", "%s reviews") }

func (w *Words) counted(n int, one, many string) string {
	if n == 1 {
		return w.Say(one)
	}
	return w.Say(many, w.Count(n))
}

// symbols are the currencies that a language writes by a symbol instead of their code.
var symbols = map[string]map[string]string{
	"en": {"USD": "$", "EUR": "€", "GBP": "£"},
	"es": {"USD": "US$", "EUR": "€"},
	"ca": {"EUR": "€", "GBP": "£"},
}

// Money formats a price as the client's formatMoney does.
func (w *Words) Money(amount float64, currency string) string {
	whole, cents, _ := strings.Cut(strconv.FormatFloat(max(amount, -amount), 'f', 2, 64), ".")
	n, _ := strconv.Atoi(whole)
	sign := ""
	if amount < 0 {
		sign = "-"
	}
	symbol, hasSymbol := symbols[w.Language][currency]
	if !hasSymbol {
		symbol = currency
	}
	if w.Language != "en" {
		return sign + w.Count(n) + "," + cents + "\u00a0" + symbol
	}
	if !hasSymbol {
		symbol += "\u00a0"
	}
	return sign + symbol + w.Count(n) + "." + cents
}

// Price formats a price without ".00", as the client's formatPrice does.
func (w *Words) Price(amount float64, currency string) string {
	text := w.Money(amount, currency)
	for _, cents := range []string{".00", ",00"} {
		if before, after, ok := strings.Cut(text, cents); ok && (after == "" || after[0] < '0' || after[0] > '9') {
			return before + after
		}
	}
	return text
}
