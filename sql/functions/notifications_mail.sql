-- Which changes are reported by mail, and their texts.

-- Formats a day and a time in the business's zone: "Wednesday 25 November 2026 at 11:00 (Madrid time)".
create or replace function private.time_words(p_date date, p_start time, p_time_zone text) returns text
  language sql immutable
  set search_path = ''
  as $$
    select format('%s at %s (%s time)', to_char(p_date, 'FMDay FMDD FMMonth YYYY'), to_char(p_start, 'HH24:MI'),
      case p_time_zone when 'Atlantic/Canary' then 'Canary Islands' else replace(split_part(p_time_zone, '/', 2), '_', ' ') end)
  $$;

create or replace function private.visit_words(booking public.bookings) returns text
  language sql stable
  set search_path = ''
  as $$
    select booking.service_name || ' on ' || private.time_words(booking.booking_date, booking.start_time, booking.time_zone)
  $$;

create or replace function private.mail_customer(booking public.bookings, p_event text, p_kind text, p_subject text, p_content text, p_action text, p_link text)
  returns void
  language sql security definer
  set search_path = ''
  as $$
    select private.queue_mail('booking.' || booking.id || '.' || p_event, booking.user_id, p_kind, p_subject, p_content, p_action, p_link, booking.id)
  $$;
revoke execute on function private.mail_customer(public.bookings, text, text, text, text, text, text) from public, anon, authenticated;

-- p_did follows the customer's name.
create or replace function private.mail_owner(booking public.bookings, p_event text, p_kind text, p_subject text, p_did text, p_action text)
  returns void
  language sql security definer
  set search_path = ''
  as $$
    select private.queue_mail('booking.' || booking.id || '.' || p_event, b.owner_id, p_kind, p_subject,
      coalesce((select p.full_name from private.profiles p where p.id = booking.user_id), 'A customer') || ' ' || p_did,
      p_action, private.owner_booking_link(booking), booking.id)
    from public.businesses b where b.id = booking.business_id
  $$;
revoke execute on function private.mail_owner(public.bookings, text, text, text, text, text) from public, anon, authenticated;

-- Mails about a confirmed, cancelled or completed booking. A no-show is only a notification.
create or replace function private.mail_status(booking public.bookings) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    visit constant text := private.visit_words(booking) || '.';
    with_reason constant text := visit || coalesce(E'\n\nReason: ' || booking.cancel_reason, '');
    kind constant text := 'booking_answered';
    past constant text := '/bookings?view=past';
    see constant text := 'See your bookings';
  begin
    if booking.status = 'confirmed' then
      perform private.mail_customer(booking, 'confirmed', kind, booking.business_name || ' confirmed your booking', visit, see, '/bookings');
    elsif booking.status = 'completed' and booking.business_id is not null and booking.user_id is not null then
      -- Once for a business as long as the row is kept; an hour later, when the customer has left.
      perform private.queue_mail('review.' || booking.user_id || '.' || booking.business_id, booking.user_id, 'review_asked',
        'How was ' || booking.business_name || '?', visit || E'\n\nA few words from you help others to choose, and the business to get better.',
        'Write a review', past || '&review=' || booking.business_id, booking.id, p_due_at => now() + interval '1 hour');
    elsif booking.cancel_kind = 'customer' then
      perform private.mail_owner(booking, 'cancelled', kind, 'A booking at ' || booking.business_name || ' was cancelled',
        'cancelled: ' || with_reason, 'See the booking');
    elsif booking.cancel_kind = 'expired' then
      perform private.mail_customer(booking, 'cancelled', kind, booking.business_name || ' did not answer in time',
        'Your request has expired: ' || visit, see, past);
    elsif booking.cancel_kind = 'declined' then
      perform private.mail_customer(booking, 'cancelled', kind, booking.business_name || ' declined your booking', with_reason, see, past);
    elsif booking.status = 'cancelled' and booking.cancel_kind is distinct from 'no_show' then
      perform private.mail_customer(booking, 'cancelled', kind, booking.business_name || ' cancelled your booking', with_reason, see, past);
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
    visit constant text := private.visit_words(booking);
    instead constant text := private.time_words(booking.proposed_date, booking.proposed_start, booking.time_zone) || ', instead of '
      || private.time_words(booking.booking_date, booking.start_time, booking.time_zone) || '.';
    is_customer constant boolean := coalesce(auth.uid() = booking.user_id, false);
  begin
    if (booking.booking_date, booking.start_time) <> (before.booking_date, before.start_time) then
      if before.proposed_by = 'business' then
        perform private.mail_owner(booking, 'moved.' || at_moment, kind, 'A customer of ' || booking.business_name || ' accepted the other time',
          'now comes for ' || visit || '.', 'See the booking');
      else
        perform private.mail_customer(booking, 'moved.' || at_moment, kind, booking.business_name || ' moved your booking',
          'It is confirmed: ' || visit || '.', 'See your bookings', '/bookings');
      end if;
    elsif booking.proposed_by = 'business' then
      perform private.mail_customer(booking, 'proposed.' || at_moment, kind, booking.business_name || ' proposes another time',
        booking.service_name || ' on ' || instead, 'Answer', '/bookings');
    elsif booking.proposed_by = 'customer' then
      perform private.mail_owner(booking, 'proposed.' || at_moment, kind, 'A customer of ' || booking.business_name || ' asks for another time',
        'asks for ' || booking.service_name || ' on ' || instead, 'Answer the customer');
    elsif before.proposed_by = 'business' and is_customer then
      perform private.mail_owner(booking, 'refused.' || at_moment, kind, 'A customer of ' || booking.business_name || ' refused the other time',
        'keeps ' || visit || '.', 'See the booking');
    elsif before.proposed_by = 'customer' and not is_customer then
      perform private.mail_customer(booking, 'refused.' || at_moment, kind, booking.business_name || ' cannot take the other time',
        'Your booking stays as it was: ' || visit || '.', 'See your bookings', '/bookings');
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
        booking.user_id, 'booking_reminder', 'Tomorrow: ' || booking.service_name || ' at ' || booking.business_name,
        private.visit_words(booking) || E'.\n\nIf you cannot come, please cancel in time, so that others can have your place.',
        'See your booking', '/bookings', booking.id, p_due_at => day_before);
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
        perform private.mail_owner(new, 'asked', 'booking_asked', 'New booking request for ' || new.business_name,
          'asks for ' || private.visit_words(new) || '.', 'Answer the request');
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
    perform private.queue_mail('message.' || new.id, new.recipient_id, 'message_unread', 'A message about ' || b.name || ' waits for you',
      coalesce((select p.full_name from private.profiles p where p.id = new.sender_id), 'Somebody') || ' wrote to you about ' || b.name
        || '. You have not read it yet.',
      'Read the message', '/messages?conversation=' || new.conversation_id, p_message_id => new.id, p_due_at => now() + interval '1 hour')
    from public.businesses b where b.id = new.business_id;
    return null;
  end
  $$;
create or replace trigger mail_made after insert on public.messages
  for each row execute function private.mail_message();
