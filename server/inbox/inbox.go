// Package inbox is the development inbox. It captures mails instead of sending them and shows them at
// /inbox. It is used if no mail relay is configured, and never in production.
package inbox

import (
	"strings"
	"sync"
	"time"
)

// capacity is the maximum number of mails. Older ones are dropped.
const capacity = 200

// Mail is a captured mail.
type Mail struct {
	ID      int       `json:"id"`
	At      time.Time `json:"at"`
	Kind    string    `json:"kind"`
	To      string    `json:"to"`
	Subject string    `json:"subject"`
	HTML    string    `json:"html"`
	Text    string    `json:"text"`

	// Headers are the additional headers of the mail.
	Headers map[string]string `json:"headers,omitempty"`
}

// Inbox holds captured mails in memory. It is safe for concurrent use.
type Inbox struct {
	now func() time.Time

	mu    sync.RWMutex
	last  int
	mails []Mail // oldest first
}

// New returns an empty Inbox. now is the clock.
func New(now func() time.Time) *Inbox { return &Inbox{now: now} }

// Add captures a mail. It sets the mail's ID and time.
func (b *Inbox) Add(m Mail) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.last++
	m.ID, m.At = b.last, b.now().UTC()
	if len(b.mails) == capacity {
		b.mails = append(b.mails[:0], b.mails[1:]...)
	}
	b.mails = append(b.mails, m)
}

// Find returns the mails whose recipient or subject contains text, newest first.
// An empty text matches all mails.
func (b *Inbox) Find(text string) []Mail {
	text = strings.ToLower(strings.TrimSpace(text))
	return b.filter(func(m Mail) bool {
		return strings.Contains(strings.ToLower(m.To), text) || strings.Contains(strings.ToLower(m.Subject), text)
	})
}

// To returns the mails to an address, newest first.
func (b *Inbox) To(address string) []Mail {
	return b.filter(func(m Mail) bool { return strings.EqualFold(m.To, strings.TrimSpace(address)) })
}

func (b *Inbox) filter(wanted func(Mail) bool) []Mail {
	b.mu.RLock()
	defer b.mu.RUnlock()
	found := []Mail{}
	for i := len(b.mails) - 1; i >= 0; i-- {
		if wanted(b.mails[i]) {
			found = append(found, b.mails[i])
		}
	}
	return found
}

// Get returns a mail by id.
func (b *Inbox) Get(id int) (Mail, bool) {
	found := b.filter(func(m Mail) bool { return m.ID == id })
	if len(found) == 0 {
		return Mail{}, false
	}
	return found[0], true
}

// Clear deletes all mails.
func (b *Inbox) Clear() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.mails = nil
}
