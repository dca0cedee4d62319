-- Moving a booking: one side proposes another time, the other accepts. The booking keeps its time until then, and
-- whether the new time is still free is checked at acceptance (place_booking).

-- Fails unless a booking can be moved to a time; the rules depend on who moves it.
create or replace function private.check_new_time(booking public.bookings, p_date date, p_start time, by_business boolean) returns void
  language plpgsql stable security definer
  set search_path = ''
  as $$
  declare
    wanted constant integer := extract(epoch from p_start)::integer / 60;
    local_now constant timestamp := now() at time zone booking.time_zone;
    problem record;
  begin
    if p_date is null or p_start is null then
      perform private.fail(422, 'time_required', 'Choose a day and a time');
    elsif p_date = booking.booking_date and p_start = booking.start_time then
      perform private.fail(422, 'same_time', 'The booking is at that time already', 'Choose another time.');
    elsif p_date + p_start <= local_now then
      perform private.fail(422, 'booking_in_past', 'Booking date cannot be in the past');
    elsif p_date > local_now::date + 730 then
      perform private.fail(422, 'booking_too_far_ahead', 'The business takes no bookings that far ahead', 'Choose an earlier date.');
    elsif wanted + booking.service_duration > 1440 then
      perform private.fail(422, 'business_closed', 'The business is closed at that time', 'Choose another time.');
    elsif not by_business then
      select s.starts, s.reason into problem
      from private.slots(booking.business_id, p_date, booking.service_duration) s
      where s.starts = wanted;
      -- 'taken' comes last, and may be by this booking itself; that is looked at below.
      if problem.starts is null or coalesce(problem.reason, 'taken') <> 'taken' then
        perform private.fail(422, 'time_not_offered', 'The business takes no bookings at that time', 'Choose another time.');
      end if;
    end if;
    if private.is_full(booking.business_id,
        tsrange(p_date + p_start, p_date + private.clock(wanted + booking.service_duration)), booking.id) then
      perform private.fail(409, 'slot_taken', 'That time is taken', 'Choose another time.');
    end if;
  end
  $$;
revoke execute on function private.check_new_time(public.bookings, date, time, boolean) from public, anon, authenticated;

-- Proposes another time to the other side. A booking whose other side has no account is moved at once.
create or replace function public.propose_booking_time(p_booking_id uuid, p_date date, p_start time) returns public.bookings
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    booking public.bookings;
    new_start constant time := date_trunc('minute', p_start);
    by_business boolean;
  begin
    booking := private.lock_booking(p_booking_id);
    by_business := private.manages(booking.business_id);
    if booking.status not in ('pending', 'confirmed') or private.has_started(booking) then
      perform private.fail(409, 'booking_over', 'Only a booking that is to come can be moved');
    end if;
    perform private.check_new_time(booking, p_date, new_start, by_business);
    if by_business and coalesce(booking.user_id, auth.uid()) = auth.uid() then
      update public.bookings b
      set booking_date = p_date, start_time = new_start, status = 'confirmed',
        end_time = private.clock(extract(epoch from new_start)::integer / 60 + b.service_duration),
        proposed_date = null, proposed_start = null, proposed_by = null
      where b.id = booking.id returning * into booking;
      return booking;
    end if;
    -- The same proposal again tells the other side nothing.
    if (booking.proposed_date, booking.proposed_start) = (p_date, new_start)
      and booking.proposed_by = (case when by_business then 'business' else 'customer' end) then
      return booking;
    end if;
    if 10 <= (select count(*) from public.audit_logs l
      where l.record_id = booking.id::text and l.user_id = auth.uid() and l.created_at > now() - interval '1 day'
        and l.changed_fields && array['proposed_date', 'proposed_start'])
    then
      perform private.fail(429, 'too_many_proposals', 'You have proposed another time often enough today', 'Try again tomorrow.');
    end if;
    update public.bookings b
    set proposed_date = p_date, proposed_start = new_start, proposed_by = case when by_business then 'business' else 'customer' end
    where b.id = booking.id returning * into booking;
    if by_business then
      perform private.notify(booking.user_id, 'booking', booking.business_name || ' proposes another time',
        private.proposal_words(booking), '/bookings');
    else
      perform private.notify(b.owner_id, 'booking', 'A customer asks for another time', booking.business_name || ': ' || private.proposal_words(booking),
        private.owner_booking_link(booking)) from public.businesses b where b.id = booking.business_id;
    end if;
    return booking;
  end
  $$;
revoke execute on function public.propose_booking_time(uuid, date, time) from public, anon;

-- Formats a time: 'Wed 25 Nov, 11:00'.
create or replace function private.short_time(p_date date, p_start time) returns text
  language sql stable
  set search_path = ''
  as $$
    select to_char(p_date, 'Dy FMDD Mon') || to_char(p_start, ', HH24:MI')
  $$;

create or replace function private.proposal_words(booking public.bookings) returns text
  language sql stable
  set search_path = ''
  as $$
    select format('%s: %s instead of %s', booking.service_name,
      private.short_time(booking.proposed_date, booking.proposed_start),
      private.short_time(booking.booking_date, booking.start_time))
  $$;

-- Accepts or declines a proposed time; the proposer may withdraw it. The time is an argument, so that nobody accepts
-- one that has changed meanwhile. An accepted time is confirmed. A time that was taken meanwhile fails with 23P01.
create or replace function public.answer_booking_time(p_booking_id uuid, p_accept boolean, p_date date, p_start time) returns public.bookings
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    booking public.bookings;
    before public.bookings;
    by_business boolean;
    is_own boolean;
  begin
    before := private.lock_booking(p_booking_id);
    booking := before;
    by_business := private.manages(booking.business_id) and booking.user_id is distinct from auth.uid();
    is_own := booking.proposed_by = case when by_business then 'business' else 'customer' end;
    if booking.proposed_by is null or p_date is distinct from booking.proposed_date or p_start is distinct from booking.proposed_start then
      perform private.fail(409, 'proposal_changed', 'That time is not proposed any more');
    elsif p_accept and is_own then
      perform private.fail(403, 'own_proposal', 'The other side accepts a proposed time');
    elsif p_accept and (private.has_started(booking)
        or (now() at time zone booking.time_zone) >= booking.proposed_date + booking.proposed_start) then
      perform private.fail(409, 'booking_started', 'It is too late to move this booking');
    end if;
    update public.bookings b
    set booking_date = case when p_accept then b.proposed_date else b.booking_date end,
      start_time = case when p_accept then b.proposed_start else b.start_time end,
      end_time = case when p_accept
        then private.clock(extract(epoch from b.proposed_start)::integer / 60 + b.service_duration) else b.end_time end,
      status = case when p_accept then 'confirmed' else b.status end,
      proposed_date = null, proposed_start = null, proposed_by = null
    where b.id = booking.id returning * into booking;
    if is_own then
      return booking;
    elsif by_business then
      perform private.notify(booking.user_id, 'booking',
        booking.business_name || case when p_accept then ' moved your booking' else ' cannot take the other time' end,
        private.proposal_words(before), '/bookings');
    else
      perform private.notify(b.owner_id, 'booking', 'A customer ' || case when p_accept then 'accepted' else 'refused' end || ' the other time',
        booking.business_name || ': ' || private.proposal_words(before), private.owner_booking_link(booking))
      from public.businesses b where b.id = booking.business_id;
    end if;
    return booking;
  end
  $$;
revoke execute on function public.answer_booking_time(uuid, boolean, date, time) from public, anon;
