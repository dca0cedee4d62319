// Package inbox is the development inbox: it takes the mails that would be sent
// and shows them at /inbox. It is mounted where no mail relay is set, never in
// production.
package inbox

import (
	"strings"
	"sync"
	"time"
)

// capacity is how many mails are held; older ones are dropped.
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

	// Headers are those that the mail has beside the usual ones.
	Headers map[string]string `json:"headers,omitempty"`
}

// Inbox holds captured mails, in memory: they are gone with the process. It is
// safe for use by several goroutines.
type Inbox struct {
	now func() time.Time

	mu    sync.RWMutex
	last  int
	mails []Mail // oldest first
}

// New makes an empty inbox. now is the clock.
func New(now func() time.Time) *Inbox { return &Inbox{now: now} }

// Add captures a mail; its ID and time are set here.
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
// An empty text gives all.
func (b *Inbox) Find(text string) []Mail {
	text = strings.ToLower(strings.TrimSpace(text))
	return b.pick(func(m Mail) bool {
		return strings.Contains(strings.ToLower(m.To), text) || strings.Contains(strings.ToLower(m.Subject), text)
	})
}

// To returns the mails to one address, newest first.
func (b *Inbox) To(address string) []Mail {
	return b.pick(func(m Mail) bool { return strings.EqualFold(m.To, strings.TrimSpace(address)) })
}

func (b *Inbox) pick(wanted func(Mail) bool) []Mail {
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

// Get returns one mail.
func (b *Inbox) Get(id int) (Mail, bool) {
	found := b.pick(func(m Mail) bool { return m.ID == id })
	if len(found) == 0 {
		return Mail{}, false
	}
	return found[0], true
}

// Clear forgets all mails.
func (b *Inbox) Clear() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.mails = nil
}
