package gentypes

import (
	"strings"
	"testing"
)

func TestLayout(t *testing.T) {
	t.Parallel()
	long := func(count int) text { return text(strings.Repeat("x", count)) }
	for _, test := range []struct {
		name string
		m    member
		want string
	}{
		{"a line of eighty", field("a", false, long(77)), "a: " + string(long(77)) + "\n"},
		{"a type that cannot be broken", field("a", false, long(78)), "a: " + string(long(78)) + "\n"},
		{"a union of eighty", field("a", true, union{long(36), long(37)}), "a?: " + string(long(36)) + " | " + string(long(37)) + "\n"},
		{"a longer union", field("a", true, union{long(37), long(37)}), "a?:\n  | " + string(long(37)) + "\n  | " + string(long(37)) + "\n"},
		{"an array of a union", field("a", false, array{union{text("b"), text("c")}}), "a: (b | c)[]\n"},
		{"an array of one", field("a", false, array{union{text("b")}}), "a: b[]\n"},
		{"a long array of a union", field("a", false, array{union{long(40), long(40)}}), "a: (\n  | " + string(long(40)) + "\n  | " + string(long(40)) + "\n)[]\n"},
		{"an object", field("a", false, object{members: []member{field("b", false, text("c")), field("d", true, text("e"))}}), "a: { b: c; d?: e }\n"},
		{"an open object", field("a", false, object{open: true, members: []member{field("b", false, text("c"))}}), "a: {\n  b: c\n}\n"},
		{"an object or null", field("a", false, union{object{open: true, members: []member{field("b", false, text("c"))}}, null}), "a: {\n  b: c\n} | null\n"},
		{"objects", field("a", false, union{object{open: true, members: []member{field("b", false, text("c"))}}, text("d")}), "a:\n  | {\n      b: c\n    }\n  | d\n"},
		{"nothing", field("a", false, object{open: true}), "a: {}\n"},
		{"a long tuple", field("a", false, tuple{long(40), long(40)}), "a: [\n  " + string(long(40)) + ",\n  " + string(long(40)) + ",\n]\n"},
	} {
		if got := test.m.line(0, ""); got != test.want {
			t.Errorf("%s:\n%swant\n%s", test.name, got, test.want)
		}
	}
}

func TestPropertyNames(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"plain": "plain", "_a1$": "_a1$", "naïve": "naïve", "日本": "日本", "1st": `"1st"`, "a-b": `"a-b"`, "a b": `"a b"`, "": `""`,
		`it's`: `"it's"`, `say "yes"`: `'say "yes"'`, `"it's"`: `'"it\'s"'`, `'"'`: `"'\"'"`, "a\\b": `"a\\b"`, "a\nb": `"a\nb"`, "<&>": `"<&>"`,
	} {
		if got := propertyName(name); got != want {
			t.Errorf("%q is %s, want %s", name, got, want)
		}
	}
}
