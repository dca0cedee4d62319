package rls

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// mailLiteral matches the texts in functions that send mails: a capital letter or a place for a value first.
var mailLiteral = regexp.MustCompile(`'((?:%s|[A-Z])[a-z, ][^']*)'`)

// Issue 19: every text of a mail is there in English, Spanish and Catalan, with as many values in each.
func TestMailPhrases(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	source := w.text(t, `select string_agg(pg_get_functiondef(p.oid), E'\n') from pg_proc p join pg_namespace n on n.oid = p.pronamespace
		where n.nspname = 'private' and p.prosrc ~ 'mail_text|mail_customer|mail_owner' and p.proname <> 'mail_text'`)
	known := make(map[string]bool)
	for _, row := range list(t, w.tx, `select concat_ws('|', en, es, ca) from private.mail_phrases()`) {
		texts := strings.Split(row, "|")
		known[texts[0]] = true
		if len(texts) != 3 || slices.Contains(texts, "") {
			t.Errorf("%q has a missing text", row)
		}
		for _, text := range texts {
			if strings.Count(text, "%s") != strings.Count(texts[0], "%s") {
				t.Errorf("%q has other values than %q", text, texts[0])
			}
		}
		// The names of time zones are computed.
		if !slices.Contains([]string{"Madrid", "Andorra"}, texts[0]) && !strings.Contains(source, "'"+texts[0]+"'") {
			t.Errorf("no mail contains %q", texts[0])
		}
	}
	found := 0
	for _, literal := range mailLiteral.FindAllStringSubmatch(source, -1) {
		if literal[1] == "Atlantic/Canary" {
			continue
		}
		found++
		if !known[literal[1]] {
			t.Errorf("%q is not translated", literal[1])
		}
	}
	if found < 40 {
		t.Errorf("found %d texts in functions", found)
	}
}

// Issue 19: mails are in the language of their reader, which need not be that of the other side.
func TestMailLanguage(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	speaks := func(who caller, key, language string) {
		w.exec(t, `update auth.users set raw_user_meta_data = jsonb_build_object($2::text, $3::text) where id = $1`, who.id, key, language)
	}
	speaks(w.ben, "language", "ca")
	speaks(w.owner, "locale", "es-AD")
	w.exec(t, `set plaza.seeding = on`)
	w.exec(t, `update public.bookings set status = 'pending', booking_date = '2100-03-09', start_time = '10:00', end_time = '11:00' where id = $1`, w.bensBooking)
	w.exec(t, `set plaza.seeding = off`)
	w.exec(t, `delete from private.mail_outbox`)

	w.do(t, w.owner, `select public.set_booking_status($1, 'confirmed', '')`, w.bensBooking)
	w.isMailed(t, w.ben, "booking_answered: Shop ha confirmat la teva reserva | Haircut, dimarts 9 de març de 2100 a les 10:00 (hora de Madrid). | /bookings")
	if got, want := w.text(t, `select subject || ' | ' || action from private.mail_outbox where user_id = $1 and kind = 'booking_reminder'`, w.ben.id),
		"Demà: Haircut a "+w.text(t, `select name from public.businesses where id = $1`, w.shop)+" | Mira la teva reserva"; got != want {
		t.Errorf("the reminder is %q, want %q", got, want)
	}
	w.do(t, w.ben, `select public.set_booking_status($1, 'cancelled', 'Ill')`, w.bensBooking)
	w.isMailed(t, w.owner, "booking_answered: Se ha cancelado una reserva en Shop | ben ha cancelado: Haircut, el martes 9 de marzo de 2100 a las 10:00 (hora de Madrid)."+
		"\n\nMotivo: Ill | /business/SHOP/bookings?booking=BOOKING")

	for language, want := range map[string]string{"en-GB": "en", "es": "es", "ca-AD": "ca", "ES_es": "es", "de": "en", "": "en"} {
		speaks(w.ben, "locale", language)
		if got := w.text(t, `select private.mail_language($1)`, w.ben.id); got != want {
			t.Errorf("the language of %q is %q, want %q", language, got, want)
		}
	}
	// What users choose takes precedence over what a sign-in provider says.
	w.exec(t, `update auth.users set raw_user_meta_data = '{"language": "ca", "locale": "es"}' where id = $1`, w.ben.id)
	if got := w.text(t, `select private.mail_language($1)`, w.ben.id); got != "ca" {
		t.Errorf("the chosen language is %q", got)
	}
}
