package words

import "strings"

// Missing returns the errors in the phrases of texts: languages that lack one, other verbs
// than the original has, and phrases that no text needs.
func Missing(texts map[string]bool) map[string]string {
	wrong := make(map[string]string)
	check := func(text, translation, language string) {
		if translation == "" {
			wrong[text] = "not in " + language
		} else if strings.Count(text, "%") != strings.Count(translation, "%") {
			wrong[text] = "other values in " + language
		}
	}
	for text := range texts {
		english, isEnglish := fromEnglish[text]
		spanish, isSpanish := fromSpanish[text]
		switch {
		case isEnglish:
			check(text, english.es, "es")
			check(text, english.ca, "ca")
		case isSpanish:
			check(text, spanish.en, "en")
			check(text, spanish.ca, "ca")
		default:
			wrong[text] = "in no language"
		}
	}
	for text := range fromEnglish {
		if !texts[text] {
			wrong[text] = "on no page"
		}
	}
	return wrong
}
