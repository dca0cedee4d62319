-- User activity: visits, reviews and responses, bookings around today, favourites, messages, requests to the admins,
-- and the owner's figures.
set local plaza.seeding = 'on';

create temporary table demo_customers on commit drop as
select id, row_number() over (order by id) as place, count(*) over () as amount
from private.profiles
where role = 'user' and id <> private.seed_id('user@plaza.test') and id in (select u.id from auth.users u where u.raw_app_meta_data ? 'plaza_demo');

-- The listings of 02_businesses.sql; volume data has no tagline.
create temporary table demo_listings on commit drop as
select b.id, b.name, b.owner_id, b.city_slug, b.hours from public.businesses b where b.source = 'seeded' and b.tagline is not null;
analyze demo_listings, demo_customers;

-- 0 to 9 reviews per business, each by a different customer; the third is never better than 4, so that averages are
-- realistic (SEED-15).
insert into public.reviews (id, business_id, user_id, rating, comment, created_at)
select private.seed_id('review ' || r.key), r.business_id, c.id, r.rating,
  (case
    when r.rating = 5 then array[
      'Trato excelente y muy buen ambiente. Repetiré sin dudarlo.', 'Puntuales, amables y con precios claros. Lo recomiendo mucho.',
      'De lo mejor del barrio. Se nota que les gusta lo que hacen.', 'Un servei impecable, ens vam sentir com a casa.',
      'Molt professionals i atents amb cada detall. Hi tornarem segur!', 'Wonderful place, friendly people and everything ran on time.',
      'Best experience of our trip. Booking was easy and they spoke English.', 'Me explicaron todo con calma y el resultado es perfecto.']
    when r.rating = 4 then array[
      'Muy bien en general, aunque tuve que esperar diez minutos.', 'Buen servicio y buena relación calidad-precio.',
      'Tot correcte, només costa una mica d''aparcar a prop.', 'Bona feina i bon tracte. El local és petit però acollidor.',
      'Good service and fair prices. A little noisy at peak hours.', 'Volveré: profesionales y cercanos.']
    when r.rating = 3 then array[
      'Correcto, sin más. El trato es bueno pero el sitio necesita una mano de pintura.', 'Está bien, pero esperaba algo más por el precio.',
      'Normal. Em van atendre bé però amb retard.', 'Decent, although my appointment started twenty minutes late.']
    else array[
      'No quedé contento: me cambiaron la hora dos veces.', 'Massa espera i poca atenció. Una llàstima.',
      'Not what I had booked. They were polite about it, though.', 'El resultado no fue el que pedí y nadie me dio una solución.']
  end)[1 + private.pick(r.key || 'text', case r.rating when 5 then 8 when 4 then 6 else 4 end)],
  now() - make_interval(days => 2 + private.pick(r.key || 'day', 420), mins => private.pick(r.key, 1440))
from (
  select b.id as business_id, b.id || ' ' || n as key, n,
    case when n = 3 then 4 - private.pick(b.id || 'third', 2)
      else (array[5, 5, 5, 4, 5, 4, 4, 5, 3, 4, 5, 2])[1 + private.pick(b.id || ' stars ' || n, 12)] end as rating
  from demo_listings b, generate_series(1, 9) as n
  where n <= private.pick(b.id || 'reviews', 10)
) r
join demo_customers c on c.place = 1 + (private.pick(r.business_id::text, 1000) + r.n * 5) % c.amount
on conflict (id) do nothing;

delete from public.reviews
where user_id = private.seed_id('user@plaza.test') and business_id = private.seed_id('business barcelona hair');

select private.refresh_rating(b.id) from demo_listings b;

insert into public.review_responses (review_id, content, created_at)
select r.id,
  (case when r.rating >= 4 then array['¡Gracias por tus palabras! Te esperamos pronto.', 'Moltes gràcies, ha estat un plaer atendre''t.', 'Thank you for coming, see you next time!']
    else array['Sentimos no haber estado a la altura. Escríbenos y lo arreglamos.', 'Gràcies per dir-nos-ho: ja hem canviat l''organització de les cites.',
      'We are sorry about this and would like to make it right. Please write to us.'] end)[1 + private.pick(r.id::text, 3)],
  r.created_at + interval '1 day'
from public.reviews r join demo_listings b on b.id = r.business_id
where b.owner_id is not null and private.pick(r.id || 'answer', 3) = 0
on conflict (review_id) do nothing;

-- One booking a week for each business from five weeks ago to three weeks ahead, on an open day at an open hour; past
-- ones are completed, later ones are pending or confirmed. Times that are already booked are skipped.
create temporary table demo_visits on commit drop as
select b.id as business_id, key, day, coalesce(private.hours_of_day(b.hours, day), private.default_hours(day)) as open_minutes,
  case when week in (-3, -1, 1, 2) and b.city_slug = 'barcelona' and private.pick(b.id || 'mine', 6) = 0
    then private.seed_id('user@plaza.test')
    else customers.ids[1 + private.pick(key || 'customer', cardinality(customers.ids))] end as user_id
from demo_listings b
cross join generate_series(-5, 3) as week
cross join (select array_agg(id order by place) as ids from demo_customers) customers
cross join lateral (select b.id || ' ' || week as key, current_date + week * 7 + private.pick(b.id || ' day ' || week, 7) as day) visit
where day <> current_date
  and (private.pick(key || 'visit', 3) > 0 or b.owner_id = private.seed_id('owner@plaza.test'));

insert into public.bookings (id, business_id, user_id, service_id, booking_date, start_time, notes, status, created_at)
select private.seed_id('booking ' || v.key), v.business_id, v.user_id, slot.service_id, v.day, private.clock(slot.starts),
  case private.pick(v.key || 'note', 6) when 0 then 'Es mi primera visita.' when 1 then 'Si hi ha un forat abans, aviseu-me.' end,
  case when private.pick(v.key || 'status', 9) = 0 then 'cancelled'
    when v.day < current_date then 'completed'
    when private.pick(v.key || 'status', 9) < 5 then 'confirmed' else 'pending' end,
  least((v.day - 3 - private.pick(v.key, 9))::timestamp at time zone 'UTC', now() - make_interval(mins => private.pick(v.key || 'made', 4000)))
from demo_visits v
cross join lateral (
  select s.id as service_id, starts, starts + s.duration as ends
  from public.services s cross join generate_series(540, 1050, 30) as starts
  where s.business_id = v.business_id and v.open_minutes @> int4range(starts, starts + s.duration)
  order by md5(v.key || s.id || starts)
  limit 1
) slot
where not private.is_full(v.business_id,
  tsrange(v.day + private.clock(slot.starts), v.day + private.clock(slot.ends)), private.seed_id('booking ' || v.key))
on conflict (id) do nothing;

-- The demo owner's first business has a past booking of the demo user without a review.
insert into public.bookings (id, business_id, user_id, service_id, booking_date, start_time, status)
select private.seed_id('booking to review'), b.id, private.seed_id('user@plaza.test'), s.id, current_date - 36 - extract(isodow from current_date)::integer, '10:00', 'completed'
from public.businesses b join public.services s on s.business_id = b.id
where b.id = private.seed_id('business barcelona hair')
order by s.name limit 1
on conflict (id) do nothing;

insert into public.favorites (user_id, business_id, created_at)
select c.id, b.id, now() - make_interval(hours => private.pick(c.id || b.id::text, 2000))
from (select id from demo_customers union all select private.seed_id('user@plaza.test')) c
join demo_listings b on private.pick(c.id || ' likes ' || b.id, case when c.id = private.seed_id('user@plaza.test') then 35 else 70 end) = 0
on conflict do nothing;

insert into public.notifications (id, user_id, type, title, content, link, read, created_at)
select private.seed_id('notification ' || place), private.seed_id(email), type, title, content, link, place % 3 = 0,
  now() - make_interval(hours => place * 7)
from (values
  (1, 'user@plaza.test', 'booking', 'Your booking was confirmed', 'See you soon. You can cancel until it starts.', '/bookings'),
  (2, 'user@plaza.test', 'review', 'How was your visit?', 'Your visit is complete. Write a review.', '/bookings'),
  (3, 'user@plaza.test', 'message', 'New message', 'Hola Lucía, sí que tenim hora dijous a la tarda.', '/messages'),
  (4, 'user@plaza.test', 'other', 'Welcome to Plaza', 'Find a business, choose a time, done.', '/'),
  (5, 'owner@plaza.test', 'booking', 'New booking', 'A customer has booked a service. Confirm it in your dashboard.', '/dashboard'),
  (6, 'owner@plaza.test', 'review', 'New review', '5 of 5: Un servei impecable.', '/dashboard'),
  (7, 'owner@plaza.test', 'message', 'New message', 'Bona tarda, teniu hora dijous?', '/messages'),
  (8, 'admin@plaza.test', 'other', 'Requests are waiting', 'A claim, two applications and some reports wait for review.', '/admin?tab=claims')
) as note (place, email, type, title, content, link)
on conflict (id) do nothing;

insert into public.messages (id, sender_id, recipient_id, business_id, content, read, created_at)
select private.seed_id('message ' || place),
  private.seed_id(case when from_customer then 'user@plaza.test' else 'owner@plaza.test' end),
  private.seed_id(case when from_customer then 'owner@plaza.test' else 'user@plaza.test' end),
  private.seed_id('business barcelona hair'), content, place < 4, now() - make_interval(hours => 30 - place * 5)
from (values
  (1, true, 'Bona tarda, teniu hora dijous per a un tall i color?'),
  (2, false, 'Hola Lucía, sí que tenim hora dijous a la tarda. A les cinc et va bé?'),
  (3, true, 'Perfecte, ho reservo des de la web. Gràcies!'),
  (4, false, 'Fet, ens veiem dijous.')
) as line (place, from_customer, content)
where exists (select from public.businesses b where b.id = private.seed_id('business barcelona hair'))
on conflict (id) do nothing;

insert into public.seller_applications (id, user_id, business_name, business_type, business_description, location, status, created_at)
select private.seed_id('application ' || email), private.seed_id(email), name, type, description, location, status, now() - make_interval(days => days)
from (values
  ('pau.riera@plaza.test', 'Bicicletes Riera', 'Botiga de bicicletes', 'Venda i reparació de bicicletes, també elèctriques.', 'Gràcia, Barcelona', 'pending', 2),
  ('elena.nunez@plaza.test', 'Cerámica Núñez', 'Taller de cerámica', 'Clases de torno para grupos pequeños.', 'Triana, Sevilla', 'pending', 1),
  ('hugo.cabrera@plaza.test', 'Surf Las Canteras', 'Escuela de surf', 'Clases para todos los niveles.', 'Las Palmas', 'rejected', 40)
) as a (email, name, type, description, location, status, days)
on conflict (id) do nothing;

insert into public.claim_requests (id, user_id, business_id, full_name, business_email, business_phone, role_at_company, verification_method, submitted_at)
select private.seed_id('claim ' || p.place), p.user_id, b.id, p.name, 'info@' || private.company_slug(b.name) || '.example', '+34 000 111 22' || p.place,
  (array['Propietaria', 'Gerente'])[p.place], (array['email_domain', 'document_upload'])[p.place], now() - make_interval(days => p.place)
from (values (1, private.seed_id('merce.sola@plaza.test'), 'Mercè Solà'), (2, private.seed_id('alvaro.pena@plaza.test'), 'Álvaro Peña')) as p (place, user_id, name)
join (select id, name, row_number() over (order by id) as place from demo_listings where owner_id is null) b using (place)
on conflict (id) do nothing;

insert into public.reports (id, reporter_id, reported_id, type, reason, details, status, created_at)
select private.seed_id('report ' || n), c.id, target.id, target.type,
  (array['Wrong information', 'Spam', 'Offensive language', 'Closed for good', 'Fake review'])[1 + n % 5],
  'Please have a look at this.', case when n % 4 = 0 then 'resolved' else 'pending' end, now() - make_interval(hours => n * 9)
from generate_series(1, 10) as n
join demo_customers c on c.place = 1 + n
cross join lateral (
  (select b.id, 'business' as type from demo_listings b where n % 2 = 0 order by md5(b.id || n::text) limit 1)
  union all
  (select r.id, 'review' from public.reviews r where n % 2 = 1 and r.user_id <> c.id order by md5(r.id || n::text) limit 1)
) target
on conflict do nothing;

insert into public.business_availability (business_id, weekday, is_open, slots)
select private.seed_id('business barcelona hair'), weekday, slots <> '[]', slots::jsonb
from (values ('monday', '[]'), ('tuesday', '[{"start": "10:00", "end": "14:00"}, {"start": "15:30", "end": "20:00"}]'),
  ('wednesday', '[{"start": "10:00", "end": "20:00"}]'), ('thursday', '[{"start": "10:00", "end": "20:00"}]'),
  ('friday', '[{"start": "10:00", "end": "20:00"}]'), ('saturday', '[{"start": "10:00", "end": "14:00"}]'), ('sunday', '[]')) as day (weekday, slots)
where exists (select from public.businesses b where b.id = private.seed_id('business barcelona hair'))
on conflict (business_id, weekday) do nothing;
insert into public.blackout_dates (business_id, blackout_date)
select b.id, current_date + 20 from public.businesses b where b.id = private.seed_id('business barcelona hair')
on conflict do nothing;

-- 120 days of figures for the demo owner's businesses: weekends are busier. The roll-up computes those of today and
-- yesterday.
insert into public.business_metrics (business_id, metric_date, num_total_page_views, num_calls, num_directions_and_map_views, url_clicks,
  num_messages_to_business, online_bookings, num_bookmarks, rating, reviews, total_leads, num_user_photos, collection_item_added,
  num_check_ins, reply_rate, median_response_time_in_sec, num_search_views, num_photo_views)
select b.id, day, views, views / 18, views / 11, views / 9, views / 30, views / 25, views / 28, b.combined_rating, private.pick(b.id || 'r' || ago, 3),
  views / 8, private.pick(b.id || 'p' || ago, 2), private.pick(b.id || 'c' || ago, 3), views / 14, 82 + private.pick(b.id || 'reply' || ago, 18),
  240 + private.pick(b.id || 'wait' || ago, 2400), views * 7, views / 3
from public.businesses b
cross join generate_series(2, 121) as ago
cross join lateral (select current_date - ago as day) calendar
cross join lateral (select 60 + (122 - ago) / 3 + private.pick(b.id || 'v' || ago, 50)
  + case when extract(isodow from day) >= 5 then 35 else 0 end as views) traffic
where b.owner_id = private.seed_id('owner@plaza.test')
on conflict do nothing;

insert into public.advertiser_metrics (business_id, metric_date, billed_impressions, billed_clicks, ad_cost, ad_click_through_rate,
  average_cost_per_click, ad_driven_calls, ad_driven_online_reservations, ad_driven_biz_page_views, ad_driven_messages_to_business, ad_driven_total_leads)
select m.business_id, m.metric_date, m.num_total_page_views * 9, clicks, clicks * cents, round(100.0 * clicks / (m.num_total_page_views * 9), 2),
  cents, clicks / 9, clicks / 7, clicks, clicks / 12, clicks / 4
from public.business_metrics m
cross join lateral (select m.num_total_page_views / 5 as clicks, 28 + private.pick(m.business_id || m.metric_date::text, 30) as cents) ads
where m.business_id in (select b.id from public.businesses b where b.owner_id = private.seed_id('owner@plaza.test'))
on conflict do nothing;
