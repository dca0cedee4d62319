package changes

import (
	"iter"

	"plaza/server/realtime/wal"
)

// index finds the subscriptions for a change without a look at each: by table and event, and by value
// where a filter compares a column with constants for equality.
type index map[target]*bucket

// target is the table and the event of an entry. Each may be "*".
type target struct{ schema, table, event string }

type bucket struct {
	byValue map[string]map[string]subscriptions // by column and value in text form
	others  subscriptions
}

type subscriptions map[*subscription]struct{}

// valueKey is where a subscription is in the index: under each value of a column. Without a column it
// is among the others of its bucket.
type valueKey struct {
	column string
	values []string
}

// keyFor returns the key for the tests of an entry for one table. It uses only columns whose equal values
// have equal texts.
func keyFor(tests []*test) valueKey {
	for _, t := range tests {
		switch {
		case t.Negated || !t.column.Exact:
		case t.Op == "eq":
			return valueKey{t.Column, []string{t.Value}}
		case t.Op == "in":
			return valueKey{t.Column, t.Values}
		}
	}
	return valueKey{}
}

func targetOf(s *subscription) target { return target{s.Schema, s.Table, s.Event} }

// add adds a subscription under its key.
func (x index) add(s *subscription) {
	b := x[targetOf(s)]
	if b == nil {
		b = &bucket{others: make(subscriptions)}
		x[targetOf(s)] = b
	}
	if s.key.column == "" {
		b.others[s] = struct{}{}
		return
	}
	byValue := b.byValue[s.key.column]
	if byValue == nil {
		if b.byValue == nil {
			b.byValue = make(map[string]map[string]subscriptions)
		}
		byValue = make(map[string]subscriptions)
		b.byValue[s.key.column] = byValue
	}
	for _, value := range s.key.values {
		if byValue[value] == nil {
			byValue[value] = make(subscriptions)
		}
		byValue[value][s] = struct{}{}
	}
}

// remove removes a subscription that was added under its current key.
func (x index) remove(s *subscription) {
	b := x[targetOf(s)]
	if b == nil {
		return
	}
	delete(b.others, s)
	byValue := b.byValue[s.key.column]
	for _, value := range s.key.values {
		delete(byValue[value], s)
		if len(byValue[value]) == 0 {
			delete(byValue, value)
		}
	}
	if len(byValue) == 0 {
		delete(b.byValue, s.key.column)
	}
	if len(b.others) == 0 && len(b.byValue) == 0 {
		delete(x, targetOf(s))
	}
}

// matching returns the subscriptions that a change may match. All others certainly do not match.
func (x index) matching(c *change) iter.Seq[*subscription] {
	return func(yield func(*subscription) bool) {
		for _, schema := range []string{c.relation.Schema, "*"} {
			for _, table := range []string{c.relation.Name, "*"} {
				for _, event := range []string{c.op, "*"} {
					if b := x[target{schema, table, event}]; b != nil && !b.matching(c, yield) {
						return
					}
				}
			}
		}
	}
}

// hasMatch reports whether a change may match any subscription.
func (x index) hasMatch(c *change) bool {
	for range x.matching(c) {
		return true
	}
	return false
}

func (b *bucket) matching(c *change, yield func(*subscription) bool) bool {
	for column, byValue := range b.byValue {
		value, isKnown := c.value(column)
		switch {
		case !isKnown: // it may be read from the table
			for _, found := range byValue {
				if !found.all(yield) {
					return false
				}
			}
		case value.Kind == wal.Text:
			if !byValue[string(value.Text)].all(yield) {
				return false
			}
		}
	}
	return b.others.all(yield)
}

func (all subscriptions) all(yield func(*subscription) bool) bool {
	for s := range all {
		if !yield(s) {
			return false
		}
	}
	return true
}
