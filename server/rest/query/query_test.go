package query

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"plaza/server/apierr"
)

func TestParseSelect(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, in string
		want     []SelectItem
	}{
		{"empty means no list", "", nil},
		{"star", "*", []SelectItem{Star{}}},
		{"rename and cast", "a:b::text", []SelectItem{Field{Name: "b", Alias: "a", Cast: "text"}}},
		{"cast with a modifier", "b::numeric(8,2)[]", []SelectItem{Field{Name: "b", Cast: "numeric(8,2)[]"}}},
		{"JSON path", "d->a->>0", []SelectItem{Field{Name: "d", JSON: []JSONStep{{Key: "a"}, {Text: true, Key: "0", Index: true}}}}},
		{"dashes belong to names", "first-name", []SelectItem{Field{Name: "first-name"}}},
		{"quotes take anything", `"a,b(c)":"x""y"`, nil},
		{"aggregate", "price.sum()::int", []SelectItem{Field{Name: "price", Aggregate: "sum", AggregateCast: "int"}}},
		{"count of rows", "n:count()", []SelectItem{Field{Aggregate: "count", Alias: "n"}}},
		{"embed with hint and join", "x:t!fk!inner(a,u(*))", []SelectItem{Embed{
			Relation: "t", Alias: "x", Hint: "fk", Join: InnerJoin,
			Select: []SelectItem{Field{Name: "a"}, Embed{Relation: "u", Select: []SelectItem{Star{}}}},
		}}},
		{"spread", "...t(a)", []SelectItem{Embed{Relation: "t", Spread: true, Select: []SelectItem{Field{Name: "a"}}}}},
		{"empty embed", "t()", []SelectItem{Embed{Relation: "t"}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := ParseSelect(tt.in)
			if tt.want == nil && tt.in != "" {
				if err == nil {
					t.Fatalf("ParseSelect(%q) passes: %v", tt.in, got)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("ParseSelect(%q) (-want +got):\n%s", tt.in, diff)
			}
		})
	}
}

func TestParse(t *testing.T) {
	t.Parallel()
	got, err := Parse("a=eq.1&t.b=not.in.(1,%22x,y%22)&order=a.desc.nullslast,t(c)&t.limit=3&or=(a.is.null,not.and(b.gt.2,c.like(any).{x*}))&select=a&columns=c&on_conflict=e", Options{})
	if err != nil {
		t.Fatal(err)
	}
	three := int64(3)
	want := &Query{
		Select: []SelectItem{Field{Name: "a"}}, HasSelect: true, Columns: []string{"c"}, HasColumns: true, OnConflict: []string{"e"},
		Filters: []PathFilter{
			{nil, Filter{Field: FieldRef{Name: "a"}, Operator: "eq", Value: "1"}},
			{[]string{"t"}, Filter{Field: FieldRef{Name: "b"}, Negated: true, Operator: "in", List: []string{"1", "x,y"}}},
			{nil, Logic{Or: true, Conditions: []Condition{
				Filter{Field: FieldRef{Name: "a"}, Operator: "is", Value: "null"},
				Logic{Negated: true, Conditions: []Condition{
					Filter{Field: FieldRef{Name: "b"}, Operator: "gt", Value: "2"},
					Filter{Field: FieldRef{Name: "c"}, Operator: "like", Quantifier: Any, Value: "{x*}"},
				}},
			}}},
		},
		Orders: []PathOrder{{nil, []OrderTerm{
			{Field: FieldRef{Name: "a"}, Descending: true, Nulls: "last"}, {Relation: "t", Field: FieldRef{Name: "c"}},
		}}},
		Ranges: []PathRange{{Path: []string{"t"}, Limit: &three}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestArgumentsOfACall(t *testing.T) {
	t.Parallel()
	got, err := Parse("a=1&b=eq.5&c=x.y", Options{Function: true})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]Param{{"a", "1"}, {"c", "x.y"}}, got.Params); diff != "" {
		t.Errorf("params (-want +got):\n%s", diff)
	}
	if len(got.Filters) != 1 {
		t.Errorf("%d filters, want the one on b", len(got.Filters))
	}
}

func TestHostileQueriesEndEarly(t *testing.T) {
	t.Parallel()
	for name, raw := range map[string]string{
		"deep embeds":    "select=" + strings.Repeat("a(", 10_000) + strings.Repeat(")", 10_000),
		"deep logic":     "and=" + strings.Repeat("(and", 10_000),
		"many columns":   "select=" + strings.Repeat("a,", 100_000) + "a",
		"long path":      "select=a" + strings.Repeat("->a", 10_000),
		"bad percent":    "select=%zz",
		"open quote":     `select=%22abc`,
		"cast injection": "select=a::int)%20from%20x--",
		"unknown word":   "a=is.nope",
		"no name":        "%22%22=eq.0",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := Parse(raw, Options{})
			if e := apierr.As(err); e == nil || e.Code != "PGRST100" || e.Status != 400 {
				t.Errorf("error %v, want 400 PGRST100", err)
			}
		})
	}
}

func TestAListMayBeLong(t *testing.T) {
	t.Parallel()
	got, err := Parse("id=in.("+strings.Repeat("1,", 10_000)+"1)", Options{})
	if err != nil {
		t.Fatal(err)
	}
	if filter := got.Filters[0].Condition.(Filter); len(filter.List) != 10_001 {
		t.Errorf("%d elements", len(filter.List))
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"select=a,b:c::text,d->e->>f,...g(h),i!j!inner(k.sum())&a=eq.1&or=(b.in.(1,%222%22),not.and(c.is.null))",
		"order=a.desc.nullslast,b(c)&limit=1&x.offset=2&columns=a,%22b%20c%22&on_conflict=a",
		"a=fts(english).x&b=like(any).{a,b}&c=not.is.not_null",
	} {
		f.Add(seed, false)
		f.Add(seed, true)
	}
	f.Fuzz(func(t *testing.T, raw string, function bool) {
		// Every input results in a tree or an error, never in a panic.
		if _, err := Parse(raw, Options{Function: function}); err != nil && apierr.As(err) == nil {
			t.Errorf("Parse(%q): an error no client may see: %v", raw, err)
		}
	})
}
