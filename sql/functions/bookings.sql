-- Every write to a business's bookings waits here, and takes its locks in the same order: the users' rows, the
-- business's row, then the business's bookings. Otherwise two overlapping bookings and a concurrent cancellation could
-- deadlock.
--
-- A transaction that books at several businesses waits only for locks above those that it has; it fails for one below,
-- as two such transactions could deadlock.
create or replace function private.lock_bookings(p_business_id uuid, p_user_id uuid) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    wanted constant bigint := hashtextextended('plaza.bookings.' || p_business_id, 0);
    highest constant bigint := nullif(current_setting('plaza.highest_booking_lock', true), '')::bigint;
  begin
    if private.is_seeding() or wanted is null then
      return;
    end if;
    -- Deleting an account or a business takes these rows before it comes to their bookings.
    perform from private.profiles p
    where p.id = p_user_id or p.id = (select b.owner_id from public.businesses b where b.id = p_business_id)
    order by p.id
    for key share;
    perform from public.businesses b where b.id = p_business_id for key share;
    if highest is null or wanted >= highest then
      perform pg_advisory_xact_lock(wanted);
      perform set_config('plaza.highest_booking_lock', wanted::text, true);
    elsif not pg_try_advisory_xact_lock(wanted) then
      perform private.fail(409, 'bookings_busy', 'Others are booking at the same time. Please try again.');
    end if;
  end
  $$;
revoke execute on function private.lock_bookings(uuid, uuid) from public, anon, authenticated;

-- Limits a user's unanswered requests, and requests per day, including cancelled ones.
create or replace function private.check_open_bookings(p_user_id uuid, p_business_id uuid) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    most_at_business constant integer := 5;
    most_open constant integer := 20;
    most_a_day constant integer := 50;
    open_at_business bigint;
    open_in_all bigint;
    made_today bigint;
  begin
    select count(*) filter (where is_open and business_id = p_business_id), count(*) filter (where is_open), count(*) filter (where is_new)
    into open_at_business, open_in_all, made_today
    from (
      select k.business_id, k.status = 'pending' and k.booking_date >= current_date - 1 as is_open,
        k.created_at > now() - interval '1 day' as is_new
      from public.bookings k where k.user_id = p_user_id) own;
    if open_at_business >= most_at_business then
      perform private.fail(429, 'too_many_open_bookings',
        format('You have %s bookings that this business has not confirmed yet', most_at_business),
        'Wait for the business to confirm them, or cancel one.');
    elsif open_in_all >= most_open then
      perform private.fail(429, 'too_many_open_bookings', format('You have %s bookings that are not confirmed yet', most_open),
        'Wait until they are confirmed, or cancel one.');
    elsif made_today >= most_a_day then
      perform private.fail(429, 'too_many_bookings', format('You have made %s bookings within a day', most_a_day), 'Try again tomorrow.');
    end if;
  end
  $$;
revoke execute on function private.check_open_bookings(uuid, uuid) from public, anon, authenticated;

-- Completes and checks a new booking (S-27). The caller cannot set the status, end and prices; the policy checks the
-- customer. A slot that is taken fails later, in place_booking (23P01).
create or replace function private.before_booking() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    service public.services;
    business record;
    problem record;
  begin
    if private.is_client() then
      perform private.lock('requests.' || private.require_user());
      if new.source = 'online' then
        new.status := 'pending';
      end if;
    end if;
    perform private.lock_bookings(new.business_id, new.user_id);
    select * into service from public.services s where s.id = new.service_id;
    if service.id is null then
      perform private.fail(422, 'invalid_service', 'The selected service does not exist');
    elsif service.business_id is distinct from new.business_id then
      perform private.fail(422, 'service_of_another_business', 'The selected service does not exist', 'Choose a service of this business.');
    end if;
    select b.name, b.time_zone, b.owner_id into business from public.businesses b where b.id = new.business_id;

    new.business_name := business.name;
    new.time_zone := business.time_zone;
    new.service_name := service.name;
    new.service_price := service.price;
    new.service_duration := service.duration;
    new.notes := nullif(btrim(new.notes), '');
    if extract(epoch from new.start_time)::integer / 60 + service.duration > 1440 then
      perform private.fail(422, 'business_closed', 'The business is closed at that time', 'Choose another time.');
    end if;
    new.end_time := private.clock(extract(epoch from new.start_time)::integer / 60 + service.duration);

    -- Seeds and the server itself may record what has already happened; a business knows itself when it
    -- takes somebody, as add_walk_in has checked (callers cannot set the source).
    if coalesce(current_setting('role', true), 'none') = 'none' or new.source = 'business' or private.is_seeding() then
      return new;
    end if;
    -- Nobody would answer.
    if business.owner_id is null then
      perform private.fail(422, 'business_without_owner', 'This business takes no bookings here yet', 'Contact the business directly.');
    end if;
    select s.starts, s.reason into problem
    from private.slots(new.business_id, new.booking_date, service.duration) s
    where private.clock(s.starts) = new.start_time;
    if problem.starts is null then
      perform private.fail(422, 'slot_off_grid', 'Bookings start every 30 minutes from 09:00 to 17:30');
    elsif problem.reason = 'past' then
      perform private.fail(422, 'booking_in_past', 'Booking date cannot be in the past');
    elsif problem.reason = 'too_far' then
      perform private.fail(422, 'booking_too_far_ahead', 'The business takes no bookings that far ahead', 'Choose an earlier date.');
    elsif problem.reason = 'blackout' then
      perform private.fail(422, 'blackout_date', 'The business takes no bookings on that date', 'Choose another date.');
    elsif problem.reason = 'closed' then
      perform private.fail(422, 'business_closed', 'The business is closed at that time', 'Choose another time.');
    elsif problem.reason = 'unavailable' then
      perform private.fail(422, 'business_unavailable', 'The business takes no bookings at that time', 'Choose another time.');
    elsif problem.reason = 'too_soon' then
      perform private.fail(422, 'booking_too_soon', 'The business needs more notice', 'Choose a later time.');
    end if;
    if private.is_client() then
      perform private.check_open_bookings(auth.uid(), new.business_id);
    end if;
    return new;
  end
  $$;
create or replace trigger make before insert on public.bookings
  for each row execute function private.before_booking();

-- Changing or deleting a service does not change its bookings' own columns.
create or replace trigger touch before update on public.bookings
  for each row execute function private.touch_updated_at();

-- The constraint bookings_end_after_start has the same rule (SEED-11); its violation has no text for people.
create or replace function private.check_booking_end() returns trigger
  language plpgsql
  set search_path = ''
  as $$
  begin
    if new.end_time <= new.start_time then
      perform private.fail(422, 'end_before_start', 'End time must be after start time');
    end if;
    return new;
  end
  $$;
create or replace trigger check_end before update of start_time, end_time on public.bookings
  for each row execute function private.check_booking_end();

-- Returns a booking, locked for a change by its customer or its business; nobody else learns that it exists.
create or replace function private.lock_booking(p_booking_id uuid) returns public.bookings
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    booking public.bookings;
  begin
    perform private.require_user();
    perform private.lock_bookings(b.business_id, b.user_id) from public.bookings b where b.id = p_booking_id;
    select * into booking from public.bookings b where b.id = p_booking_id for update;
    if booking.id is null
      or not (booking.user_id is not distinct from auth.uid() or private.manages(booking.business_id)) then
      perform private.fail(404, 'booking_not_found', 'This booking does not exist');
    end if;
    return booking;
  end
  $$;
revoke execute on function private.lock_booking(uuid) from public, anon, authenticated;

create or replace function private.has_started(booking public.bookings) returns boolean
  language sql stable
  set search_path = ''
  as $$
    select (now() at time zone booking.time_zone) >= booking.booking_date + booking.start_time
  $$;

-- The state machine of a booking (S-28):
--   pending   → confirmed, cancelled   by the business; cancelled by the customer; cancelled by expire_booking
--   confirmed → completed, cancelled   by the business; cancelled by the customer before it starts
--   cancelled → completed              by the business, if it was marked as a no-show by mistake
-- A request is declined with a reason, which the customer can read.
create or replace function public.set_booking_status(p_booking_id uuid, p_status text, p_reason text default null) returns public.bookings
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    booking public.bookings;
    reason constant text := nullif(btrim(p_reason), '');
    is_customer boolean;
    is_manager boolean;
    kind text;
  begin
    booking := private.lock_booking(p_booking_id);
    is_customer := booking.user_id is not distinct from auth.uid();
    is_manager := private.manages(booking.business_id);
    if booking.status = p_status then
      return booking;
    end if;

    if not (case booking.status || ' ' || coalesce(p_status, '')
        when 'pending confirmed' then is_manager
        when 'pending cancelled' then true
        when 'confirmed completed' then is_manager
        when 'confirmed cancelled' then true
        when 'cancelled completed' then is_manager and booking.cancel_kind is not distinct from 'no_show'
        else false end) then
      perform private.fail(409, 'status_not_allowed',
        format('A %s booking cannot become %s', booking.status, coalesce(p_status, 'unknown')));
    elsif p_status = 'cancelled' and private.has_started(booking) and not is_manager then
      perform private.fail(409, 'booking_started', 'A booking that has started cannot be cancelled');
    elsif p_status = 'completed' and not private.has_started(booking) then
      perform private.fail(409, 'booking_not_started', 'A booking cannot be completed before it starts');
    elsif p_status = 'confirmed' and private.has_started(booking) then
      perform private.fail(409, 'booking_started', 'A booking that has started cannot be confirmed');
    elsif p_status = 'cancelled' and booking.status = 'pending' and not is_customer and reason is null then
      perform private.fail(422, 'reason_required', 'Tell the customer why', 'Give a reason of up to 500 characters.');
    elsif char_length(reason) > 500 then
      perform private.fail(422, 'reason_too_long', 'A reason has at most 500 characters');
    end if;
    if p_status = 'cancelled' then
      kind := case when is_customer then 'customer' when booking.status = 'pending' then 'declined' else 'business' end;
    end if;
    update public.bookings b
    set status = p_status, cancel_kind = kind, cancel_reason = case when kind is not null then reason end,
      proposed_date = null, proposed_start = null, proposed_by = null
    where b.id = booking.id returning * into booking;
    return booking;
  end
  $$;
revoke execute on function public.set_booking_status(uuid, text, text) from public, anon;

create or replace function public.cancel_booking(p_booking_id uuid, p_reason text default null) returns public.bookings
  language sql security definer
  set search_path = ''
  as $$
    select public.set_booking_status(p_booking_id, 'cancelled', p_reason)
  $$;
revoke execute on function public.cancel_booking(uuid, text) from public, anon;

-- Marks a customer as a no-show: by the business, after the start; also for a booking that was marked completed.
create or replace function public.mark_no_show(p_booking_id uuid) returns public.bookings
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    booking public.bookings;
  begin
    booking := private.lock_booking(p_booking_id);
    if booking.cancel_kind = 'no_show' then
      return booking;
    elsif not private.manages(booking.business_id) or booking.status not in ('confirmed', 'completed') then
      perform private.fail(409, 'status_not_allowed', format('A %s booking cannot become a no-show', booking.status));
    elsif not private.has_started(booking) then
      perform private.fail(409, 'booking_not_started', 'Nobody can miss a booking before it starts');
    end if;
    update public.bookings b
    set status = 'cancelled', cancel_kind = 'no_show', proposed_date = null, proposed_start = null, proposed_by = null
    where b.id = booking.id returning * into booking;
    return booking;
  end
  $$;
revoke execute on function public.mark_no_show(uuid) from public, anon;

-- Cancels one request that nobody answered before its start, and notifies both sides (by trigger). Returns whether
-- there was one. It handles one at a time, since a transaction may take the locks of several businesses only in order.
create or replace function private.expire_booking() returns boolean
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    due record;
  begin
    select b.id, b.business_id, b.user_id into due
    from public.bookings b
    -- A day that has begun somewhere in the market; the clock of its own zone decides.
    where b.status = 'pending' and b.booking_date <= (now() at time zone 'Europe/Madrid')::date and private.has_started(b)
    order by b.booking_date, b.start_time, b.id
    limit 1;
    if due.id is null then
      return false;
    end if;
    perform private.lock_bookings(due.business_id, due.user_id);
    update public.bookings b
    set status = 'cancelled', cancel_kind = 'expired', proposed_date = null, proposed_start = null, proposed_by = null
    where b.id = due.id and b.status = 'pending' and private.has_started(b);
    return true;
  end
  $$;
revoke execute on function private.expire_booking() from public, anon, authenticated;
grant execute on function private.expire_booking() to service_role;

-- Creates a booking for a customer who called or walked in. It takes a place like any other, with the buffer; opening
-- hours, notice and how far ahead do not apply to the business itself.
create or replace function public.add_walk_in(p_business_id uuid, p_service_id uuid, p_date date, p_start time,
  p_customer_name text, p_customer_phone text default null) returns public.bookings
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    most_a_day constant integer := 200;
    today date;
    booking public.bookings;
  begin
    perform private.require_user();
    if not private.manages(p_business_id) then
      perform private.fail(403, 'not_your_business', 'You do not have permission to perform this action');
    end if;
    select (now() at time zone b.time_zone)::date into today from public.businesses b where b.id = p_business_id;
    if today is null then
      perform private.fail(404, 'business_not_found', 'This business does not exist');
    elsif p_date is null or p_date < today then
      perform private.fail(422, 'booking_in_past', 'Booking date cannot be in the past');
    elsif p_date > today + 730 then
      perform private.fail(422, 'booking_too_far_ahead', 'Bookings can be made two years ahead', 'Choose an earlier date.');
    end if;
    perform private.lock('walk_ins.' || p_business_id);
    if (select count(*) from public.bookings b
        where b.business_id = p_business_id and b.source = 'business' and b.created_at > now() - interval '1 day') >= most_a_day then
      perform private.fail(429, 'too_many_bookings', format('%s bookings were entered within a day', most_a_day), 'Try again tomorrow.');
    end if;
    insert into public.bookings (business_id, user_id, service_id, booking_date, start_time, status, source, customer_name, customer_phone)
    values (p_business_id, null, p_service_id, p_date, date_trunc('minute', p_start), 'confirmed', 'business',
      btrim(p_customer_name), nullif(btrim(p_customer_phone), ''))
    returning * into booking;
    return booking;
  end
  $$;
revoke execute on function public.add_walk_in(uuid, uuid, date, time, text, text) from public, anon;

create or replace trigger touch before update on public.booking_notes
  for each row execute function private.touch_updated_at();
