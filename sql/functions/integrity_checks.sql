-- The integrity checks: for each key in private.integrity_kinds a function find_{key}, whose rows are the findings. Most
-- findings are impossible while constraints and triggers are in place; restored data, or a trigger that was switched
-- off, can have them anyway.

-- Fails are what no rule allows; warnings may be right, but deserve a look. A business without an owner is a warning:
-- unclaimed listings are normal (C-57), so new ones are not reported either. Three warnings are about generated data
-- (SEED-14 to SEED-16): a real business with many good reviews and a wide price list is doing well, so they look at seeded
-- listings only.
create or replace function private.integrity_kinds()
  returns table ("position" integer, key text, name text, severity text, is_repairable boolean, is_reported boolean)
  language sql immutable parallel safe
  set search_path = ''
  as $$
    values
      (1, 'rating_range', 'Business ratings outside 0 to 5', 'fail', true, true), -- ADMIN-INTEG-04
      (2, 'review_range', 'Review ratings outside 1 to 5', 'fail', false, true), -- ADMIN-INTEG-05
      (3, 'negative_prices', 'Service prices below 0', 'fail', false, true), -- ADMIN-INTEG-06
      (4, 'past_pending', 'Pending bookings in the past', 'fail', true, true), -- ADMIN-INTEG-07
      (5, 'no_owner', 'Businesses without an owner', 'warning', false, false), -- ADMIN-INTEG-08
      (6, 'duplicate_categories', 'Duplicate categories of a business', 'fail', true, true), -- ADMIN-INTEG-09
      (7, 'many_reviews', 'Seeded businesses with more than 10 reviews', 'warning', false, true), -- SEED-14
      (8, 'perfect_average', 'Seeded businesses with only 5-star reviews', 'warning', false, true), -- SEED-15
      (9, 'price_range', 'Seeded businesses with prices over 10 times apart', 'warning', false, true), -- SEED-16
      (10, 'rating_deviates', 'Ratings more than 1 from the review average', 'warning', true, true), -- SEED-17
      (11, 'far_bookings', 'Bookings more than a year ahead', 'warning', false, true), -- SEED-18
      (12, 'review_counts', 'Businesses that count fewer reviews than they have', 'fail', true, true),
      (13, 'directory_counts', 'Wrong numbers of businesses in the directory', 'fail', true, true),
      (14, 'lowest_prices', 'Wrong lowest prices in the search', 'fail', true, true),
      (15, 'claimed_state', 'Businesses claimed without an owner, or owned but unclaimed', 'fail', true, true),
      (16, 'owner_roles', 'Owners who are no sellers', 'warning', false, true),
      (17, 'own_reviews', 'Reviews by the owner of the business', 'warning', false, true),
      (18, 'stale_addresses', 'Addresses that no longer match the business', 'warning', true, true),
      (19, 'missing_photos', 'Photos without a file', 'warning', false, true),
      (20, 'profiles_without_account', 'Profiles without an account', 'fail', false, true),
      (21, 'disabled_rules', 'Constraints, triggers and indexes that are switched off', 'fail', false, true)
  $$;

create or replace function private.find_rating_range() returns table (id text, name text, link text, detail text)
  language sql stable
  as $$
    select b.id::text, b.name, '/business/' || b.id, concat_ws(', ', b.rating, b.combined_rating)
    from public.businesses b
    where b.rating not between 0 and 5 or b.combined_rating not between 0 and 5
  $$;

create or replace function private.find_review_range() returns table (id text, name text, link text, detail text)
  language sql stable
  as $$
    select r.id::text, b.name, '/business/' || b.id || '#reviews', r.rating::text
    from public.reviews r join public.businesses b on b.id = r.business_id
    where r.rating not between 1 and 5
  $$;

create or replace function private.find_negative_prices() returns table (id text, name text, link text, detail text)
  language sql stable
  as $$
    select s.id::text, s.name || ' · ' || b.name, '/business/edit/' || b.id || '?tab=services', s.price::text
    from public.services s join public.businesses b on b.id = s.business_id
    where s.price < 0
  $$;

create or replace function private.find_past_pending() returns table (id text, name text, link text, detail text)
  language sql stable
  as $$
    select k.id::text, k.business_name, '/business/' || k.business_id || '/bookings?booking=' || k.id, k.booking_date::text
    from public.bookings k
    where k.status = 'pending' and k.booking_date < (now() at time zone k.time_zone)::date
  $$;

create or replace function private.find_no_owner() returns table (id text, name text, link text, detail text)
  language sql stable
  as $$
    select b.id::text, b.name, '/business/' || b.id, b.display_id
    from public.businesses b where b.owner_id is null
  $$;

create or replace function private.find_duplicate_categories() returns table (id text, name text, link text, detail text)
  language sql stable
  as $$
    select d.business_id || '/' || d.category_id, b.name, '/business/edit/' || d.business_id, c.name || ' × ' || d.times
    from (
      select p.business_id, p.category_id, count(*) as times from public.business_categories p group by 1, 2 having count(*) > 1
    ) d
    left join public.businesses b on b.id = d.business_id
    left join public.categories c on c.id = d.category_id
  $$;

create or replace function private.find_many_reviews() returns table (id text, name text, link text, detail text)
  language sql stable
  as $$
    select b.id::text, b.name, '/business/' || b.id || '#reviews', r.amount::text
    from (select v.business_id, count(*) as amount from public.reviews v group by 1 having count(*) > 10) r
    join public.businesses b on b.id = r.business_id and b.source = 'seeded'
  $$;

create or replace function private.find_perfect_average() returns table (id text, name text, link text, detail text)
  language sql stable
  as $$
    select b.id::text, b.name, '/business/' || b.id || '#reviews', r.amount::text
    from (select v.business_id, count(*) as amount from public.reviews v group by 1 having count(*) > 3 and avg(v.rating) = 5) r
    join public.businesses b on b.id = r.business_id and b.source = 'seeded'
  $$;

create or replace function private.find_price_range() returns table (id text, name text, link text, detail text)
  language sql stable
  as $$
    select b.id::text, b.name, '/business/edit/' || b.id || '?tab=services', s.lowest || ' – ' || s.highest
    from (
      select v.business_id, min(v.price) as lowest, max(v.price) as highest
      from public.services v where v.price > 0 group by 1 having max(v.price) > 10 * min(v.price)
    ) s
    join public.businesses b on b.id = s.business_id and b.source = 'seeded'
  $$;

create or replace function private.find_rating_deviates() returns table (id text, name text, link text, detail text)
  language sql stable
  as $$
    select b.id::text, b.name, '/business/' || b.id || '#reviews', coalesce(b.rating, 0) || ', ' || round(r.mean, 2)
    from (select v.business_id, avg(v.rating) as mean from public.reviews v group by 1) r
    join public.businesses b on b.id = r.business_id and abs(coalesce(b.rating, 0) - r.mean) > 1
  $$;

create or replace function private.find_far_bookings() returns table (id text, name text, link text, detail text)
  language sql stable
  as $$
    select k.id::text, k.business_name, '/business/' || k.business_id || '/bookings?booking=' || k.id, k.booking_date::text
    from public.bookings k
    where k.booking_date > (now() at time zone k.time_zone + interval '1 year')::date
  $$;

create or replace function private.find_review_counts() returns table (id text, name text, link text, detail text)
  language sql stable
  as $$
    select b.id::text, b.name, '/business/' || b.id || '#reviews', b.user_ratings_total || ', ' || r.amount
    from (select v.business_id, count(*) as amount from public.reviews v group by 1) r
    join public.businesses b on b.id = r.business_id and b.user_ratings_total < r.amount
  $$;

create or replace function private.find_directory_counts() returns table (id text, name text, link text, detail text)
  language sql stable
  as $$
    select counted.city || '/' || counted.category, concat_ws(' · ', c.name, k.category_name, case when c.slug is null and k.id is null then '–' end),
      '/c/' || c.slug || '/' || k.category_code, coalesce(d.businesses, 0) || ', ' || counted.amount
    from (
      select coalesce(real.city, kept.city_slug) as city, coalesce(real.category, kept.category_code) as category, coalesce(real.amount, 0) as amount
      from (
        select coalesce(b.city_slug, '') as city, coalesce(b.category_code, '') as category, count(*) as amount from public.businesses b group by 1, 2
      ) real
      full join public.directory_counts kept on kept.city_slug = real.city and kept.category_code = real.category
    ) counted
    left join public.directory_counts d on d.city_slug = counted.city and d.category_code = counted.category
    left join public.cities c on c.slug = counted.city
    left join public."categories-plaza" k on k.category_code = counted.category
    where counted.amount <> coalesce(d.businesses, 0)
  $$;

create or replace function private.find_lowest_prices() returns table (id text, name text, link text, detail text)
  language sql stable
  as $$
    select b.id::text, b.name, '/business/edit/' || b.id || '?tab=services', concat_ws(', ', coalesce(b.price_from::text, '–'), coalesce(s.lowest::text, '–'))
    from public.businesses b
    left join (select v.business_id, min(v.price) as lowest from public.services v group by 1) s on s.business_id = b.id
    where b.price_from is distinct from s.lowest
  $$;

create or replace function private.find_claimed_state() returns table (id text, name text, link text, detail text)
  language sql stable
  as $$
    select b.id::text, b.name, '/business/' || b.id, b.display_id
    from public.businesses b where b.is_claimed <> (b.owner_id is not null)
  $$;

create or replace function private.find_owner_roles() returns table (id text, name text, link text, detail text)
  language sql stable
  as $$
    select b.id::text, b.name, '/admin?tab=users&q=' || p.display_id, coalesce(p.full_name, p.display_id)
    from private.profiles p join public.businesses b on b.owner_id = p.id where p.role = 'user'
  $$;

create or replace function private.find_own_reviews() returns table (id text, name text, link text, detail text)
  language sql stable
  as $$
    select r.id::text, b.name, '/business/' || b.id || '#reviews', r.rating::text
    from public.reviews r join public.businesses b on b.id = r.business_id and b.owner_id = r.user_id
  $$;

-- In PL/pgSQL, as private.migrated_path is made later. It is slow, so it is asked only if the parts of an address do not match;
-- most slugs are the company's.
create or replace function private.find_stale_addresses() returns table (id text, name text, link text, detail text)
  language plpgsql stable
  as $$
  begin
    return query
      select b.id::text, b.name, '/business/' || b.id, b.url_path
      from public.businesses b
      left join (select place.slug, private.slugify(place.name) as part from public.cities place) c on c.slug = b.city_slug
      cross join lateral (
        select format('/%s/%s/%s/', coalesce(c.part, private.slugify(b.location)), coalesce(b.category_code, 'localservices'), b.id) as start) p
      where b.migrated_url and case
        when b.url_path = p.start || b.slug then false
        when b.url_path = p.start || private.company_slug(b.name) then false
        else b.url_path is distinct from coalesce(private.migrated_path(b), b.url_path) end;
  end
  $$;

create or replace function private.find_missing_photos() returns table (id text, name text, link text, detail text)
  language plpgsql stable
  as $$
  begin
    return query
      select p.id::text, b.name, '/business/edit/' || b.id || '?tab=photos', p.caption
      from public.business_photos p
      join public.businesses b on b.id = p.business_id
      where private.photo_object(p.photo_url) is not null and not exists (
        select from storage.objects o where o.bucket_id = 'business-photos' and o.name = private.photo_object(p.photo_url));
  end
  $$;

create or replace function private.find_profiles_without_account() returns table (id text, name text, link text, detail text)
  language sql stable
  as $$
    select p.id::text, coalesce(p.full_name, p.display_id), '/admin?tab=users&q=' || p.display_id, p.display_id
    from private.profiles p where not exists (select from auth.users u where u.id = p.id)
  $$;

create or replace function private.find_disabled_rules() returns table (id text, name text, link text, detail text)
  language sql stable
  as $$
    select f.id, f.id, null, f.kind
    from (
      select c.conrelid::regclass || '.' || c.conname as id, 'constraint' as kind
      from pg_catalog.pg_constraint c
      where not c.convalidated and c.connamespace in ('public'::regnamespace, 'private'::regnamespace)
      union all
      select t.tgrelid::regclass || '.' || t.tgname, 'trigger'
      from pg_catalog.pg_trigger t join pg_catalog.pg_class c on c.oid = t.tgrelid
      where t.tgenabled <> 'O' and c.relnamespace in ('public'::regnamespace, 'private'::regnamespace)
      union all
      select i.indexrelid::regclass::text, 'index'
      from pg_catalog.pg_index i join pg_catalog.pg_class c on c.oid = i.indrelid
      where not i.indisvalid and c.relnamespace in ('public'::regnamespace, 'private'::regnamespace)
      union all
      select c.oid::regclass::text, 'row-level security'
      from pg_catalog.pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relrowsecurity
    ) f
  $$;

do $$
declare
  kind record;
begin
  for kind in select k.key from private.integrity_kinds() k loop
    execute format('revoke execute on function private.%I() from public, anon, authenticated', 'find_' || kind.key);
  end loop;
end
$$;
revoke execute on function private.integrity_kinds() from public, anon, authenticated;
grant execute on function private.integrity_kinds() to service_role;
