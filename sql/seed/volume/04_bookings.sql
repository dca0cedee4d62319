-- Bookings of the coming days that the business has made, some of which take the last slot, and a hundred of customers: one
-- each third day, until eleven days from now, at other hours. What the dropped triggers would fill in is written here.
insert into public.bookings (business_id, user_id, service_id, business_name, service_name, service_price, service_duration, booking_date, start_time,
  end_time, time_zone, status, cancel_kind, source, customer_name, created_at)
select b.id, m.user_id, s.id, b.name, s.name, s.price, s.duration, m.booking_date, m.start_time,
  m.start_time + make_interval(mins => s.duration), b.time_zone, m.status, case m.status when 'cancelled' then 'customer' end, m.source, m.customer_name,
  least(now(), m.booking_date - interval '5 days')
from volume_rows r
join public.businesses b on b.id = r.id
join lateral (select * from public.services s where s.business_id = r.id order by s.duration limit 1) s on true
cross join lateral (
  select null as user_id, 'business' as source, 'Ana' as customer_name, current_date + 1 + r.dice % 7 as booking_date, start_time, 'confirmed' as status
  from unnest(array['10:00', '11:30', '17:00', '17:30']::time[]) with ordinality as clock (start_time, place)
  where r.n % 40 = 0 and (place < 3 or place = 3 + r.dice % 4)
  union all
  select p.id, 'online', null, current_date + 14 - 3 * turn, '13:00'::time + make_interval(mins => 30 * (turn % 5)),
    case when turn % 10 = 9 then 'cancelled' when turn > 4 then 'completed' when turn % 2 = 0 then 'confirmed' else 'pending' end
  from generate_series(1, 100) as turn
  join volume_people p on p.place = (r.n * 37 + turn * 101) % (select count(*) from volume_people)
) as m (user_id, source, customer_name, booking_date, start_time, status)
where r.n % 20 = 0;
