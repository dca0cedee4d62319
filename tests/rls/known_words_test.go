package rls

import "testing"

// How typed words are interpreted: SEARCH-09.
func TestTypedWordsAreInterpreted(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	tests := []struct{ what, typed, want string }{
		{"as it is known", "peluquería", "peluqueria"},
		{"another form", "limpiamos casas", "limpiamos casas"},
		{"a letter missing", "peluqeria", "peluqueria"},
		{"two letters swapped in a short word", "mehcas", "mechas"},
		{"another letter in a short word", "pizxa", "pizza"},
		{"another letter in a word of four is another word", "zapo", "zapo"},
		{"spelled by ear", "paeya, kafe, otel, varbero", "paella cafe hotel barbero"},
		{"a diminutive", "cervecita y arreglito", "cervecita arreglo"},
		{"a pronoun at the end of a verb", "depilarnos", "depilar"},
		{"two words written as one", "tallermecanico", "taller mecanico"},
		{"and with what stands between them", "cambiodeaceite", "cambio aceite"},
		{"one word written as two", "floris teria", "floristeria"},
		{"an article before an apostrophe", "l'esquena", "esquena"},
		{"an ending after one", "men's haircut", "men haircut"},
		{"the plural of a word of two letters is none", "pas", "pas"},
		{"words that say nothing", "hola, ¿dónde puedo encontrar un dentista?", "dentista"},
		{"nothing else", "dónde", "donde"},
		{"what nobody knows beside what is known", "dentista qwrtzx", "dentista"},
	}
	for _, tt := range tests {
		if got := w.text(t, `select array_to_string(private.understood_words($1), ' ')`, tt.typed); got != tt.want {
			t.Errorf("%s: %q is read as %q, want %q", tt.what, tt.typed, got, tt.want)
		}
	}
}

// A word has the meaning of its own synonyms; those of its other forms only if it has none.
func TestCategoriesOfWords(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	tests := []struct{ words, want string }{
		{"{renta}", "tax-advisors"},
		{"{rentar,cotxe}", "auto car-wash"},
		{"{peluq}", "hair"},
		{"{cortar,pelo}", "barbers hair"},
		{"{madrid}", ""},
		{"{qwrtzx}", ""},
	}
	for _, tt := range tests {
		got := w.text(t, `select coalesce(string_agg(distinct category_code, ' ' order by category_code), '') from private.categories_of($1::text[])`, tt.words)
		if got != tt.want {
			t.Errorf("%s mean %q, want %q", tt.words, got, tt.want)
		}
	}
}

// If no business has all words, each word is a vote for its categories: only businesses of the most
// likely one are found.
func TestWordsSelectTheMostLikelyCategory(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.exec(t, `insert into public.businesses (name, type, location) values
		('Zirgon Uno', 'Arreglos de ropa', 'Girona'), ('Zirgon Dos', 'Tienda de moda', 'Girona'), ('Zirgon Tres', 'Tienda de moda', 'Palma de Mallorca')`)
	w.exec(t, `insert into public.category_synonyms (category_slug, synonym_term, language_code) values
		('tailors', 'qwgamma qwzeta', 'es'), ('fashion', 'qwgamma qwdelta qwepsilon', 'es')`)
	tests := []struct{ text, loc, want string }{
		{"qwgamma qwdelta", "Girona", "Zirgon Dos"},
		{"ropa", "Mallorca", "Zirgon Tres"},
		{"ropa", "Islas Baleares", "Zirgon Tres"},
		{"ropa en mallorca", "", "Zirgon Tres"},
		{"ropa en andalucía", "", ""},
	}
	for _, tt := range tests {
		got := w.ask(t, anon, `select coalesce(string_agg(name, ', '), '') from public.best_businesses(nullif($1, ''), nullif($2, '')) where name like 'Zirgon%'`, tt.text, tt.loc)
		if got != tt.want {
			t.Errorf("%s in %s: %q, want %q", tt.text, tt.loc, got, tt.want)
		}
	}
}
