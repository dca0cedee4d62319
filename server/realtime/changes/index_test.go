package changes

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"plaza/server/realtime/visible"
	"plaza/server/realtime/wal"
)

func insert(table string, texts ...string) *change {
	c := &change{op: "INSERT", relation: &wal.Relation{Schema: "public", Name: table}}
	for i, text := range texts {
		c.relation.Columns = append(c.relation.Columns, wal.Column{Name: string(rune('a' + i))})
		c.new = append(c.new, wal.Value{Kind: wal.Text, Text: []byte(text)})
	}
	return c
}

func equal(column string, values ...string) []*test {
	t := &test{Filter: Filter{Column: column, Op: "in", Values: values}, column: &visible.Column{Exact: true}}
	return []*test{t}
}

// The index finds the same subscriptions as a look at each of them, while subscriptions are added and
// removed, and is empty when all are removed.
func TestIndex(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	pick := func(of ...string) string { return of[random.IntN(len(of))] }
	x := make(index)
	var all []*subscription
	found := 0
	for range 5000 {
		switch {
		case random.IntN(3) > 0:
			s := &subscription{Entry: Entry{Event: pick("*", "INSERT", "UPDATE"), Schema: pick("*", "public", "other"), Table: pick("*", "t", "u")}}
			if random.IntN(4) > 0 {
				s.key = keyFor(equal(pick("a", "b"), pick("1", "2", "3"), pick("1", "2", "3")))
			}
			x.add(s)
			all = append(all, s)
		case len(all) > 0:
			i := random.IntN(len(all))
			x.remove(all[i])
			all = slices.Delete(all, i, i+1)
		}
		c := insert(pick("t", "u", "v"), pick("1", "2", "3", "4"), pick("1", "2", "3", "4"))
		want := make(subscriptions)
		for _, s := range all {
			value, isKeyed := c.value(s.key.column)
			if (s.Event == "*" || s.Event == c.op) && s.names("public", c.relation.Name) && (!isKeyed || slices.Contains(s.key.values, string(value.Text))) {
				want[s] = struct{}{}
			}
		}
		for s := range x.matching(c) {
			if _, ok := want[s]; !ok {
				t.Fatalf("%s with the key %v was found for %s %v, or twice", s.Entry, s.key, c.relation.Name, c.new)
			}
			delete(want, s)
			found++
		}
		if len(want) > 0 {
			t.Fatalf("%d subscriptions were not found", len(want))
		}
	}
	if found < 1000 {
		t.Errorf("only %d were found", found)
	}
	for _, s := range all {
		x.remove(s)
	}
	if len(x) > 0 {
		t.Errorf("%d buckets are left", len(x))
	}
}

// Null matches no value; a value that is not in the WAL may match any.
func TestIndexWithoutValue(t *testing.T) {
	t.Parallel()
	x := make(index)
	for i := range 3 {
		x.add(&subscription{Entry: Entry{Event: "*", Schema: "public", Table: "t"}, key: keyFor(equal("a", strconv.Itoa(i)))})
	}
	for kind, want := range map[byte]int{wal.Text: 1, wal.Null: 0, wal.Unchanged: 3} {
		c := insert("t", "1")
		c.op, c.new[0].Kind = "UPDATE", kind
		got := 0
		for range x.matching(c) {
			got++
		}
		if got != want {
			t.Errorf("kind %c: %d subscriptions, want %d", kind, got, want)
		}
	}
}

// Only a filter for equality on a column whose equal values have equal texts has a key.
func TestKeyFor(t *testing.T) {
	t.Parallel()
	exact, inexact := &visible.Column{Exact: true}, &visible.Column{}
	for name, tt := range map[string]struct {
		tests []*test
		want  string
	}{
		"none":           {nil, ""},
		"eq":             {[]*test{{Filter: Filter{Column: "a", Op: "eq", Value: "1"}, column: exact}}, "a"},
		"in":             {equal("a", "1"), "a"},
		"negated":        {[]*test{{Filter: Filter{Column: "a", Op: "eq", Negated: true}, column: exact}}, ""},
		"another":        {[]*test{{Filter: Filter{Column: "a", Op: "gt"}, column: exact}}, ""},
		"inexact":        {[]*test{{Filter: Filter{Column: "a", Op: "eq"}, column: inexact}}, ""},
		"second of them": {[]*test{{Filter: Filter{Column: "a", Op: "lt"}, column: exact}, {Filter: Filter{Column: "b", Op: "eq"}, column: exact}}, "b"},
	} {
		if got := keyFor(tt.tests).column; got != tt.want {
			t.Errorf("%s: key of column %q, want %q", name, got, tt.want)
		}
	}
}
