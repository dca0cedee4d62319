package notices_test

import (
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/mail"
	"net/url"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/emersion/go-smtp"
	"github.com/jackc/pgx/v5/pgxpool"

	"plaza/functions/notices"
	"plaza/server/auth/mailer"
	"plaza/server/pg"
	"plaza/tests/testkit"
	"plaza/tests/testkit/relay"
)

const ana = "00000000-0000-4000-8000-0000000000a1"

// outbox is a database with one user, and a relay.
type outbox struct {
	t       *testing.T
	address string
	db      *pgxpool.Pool
	relay   *relay.Relay
}

func start(t *testing.T) *outbox {
	t.Helper()
	o := &outbox{t: t, address: testkit.URL(t), relay: relay.Start(t)}
	o.db = testkit.Open(t, o.address)
	o.exec(`insert into auth.users (id, email, email_confirmed_at) values ($1, 'ana@plaza.test', now())`, ana)
	return o
}

// server starts a server on the database that sends to the relay.
func (o *outbox) server() *notices.Notices {
	o.t.Helper()
	return newServer(o.t, o.address, o.relay.Host, o.relay.Port)
}

func newServer(t *testing.T, address, host string, port int) *notices.Notices {
	t.Helper()
	quiet := slog.New(slog.DiscardHandler)
	db, err := pg.Open(t.Context(), pg.Config{CallerURL: address, ServiceURL: address, MaxCallers: 1, MaxService: 4, Log: quiet})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(db.Close)
	sender, err := mailer.NewSMTP(mailer.SMTP{Host: host, Port: port, AdminEmail: "hola@plaza.test", SenderName: "Plaza"})
	if err != nil {
		t.Fatal(err)
	}
	server, err := notices.New(notices.Options{DB: db, Mail: sender, Site: "https://plaza.example/", Key: []byte("key"), Log: quiet})
	if err != nil {
		t.Fatal(err)
	}
	return server
}

func (o *outbox) exec(sql string, args ...any) {
	o.t.Helper()
	if _, err := o.db.Exec(o.t.Context(), sql, args...); err != nil {
		o.t.Fatal(err)
	}
}

// queue adds a mail that is due.
func (o *outbox) queue(event string) {
	o.t.Helper()
	o.exec(`insert into private.mail_outbox (event, user_id, kind, subject, content, action, link, due_at, expires_at)
		values ($1, $2, 'booking_asked', 'New request for <Ca l''Ona>', E'Ben & Eva ask.\n\nReason: <b>', 'Answer', '/bookings?a=1&b=2', now(), now() + interval '1 day')`,
		event, ana)
}

// states returns the state and number of tries of all mails: "sent 1, waiting 2".
func (o *outbox) states() string {
	o.t.Helper()
	var states string
	const read = `select coalesce(string_agg(state || ' ' || tries, ', ' order by event), '') from private.mail_outbox`
	if err := o.db.QueryRow(o.t.Context(), read).Scan(&states); err != nil {
		o.t.Fatal(err)
	}
	return states
}

func (o *outbox) send(server *notices.Notices) {
	o.t.Helper()
	if err := server.SendDue(o.t.Context()); err != nil {
		o.t.Error(err)
	}
}

func (o *outbox) want(states string, mails int) {
	o.t.Helper()
	if got := o.states(); got != states || len(o.relay.Mails()) != mails {
		o.t.Errorf("%q with %d mails, want %q with %d", got, len(o.relay.Mails()), states, mails)
	}
}

// header returns a header of a received mail.
func (o *outbox) header(index int, name string) string {
	o.t.Helper()
	message, err := mail.ReadMessage(strings.NewReader(o.relay.Mails()[index].Text))
	if err != nil {
		o.t.Fatal(err)
	}
	return message.Header.Get(name)
}

func TestSend(t *testing.T) {
	t.Parallel()
	o := start(t)
	o.queue("asked")
	o.send(o.server())
	o.want("sent 1", 1)
	if to := o.relay.Mails()[0].To; to != "ana@plaza.test" {
		t.Errorf("to %s", to)
	}
	for name, want := range map[string]string{
		"Subject": "New request for <Ca l'Ona>", "List-Unsubscribe-Post": "List-Unsubscribe=One-Click", "Auto-Submitted": "auto-generated",
	} {
		if got := o.header(0, name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if got := o.header(0, "List-Unsubscribe"); !strings.HasPrefix(got, "<https://plaza.example/unsubscribe?token=booking_asked."+ana+".") {
		t.Errorf("List-Unsubscribe: %s", got)
	}
	text := strings.ReplaceAll(o.relay.Mails()[0].Text, "=\r\n", "")
	for _, part := range []string{
		"Ben & Eva ask.", "Answer: https://plaza.example/bookings?a=3D1&b=3D2", "https://plaza.example/profile?tab=3Dnotifications", // plain
		"New request for &lt;Ca l&#39;Ona&gt;", "Ben &amp; Eva ask.", "Reason: &lt;b&gt;", `href=3D"https://plaza.example/bookings?a=3D1&amp;b=3D2"`, // HTML
	} {
		if !strings.Contains(text, part) {
			t.Errorf("no %q in the mail\n%s", part, text)
		}
	}
}

// Issue 19: the text of every mail, and the pages that it links to, are in its reader's language.
func TestLanguage(t *testing.T) {
	t.Parallel()
	o := start(t)
	o.exec(`update auth.users set raw_user_meta_data = '{"language": "es"}' where id = $1`, ana)
	o.queue("asked")
	o.send(o.server())
	o.want("sent 1", 1)
	text := strings.ReplaceAll(o.relay.Mails()[0].Text, "=\r\n", "")
	for _, part := range []string{
		"https://plaza.example/es/bookings?a=3D1&b=3D2", "Elige qu=C3=A9 te enviamos: https://plaza.example/es/profile?tab=3Dnotifications",
		`<html lang=3D"es">`, "No enviar m=C3=A1s correos as=C3=AD", "https://plaza.example/es/unsubscribe?token=3D",
	} {
		if !strings.Contains(text, part) {
			t.Errorf("no %q in the mail\n%s", part, text)
		}
	}
	// Mail programs post to the server.
	if got := o.header(0, "List-Unsubscribe"); !strings.HasPrefix(got, "<https://plaza.example/unsubscribe?token=") {
		t.Errorf("List-Unsubscribe: %s", got)
	}
}

// Several servers on one database send each mail once.
func TestConcurrentServers(t *testing.T) {
	t.Parallel()
	o := start(t)
	var want []string
	for i := range 40 {
		o.queue(fmt.Sprintf("asked %02d", i))
		want = append(want, "sent 1")
	}
	var wait sync.WaitGroup
	for range 3 {
		server := o.server()
		wait.Go(func() { o.send(server) })
	}
	wait.Wait()
	o.want(strings.Join(want, ", "), 40)
	var ids []string
	for i := range o.relay.Mails() {
		ids = append(ids, o.header(i, "Message-Id"))
	}
	slices.Sort(ids)
	if len(slices.Compact(ids)) != 40 {
		t.Error("a mail was sent twice")
	}
}

// Only a mail that was certainly not sent is retried later.
func TestRelayErrors(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		refuse       *smtp.SMTPError
		hangUp       string
		first, again string
		mails        int
	}{
		"temporary error":                {refuse: &smtp.SMTPError{Code: 451, Message: "later"}, first: "waiting 1", again: "sent 2", mails: 1},
		"permanent error":                {refuse: &smtp.SMTPError{Code: 550, Message: "never"}, first: "failed 1", again: "failed 1"},
		"disconnect before the mail":     {hangUp: "MAIL", first: "waiting 1", again: "waiting 2"},
		"disconnect before the response": {hangUp: "DATA", first: "uncertain 1", again: "uncertain 1", mails: 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := start(t)
			o.relay.HangUp = tt.hangUp
			if tt.refuse != nil {
				o.relay.Refuse = []*smtp.SMTPError{tt.refuse}
			}
			o.queue("asked")
			server := o.server()
			for range 2 { // the second run is too early for a retry
				o.send(server)
				if got := o.states(); got != tt.first {
					t.Errorf("%s, want %s", got, tt.first)
				}
			}
			o.exec(`update private.mail_outbox set due_at = now()`)
			o.send(server)
			o.want(tt.again, tt.mails)
		})
	}
}

func TestRelayUnreachable(t *testing.T) {
	t.Parallel()
	o := start(t)
	o.queue("asked")
	o.send(newServer(t, o.address, o.relay.Host, 1)) // nothing listens on this port
	o.want("waiting 1", 0)
	o.exec(`update private.mail_outbox set due_at = now() - interval '1 hour', expires_at = now()`)
	o.send(o.server())
	o.want("expired 1", 0)
}

// A mail is not sent again if its server was killed while sending it, as the relay may have
// accepted it.
func TestServerKilled(t *testing.T) {
	if address := os.Getenv("NOTICES_OUTBOX"); address != "" {
		port, err := strconv.Atoi(os.Getenv("NOTICES_RELAY"))
		if err != nil {
			t.Fatal(err)
		}
		if err := newServer(t, address, "127.0.0.1", port).SendDue(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	t.Parallel()
	o := start(t)
	server := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestServerKilled$")
	server.Env = append(os.Environ(), "NOTICES_OUTBOX="+o.address, "NOTICES_RELAY="+strconv.Itoa(o.relay.Port))
	// The relay has the mail, but the server has no response yet and stored no outcome.
	taken, killed := make(chan struct{}), make(chan struct{})
	o.relay.Taken = sync.OnceFunc(func() {
		close(taken)
		<-killed
	})
	o.queue("asked")
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	<-taken
	if err := server.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = server.Wait() // it was killed
	close(killed)
	o.want("sending 1", 1)

	other := o.server()
	o.send(other)
	o.want("sending 1", 1)
	o.exec(`update private.mail_outbox set changed_at = now() - interval '11 minutes'`)
	o.queue("asked by others")
	o.send(other)
	o.want("uncertain 1, sent 1", 2)
}

func TestUnsubscribe(t *testing.T) {
	t.Parallel()
	o := start(t)
	server := o.server()
	o.queue("asked")
	o.send(server)
	link, err := url.Parse(strings.Trim(o.header(0, "List-Unsubscribe"), "<>"))
	if err != nil {
		t.Fatal(err)
	}
	token := link.Query().Get("token")
	kind, signature := "booking_asked", token[strings.LastIndex(token, "."):]
	const off = `select coalesce(string_agg(kind, ', '), 'nothing') from public.notification_settings where user_id = $1 and not by_mail`
	post := func(token string) int {
		t.Helper()
		request := httptest.NewRequestWithContext(t.Context(), http.MethodPost, link.Path+"?"+url.Values{"token": {token}}.Encode(),
			strings.NewReader("List-Unsubscribe=One-Click"))
		recorder := httptest.NewRecorder()
		server.Unsubscribe().ServeHTTP(recorder, request)
		_, _ = io.Copy(io.Discard, recorder.Body)
		return recorder.Code
	}
	for _, tt := range []struct {
		name, token string
		status      int
		off         string
	}{
		{"no token", "", 400, "nothing"},
		{"a truncated token", token[:len(token)-9], 400, "nothing"},
		{"another kind", "message_unread." + ana + signature, 400, "nothing"},
		{"another user", kind + "." + strings.Replace(ana, "a1", "a2", 1) + signature, 400, "nothing"},
		{"the token", token, 200, kind},
		{"the token again", token, 200, kind},
	} {
		if status := post(tt.token); status != tt.status {
			t.Errorf("%s: status %d, want %d", tt.name, status, tt.status)
		}
		var got string
		if err := o.db.QueryRow(t.Context(), off, ana).Scan(&got); err != nil || got != tt.off {
			t.Errorf("%s: %s is off, want %s (%v)", tt.name, got, tt.off, err)
		}
	}
	o.exec(`delete from auth.users where id = $1`, ana)
	if status := post(token); status != 200 {
		t.Errorf("deleted user: status %d", status)
	}
}
