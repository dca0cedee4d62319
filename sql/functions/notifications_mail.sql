-- Which changes are reported by mail, and their texts.

-- A day and a time in the business's zone, in the language of a user: "Wednesday 25 November 2026 at 11:00 (Madrid time)".
create or replace function private.time_words(p_user_id uuid, p_date date, p_start time, p_time_zone text) returns text
  language sql stable
  set search_path = ''
  as $$
    select private.mail_text(p_user_id, '%s at %s (%s time)', private.mail_day(p_user_id, p_date), to_char(p_start, 'HH24:MI'),
      private.mail_text(p_user_id, case p_time_zone when 'Atlantic/Canary' then 'Canary Islands' else replace(split_part(p_time_zone, '/', 2), '_', ' ') end))
  $$;

-- What a mail to p_user_id says of a visit: "Haircut on Wednesday 25 November 2026 at 11:00 (Madrid time)".
create or replace function private.visit_words(p_user_id uuid, booking public.bookings) returns text
  language sql stable
  set search_path = ''
  as $$
    select private.mail_text(p_user_id, '%s on %s', booking.service_name,
      private.time_words(p_user_id, booking.booking_date, booking.start_time, booking.time_zone))
  $$;

-- The same with the proposed time: "Haircut on …, instead of …".
create or replace function private.proposal_words(p_user_id uuid, booking public.bookings) returns text
  language sql stable
  set search_path = ''
  as $$
    select private.mail_text(p_user_id, '%s, instead of %s',
      private.mail_text(p_user_id, '%s on %s', booking.service_name,
        private.time_words(p_user_id, booking.proposed_date, booking.proposed_start, booking.time_zone)),
      private.time_words(p_user_id, booking.booking_date, booking.start_time, booking.time_zone))
  $$;

-- The reason of a cancelled booking as a paragraph of its own; empty if none was given.
create or replace function private.reason_words(p_user_id uuid, booking public.bookings) returns text
  language sql stable
  set search_path = ''
  as $$
    select case when booking.status = 'cancelled' and booking.cancel_reason is not null
      then E'\n\n' || private.mail_text(p_user_id, 'Reason: %s', booking.cancel_reason) else '' end
  $$;

-- The functions that took texts in English.
drop function if exists private.time_words(date, time, text), private.visit_words(public.bookings),
  private.mail_customer(public.bookings, text, text, text, text, text, text),
  private.mail_owner(public.bookings, text, text, text, text, text);

-- Mails the customer of a booking. p_subject names the business; p_content is in their language already.
create or replace function private.mail_customer(booking public.bookings, p_event text, p_kind text, p_subject text, p_content text,
  p_action text default 'See your bookings', p_link text default '/bookings') returns void
  language sql security definer
  set search_path = ''
  as $$
    select private.queue_mail('booking.' || booking.id || '.' || p_event, booking.user_id, p_kind,
      private.mail_text(booking.user_id, p_subject, booking.business_name), p_content, private.mail_text(booking.user_id, p_action), p_link, booking.id)
  $$;
revoke execute on function private.mail_customer(public.bookings, text, text, text, text, text, text) from public, anon, authenticated;

-- Mails the owner. p_did says what a customer did and to what: '%s cancelled: %s.'. is_proposal: to the proposed time.
create or replace function private.mail_owner(booking public.bookings, p_event text, p_kind text, p_subject text, p_did text,
  p_action text default 'See the booking', is_proposal boolean default false) returns void
  language sql security definer
  set search_path = ''
  as $$
    select private.queue_mail('booking.' || booking.id || '.' || p_event, b.owner_id, p_kind,
      private.mail_text(b.owner_id, p_subject, booking.business_name),
      private.mail_text(b.owner_id, p_did,
        coalesce((select p.full_name from private.profiles p where p.id = booking.user_id), private.mail_text(b.owner_id, 'A customer')),
        case when is_proposal then private.proposal_words(b.owner_id, booking) else private.visit_words(b.owner_id, booking) end)
      || private.reason_words(b.owner_id, booking),
      private.mail_text(b.owner_id, p_action), private.owner_booking_link(booking), booking.id)
    from public.businesses b where b.id = booking.business_id
  $$;
revoke execute on function private.mail_owner(public.bookings, text, text, text, text, text, boolean) from public, anon, authenticated;

-- Mails about a confirmed, cancelled or completed booking. A no-show is only a notification.
create or replace function private.mail_status(booking public.bookings) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    visit constant text := private.visit_words(booking.user_id, booking);
    with_reason constant text := visit || '.' || private.reason_words(booking.user_id, booking);
    kind constant text := 'booking_answered';
    past constant text := '/bookings?view=past';
    see constant text := 'See your bookings';
  begin
    if booking.status = 'confirmed' then
      perform private.mail_customer(booking, 'confirmed', kind, '%s confirmed your booking', visit || '.');
    elsif booking.status = 'completed' and booking.business_id is not null and booking.user_id is not null then
      -- Once for a business as long as the row is kept; an hour later, when the customer has left.
      perform private.queue_mail('review.' || booking.user_id || '.' || booking.business_id, booking.user_id, 'review_asked',
        private.mail_text(booking.user_id, 'How was %s?', booking.business_name),
        visit || E'.\n\n' || private.mail_text(booking.user_id, 'A few words from you help others to choose, and the business to get better.'),
        private.mail_text(booking.user_id, 'Write a review'), past || '&review=' || booking.business_id, booking.id, p_due_at => now() + interval '1 hour');
    elsif booking.cancel_kind = 'customer' then
      perform private.mail_owner(booking, 'cancelled', kind, 'A booking at %s was cancelled', '%s cancelled: %s.');
    elsif booking.cancel_kind = 'expired' then
      perform private.mail_customer(booking, 'cancelled', kind, '%s did not answer in time',
        private.mail_text(booking.user_id, 'Your request has expired: %s.', visit), see, past);
    elsif booking.cancel_kind = 'declined' then
      perform private.mail_customer(booking, 'cancelled', kind, '%s declined your booking', with_reason, see, past);
    elsif booking.status = 'cancelled' and booking.cancel_kind is distinct from 'no_show' then
      perform private.mail_customer(booking, 'cancelled', kind, '%s cancelled your booking', with_reason, see, past);
    end if;
  end
  $$;
revoke execute on function private.mail_status(public.bookings) from public, anon, authenticated;

-- Mails about a proposed, accepted or declined time. Withdrawing one's own proposal sends nothing.
create or replace function private.mail_time(before public.bookings, booking public.bookings) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    -- A time that is proposed once more is told once more.
    at_moment constant text := to_char(booking.updated_at at time zone 'UTC', 'YYYYMMDDHH24MISSUS') || '.'
      || to_char(coalesce(booking.proposed_date + booking.proposed_start, booking.booking_date + booking.start_time), 'YYYYMMDDHH24MI');
    kind constant text := 'booking_changed';
    visit constant text := private.visit_words(booking.user_id, booking);
    is_customer constant boolean := coalesce(auth.uid() = booking.user_id, false);
  begin
    if (booking.booking_date, booking.start_time) <> (before.booking_date, before.start_time) then
      if before.proposed_by = 'business' then
        perform private.mail_owner(booking, 'moved.' || at_moment, kind, 'A customer of %s accepted the other time', '%s now comes for %s.');
      else
        perform private.mail_customer(booking, 'moved.' || at_moment, kind, '%s moved your booking',
          private.mail_text(booking.user_id, 'It is confirmed: %s.', visit));
      end if;
    elsif booking.proposed_by = 'business' then
      perform private.mail_customer(booking, 'proposed.' || at_moment, kind, '%s proposes another time',
        private.proposal_words(booking.user_id, booking) || '.', 'Answer');
    elsif booking.proposed_by = 'customer' then
      perform private.mail_owner(booking, 'proposed.' || at_moment, kind, 'A customer of %s asks for another time', '%s asks for %s.',
        'Answer the customer', is_proposal => true);
    elsif before.proposed_by = 'business' and is_customer then
      perform private.mail_owner(booking, 'refused.' || at_moment, kind, 'A customer of %s refused the other time', '%s keeps %s.');
    elsif before.proposed_by = 'customer' and not is_customer then
      perform private.mail_customer(booking, 'refused.' || at_moment, kind, '%s cannot take the other time',
        private.mail_text(booking.user_id, 'Your booking stays as it was: %s.', visit));
    end if;
  end
  $$;
revoke execute on function private.mail_time(public.bookings, public.bookings) from public, anon, authenticated;

-- A reminder a day before a visit, in the business's zone. A booking confirmed within that day needs none.
create or replace function private.plan_reminder(booking public.bookings) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    day_before constant timestamptz := ((booking.booking_date - 1) + booking.start_time) at time zone booking.time_zone;
  begin
    delete from private.mail_outbox m
    where m.booking_id = booking.id and m.kind = 'booking_reminder' and m.state = 'waiting';
    if booking.status = 'confirmed' and day_before > now() then
      perform private.queue_mail('booking.' || booking.id || '.reminder.' || to_char(booking.booking_date + booking.start_time, 'YYYYMMDDHH24MI'),
        booking.user_id, 'booking_reminder', private.mail_text(booking.user_id, 'Tomorrow: %s at %s', booking.service_name, booking.business_name),
        private.visit_words(booking.user_id, booking) || E'.\n\n'
          || private.mail_text(booking.user_id, 'If you cannot come, please cancel in time, so that others can have your place.'),
        private.mail_text(booking.user_id, 'See your booking'), '/bookings', booking.id, p_due_at => day_before);
    end if;
  end
  $$;
revoke execute on function private.plan_reminder(public.bookings) from public, anon, authenticated;

create or replace function private.mail_booking() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    is_new constant boolean := tg_op = 'INSERT';
    is_moved boolean;
  begin
    if private.is_seeding() then
      return null;
    elsif is_new then
      if new.source = 'online' and new.status = 'pending' then
        perform private.mail_owner(new, 'asked', 'booking_asked', 'New booking request for %s', '%s asks for %s.', 'Answer the request');
      end if;
      perform private.plan_reminder(new);
      return null;
    end if;
    is_moved := (new.booking_date, new.start_time) <> (old.booking_date, old.start_time);
    if is_moved or new.status <> old.status then
      perform private.plan_reminder(new);
    end if;
    -- A request that is moved is confirmed with it; that is one mail.
    if new.status <> old.status and not (is_moved and new.status = 'confirmed') then
      perform private.mail_status(new);
    else
      perform private.mail_time(old, new);
    end if;
    return null;
  end
  $$;
create or replace trigger mail_made after insert on public.bookings
  for each row execute function private.mail_booking();
create or replace trigger mail_changed after update of status, booking_date, start_time, proposed_date, proposed_start, proposed_by on public.bookings
  for each row when ((old.status, old.booking_date, old.start_time, old.proposed_date, old.proposed_start, old.proposed_by)
    is distinct from (new.status, new.booking_date, new.start_time, new.proposed_date, new.proposed_start, new.proposed_by))
  execute function private.mail_booking();

-- A mail about a message that is not read within an hour; one per conversation until its recipient has read it.
create or replace function private.mail_message() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    if private.is_seeding() or exists (
      select from public.messages m join private.mail_outbox o on o.message_id = m.id
      where m.conversation_id = new.conversation_id and m.recipient_id = new.recipient_id and not m.read and o.user_id = new.recipient_id
    ) then
      return null;
    end if;
    perform private.queue_mail('message.' || new.id, new.recipient_id, 'message_unread',
      private.mail_text(new.recipient_id, 'A message about %s waits for you', b.name),
      private.mail_text(new.recipient_id, '%s wrote to you about %s. You have not read it yet.',
        coalesce((select p.full_name from private.profiles p where p.id = new.sender_id), private.mail_text(new.recipient_id, 'Somebody')), b.name),
      private.mail_text(new.recipient_id, 'Read the message'), '/messages?conversation=' || new.conversation_id, p_message_id => new.id, p_due_at => now() + interval '1 hour')
    from public.businesses b where b.id = new.business_id;
    return null;
  end
  $$;
create or replace trigger mail_made after insert on public.messages
  for each row execute function private.mail_message();
