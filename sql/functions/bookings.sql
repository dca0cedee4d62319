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
      perform private.require_user();
      new.status := 'pending';
    end if;
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
    elsif problem.reason = 'blackout' then
      perform private.fail(422, 'blackout_date', 'The business takes no bookings on that date', 'Choose another date.');
    elsif problem.reason = 'closed' then
      perform private.fail(422, 'business_closed', 'The business is closed at that time', 'Choose another time.');
    elsif problem.reason = 'unavailable' then
      perform private.fail(422, 'business_unavailable', 'The business takes no bookings at that time', 'Choose another time.');
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
