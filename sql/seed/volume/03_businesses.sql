-- Inserts plaza.volume businesses for search and load tests, each with two services: cities in proportion to their
-- size, every category, and realistic ratings. A twentieth can be booked. It runs once per part and adds to the
-- existing rows.
set local plaza.seeding = 'on';
set local work_mem = '256MB';
-- If a crash loses a part, the next run loads it again.
set local synchronous_commit = off;

create temporary table volume_types on commit drop as
select row_number() over (order by s.category_slug, s.synonym_term) as place, s.category_slug,
  upper(left(s.synonym_term, 1)) || substr(s.synonym_term, 2) as type
from public.category_synonyms s
join public."categories-plaza" k on k.category_code = s.category_slug and k.category_level = 2
where s.language_code in ('es', 'ca') and s.priority >= 76;

create temporary table volume_places on commit drop as
select c.slug, c.local_name, c.country, c.time_zone, c.latitude, c.longitude,
  sum(weight) over (order by c.slug) - weight as from_share, sum(weight) over (order by c.slug) as to_share
from public.cities c
join (values ('madrid', 225), ('barcelona', 200), ('valencia', 95), ('seville', 85), ('malaga', 75), ('zaragoza', 70), ('bilbao', 60),
  ('murcia', 50), ('palma', 50), ('las-palmas', 45), ('andorra-la-vella', 15), ('escaldes-engordany', 10), ('encamp', 6),
  ('la-massana', 4), ('ordino', 3), ('sant-julia-de-loria', 4), ('canillo', 3)) as size (slug, weight) using (slug);

create temporary table volume_rows on commit drop as
with words as (
  select
    array['Montoya','Ortega','Benítez','Lahoz','Santana','Núñez','Cabrera','Peña','Ibáñez','Lozano','Gallardo','Quintana','Alarcón','Muñoz',
      'Herrero','Márquez','Ferrer','Puig','Casals','Riera','Soler','Vila','Serra','Rovira','Camps','Bosch','Areny','Naudí','Torres','Pujol',
      'Etxeberria','Agirre','Zubiri','Larrañaga','Ibarra','Uriarte','García','Martínez','López','Sánchez','Pérez','Gómez','Díaz','Álvarez',
      'Romero','Navarro','Vázquez','Ramos','Gil','Serrano','Molina','Castro','Ortiz','Rubio','Sanz','Iglesias','Medina','Cortés','Castillo','Vega'] as surnames,
    array['Lola','Rafael','Carmen','Andrés','Rocío','Manuel','Inés','Tomás','Montserrat','Jordi','Aina','Pere','Núria','Martí','Laia','Joan',
      'Maite','Iker','Ane','Mikel','Sofía','Hugo','Elena','Diego','Paula','Óscar','Begoña','Íñigo','Úrsula','Ángel'] as firsts,
    array['Sol','Luna','Norte','Mar','Azahar','Olivo','Brisa','Alameda','Mirador','Jardín','Fuente','Puerto','Plaza','Rambla','Muralla','Faro',
      'Ribera','Arco','Torre','Campana'] as things
), numbered as (
  select n, private.pick('volume type ' || n, (select count(*)::integer from volume_types)) as type_at,
    private.pick('volume city ' || n, 1000) as share, private.pick('volume name ' || n, 1000000) as dice
  from (
    select case when is_called then last_value else 0 end + step as n
    from private.business_display_ids, generate_series(1, current_setting('plaza.volume')::integer) as step
  ) fresh
)
select numbered.n, private.seed_id('volume ' || n) as id, t.type, t.category_slug, p.*, dice,
  case dice % 5
    when 0 then t.type || ' ' || surnames[1 + dice / 5 % 60]
    when 1 then firsts[1 + dice / 5 % 30] || ' ' || surnames[1 + dice / 150 % 60]
    when 2 then t.type || ' ' || things[1 + dice / 5 % 20]
    when 3 then things[1 + dice / 5 % 20] || ' de ' || surnames[1 + dice / 100 % 60]
    else t.type || ' ' || firsts[1 + dice / 5 % 30] || ' ' || surnames[1 + dice / 150 % 60] end as name,
  things[1 + dice / 7 % 20] as street
from words, numbered
join volume_types t on t.place = type_at + 1
join volume_places p on share >= from_share and share < to_share;

-- The owner of all bookable businesses, an account that nobody can sign in to.
insert into auth.users (instance_id, id, aud, role, email, encrypted_password, email_confirmed_at, raw_app_meta_data, raw_user_meta_data, created_at, updated_at)
values ('00000000-0000-0000-0000-000000000000', private.seed_id('volume owner'), 'authenticated', 'authenticated', 'volume-owner@plaza.test', '', now(),
  '{"provider": "email", "providers": ["email"]}', '{}', now(), now())
on conflict (id) do nothing;

insert into public.businesses (id, slug, name, type, location, address, phone, latitude, longitude, hours, rating, combined_rating,
  user_ratings_total, source, category_code, city_slug, time_zone, created_at, owner_id, is_claimed)
select id, rtrim(left(private.company_slug(name), 40), '-') || '-' || to_hex(n), name, type,
  local_name || case country when 'Andorra' then ', Andorra' else '' end,
  format('Calle %s %s, %s', street, 1 + dice % 180, local_name),
  case country when 'Andorra' then '+376 000 ' || lpad((dice % 1000)::text, 3, '0') else '+34 000 ' || lpad((dice % 1000000)::text, 6, '0') end,
  latitude + (dice % 2000 - 1000) * case country when 'Andorra' then 0.000004 else 0.00004 end,
  longitude + (dice / 7 % 2000 - 1000) * case country when 'Andorra' then 0.000004 else 0.00004 end,
  case
    -- Day and night, at night but on Mondays, office hours, unknown.
    when dice % 50 = 1 then (select jsonb_build_object('structured', jsonb_object_agg(day, '{"open": "00:00", "close": "00:00"}'::jsonb))
      from unnest(array['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']) as day)
    when dice % 50 in (2, 3, 5) then (select jsonb_build_object('structured', jsonb_object_agg(day, '{"open": "12:00", "close": "02:30"}'::jsonb))
      from unnest(array['tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']) as day)
    when dice % 4 > 0 then '{"structured": {"monday": {"open": "09:00", "close": "18:00", "isOpen": true}, "tuesday": {"open": "09:00", "close": "18:00", "isOpen": true}, "wednesday": {"open": "09:00", "close": "18:00", "isOpen": true}, "thursday": {"open": "09:00", "close": "18:00", "isOpen": true}, "friday": {"open": "09:00", "close": "15:00", "isOpen": true}}}'::jsonb end,
  stars, stars, case when stars is null then 0 else 1 + dice / 11 % 180 end,
  'seeded', category_slug, slug, time_zone, now() - make_interval(mins => dice % 1500000),
  case when n % 20 = 0 then private.seed_id('volume owner') end, n % 20 = 0
from (
  select *, case when dice / 3 % 6 = 0 then null else round(5 - ((dice % 97) * (dice % 89) / 97.0 / 89.0)::numeric * 3, 1) end as stars
  from volume_rows
) rated;

-- The services follow from the category: a third of the businesses have all that its synonyms name first.
insert into public.services (business_id, name, price, duration)
select r.id, offer.name, 10 + r.dice % 90, offer.duration
from volume_rows r
cross join lateral (
  select 'Consulta' as name, 30 as duration
  union all
  (select upper(left(s.synonym_term, 1)) || substr(s.synonym_term, 2), 30 + 15 * (r.dice % 4)
  from public.category_synonyms s
  where s.category_slug = r.category_slug and s.language_code = case when r.dice % 3 = 0 then 'ca' else 'es' end
  order by md5(s.id::text || r.dice % 5)
  limit 1 + r.dice % 3)
) as offer;

-- A custom schedule for a third of the bookable businesses, days off, and bookings, some of which take the last slot.
insert into public.business_availability (business_id, weekday, is_open, slots)
select r.id, weekday, true, '[{"start": "10:00", "end": "14:00"}, {"start": "16:00", "end": "20:00"}]'
from volume_rows r, unnest(array['monday', 'tuesday', 'wednesday', 'thursday', 'friday']) as weekday
where r.n % 60 = 0;

insert into public.blackout_dates (business_id, blackout_date)
select r.id, current_date + r.dice % 30 from volume_rows r where r.n % 80 = 0;

insert into public.bookings (business_id, service_id, booking_date, start_time, status, source, customer_name)
select r.id, s.id, current_date + 1 + r.dice % 7, start_time, 'confirmed', 'business', 'Ana'
from volume_rows r
join lateral (select * from public.services s where s.business_id = r.id order by s.duration limit 1) s on true,
  unnest(array['10:00', '11:30', '17:00', '17:30']::time[]) with ordinality as clock (start_time, place)
where r.n % 40 = 0 and (place < 3 or place = 3 + r.dice % 4);
