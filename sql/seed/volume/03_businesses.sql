-- The services follow from the category: a third of the businesses have all that its synonyms name first. They come before
-- the businesses, whose documents contain them and are made once.
create temporary table volume_offers on commit drop as
select s.category_slug, s.language_code, dice, upper(left(s.synonym_term, 1)) || substr(s.synonym_term, 2) as name,
  row_number() over (partition by s.category_slug, s.language_code, dice order by md5(s.id::text || dice)) as place
from public.category_synonyms s, generate_series(0, 4) as dice
where s.language_code in ('ca', 'es');
analyze volume_offers;

insert into public.services (business_id, name, price, duration)
select r.id, 'Consulta', 10 + r.dice % 90, 30 from volume_rows r
union all
select r.id, o.name, 10 + r.dice % 90, 30 + 15 * (r.dice % 4)
from volume_rows r
join volume_offers o on o.category_slug = r.category_slug and o.language_code = case when r.dice % 3 = 0 then 'ca' else 'es' end
  and o.dice = r.dice % 5 and o.place <= 1 + r.dice % 3;

insert into public.businesses (id, slug, name, type, location, address, phone, latitude, longitude, hours, rating, combined_rating,
  user_ratings_total, source, category_code, city_slug, time_zone, created_at, owner_id, is_claimed, price_from)
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
  case when n % 20 = 0 then private.seed_id('volume user ' || n) end, n % 20 = 0, 10 + dice % 90
from (
  select *, case when dice / 3 % 6 = 0 then null else round(5 - ((dice % 97) * (dice % 89) / 97.0 / 89.0)::numeric * 3, 1) end as stars
  from volume_rows
) rated;

-- A custom schedule for a third of the bookable businesses, and days off.
insert into public.business_availability (business_id, weekday, is_open, slots)
select r.id, weekday, true, '[{"start": "10:00", "end": "14:00"}, {"start": "16:00", "end": "20:00"}]'
from volume_rows r, unnest(array['monday', 'tuesday', 'wednesday', 'thursday', 'friday']) as weekday
where r.n % 60 = 0;

insert into public.blackout_dates (business_id, blackout_date)
select r.id, current_date + r.dice % 30 from volume_rows r where r.n % 80 = 0;
