-- Everything that writes bookings of a business waits for its turn here, and takes its locks in one order: the
-- people's rows, the business's row, then the business's bookings. Without it, two bookings that overlap with one
-- that is being cancelled wait for each other.
--
-- A transaction that books at several businesses waits only for locks above those that it has: for one below it
-- fails, as two such transactions could wait for each other.
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
    perform from public.profiles p
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

-- What one user may have asked for and not have an answer to, and may ask for in a day, cancelled or not.
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

-- A booking as it is made (S-27). The status, end and prices are not the caller's to
-- say; whose booking it is, the policy checks. A slot that is taken fails later, in the exclusion constraint
-- (23P01), where two callers at once cannot both pass.
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
      new.status := 'pending';
    end if;
    perform private.lock_bookings(new.business_id, new.user_id);
    select * into service from public.services s where s.id = new.service_id;
    if service.id is null then
      perform private.fail(422, 'invalid_service', 'The selected service does not exist');
    elsif service.business_id is distinct from new.business_id then
      perform private.fail(422, 'service_of_another_business', 'The selected service does not exist', 'Choose a service of this business.');
    end if;
    select b.name, b.time_zone into business from public.businesses b where b.id = new.business_id;

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

    -- Seeds and the server itself may record what has already happened.
    if coalesce(current_setting('role', true), 'none') = 'none' then
      return new;
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
    end if;
    if private.is_client() then
      perform private.check_open_bookings(auth.uid(), new.business_id);
    end if;
    return new;
  end
  $$;
create or replace trigger make before insert on public.bookings
  for each row execute function private.before_booking();

-- A service that is changed or deleted leaves its bookings' own columns alone.
create or replace trigger touch before update on public.bookings
  for each row execute function private.touch_updated_at();

-- The state machine of a booking (S-28):
--   pending   → confirmed, cancelled   by the business; cancelled by the customer
--   confirmed → completed, cancelled   by the business; cancelled by the customer before it starts
create or replace function public.set_booking_status(p_booking_id uuid, p_status text) returns public.bookings
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    booking public.bookings;
    is_manager boolean;
    has_started boolean;
  begin
    perform private.require_user();
    perform private.lock_bookings(b.business_id, b.user_id) from public.bookings b where b.id = p_booking_id;
    select * into booking from public.bookings b where b.id = p_booking_id for update;
    is_manager := booking.id is not null and (public.is_admin()
      or exists (select from public.businesses b where b.id = booking.business_id and b.owner_id = auth.uid()));
    if booking.id is null or not (is_manager or booking.user_id is not distinct from auth.uid()) then
      perform private.fail(404, 'booking_not_found', 'This booking does not exist');
    end if;
    if booking.status = p_status then
      return booking;
    end if;
    has_started := (now() at time zone booking.time_zone) >= booking.booking_date + booking.start_time;

    if not (case booking.status || ' ' || coalesce(p_status, '')
        when 'pending confirmed' then is_manager
        when 'pending cancelled' then true
        when 'confirmed completed' then is_manager
        when 'confirmed cancelled' then true
        else false end) then
      perform private.fail(409, 'status_not_allowed',
        format('A %s booking cannot become %s', booking.status, coalesce(p_status, 'unknown')));
    elsif p_status = 'cancelled' and has_started and not is_manager then
      perform private.fail(409, 'booking_started', 'A booking that has started cannot be cancelled');
    elsif p_status = 'completed' and not has_started then
      perform private.fail(409, 'booking_not_started', 'A booking cannot be completed before it starts');
    elsif p_status = 'confirmed' and has_started then
      perform private.fail(409, 'booking_started', 'A booking that has started cannot be confirmed');
    end if;
    update public.bookings b set status = p_status where b.id = booking.id returning * into booking;
    return booking;
  end
  $$;
revoke execute on function public.set_booking_status(uuid, text) from public, anon;

create or replace function public.cancel_booking(p_booking_id uuid) returns public.bookings
  language sql security definer
  set search_path = ''
  as $$
    select public.set_booking_status(p_booking_id, 'cancelled')
  $$;
revoke execute on function public.cancel_booking(uuid) from public, anon;
