-- Hours of the week in a document are those of the mainland, so that "open now" asks for one part of the week, not for
-- that of the Canary Islands, too, in which many others were open.
create or replace function private.search_document(b public.businesses) returns tsvector
  language sql stable parallel safe
  set search_path = ''
  as $$
    select coalesce(string_agg(quote_literal(word) || place, ' '), '')::tsvector
    from (
      select unnest(private.words(b.name)), ':1A'
      union all select unnest(private.words(b.type)), ':2B'
      union all select unnest(private.words(s.name)), ':3C' from public.services s where s.business_id = b.id
      union all select unnest(private.words(a ->> 'name')), ':4D'
        from jsonb_array_elements(case when jsonb_typeof(b.amenities) = 'array' then b.amenities else '[]' end) as each (a) where coalesce(a ->> 'available', 'true') = 'true'
      union all select 'a/' || private.slugify(a ->> 'name'), ''
        from jsonb_array_elements(case when jsonb_typeof(b.amenities) = 'array' then b.amenities else '[]' end) as each (a)
        where coalesce(a ->> 'available', 'true') = 'true'
      union all select 'l/' || unnest(private.words(concat_ws(' ', b.location, b.address))), ''
      union all select 'c/' || unnest(array[k.category_code, k.parent_category]), ''
        from public."categories-plaza" k where k.category_code = b.category_code
      union all select 'p/' || unnest(array[c.slug, c.part_of]), '' from public.cities c where c.slug = b.city_slug
      union all select 'd/' || day, '' from generate_series(1, 7) as day where b.last_slots[day] is not null
      union all select 'v/' || private.price_step(min(s.price)), '' from public.services s where s.business_id = b.id
      union all select 'h/all', '' where b.open_week @> int4range(0, 10080)
      union all select 'h/' || block, ''
        from unnest(b.open_week) as open,
          lateral (select case b.time_zone when 'Atlantic/Canary' then 60 else 0 end as later) clock,
          lateral (select generate_series((lower(open) + later) / 180, (upper(open) - 1 + later) / 180) % 56 as block) part
        where not b.open_week @> int4range(0, 10080)
      union all select private.square(b.latitude, b.longitude, level), ''
        from generate_series(0, 2) as level where b.latitude <> 0 or b.longitude <> 0
    ) as each (word, place)
    where word is not null
  $$;

alter table public.businesses disable trigger user;
update public.businesses b set search_document = private.search_document(b)
where b.time_zone = 'Atlantic/Canary' and b.open_week is not null;
alter table public.businesses enable trigger user;

-- It gives two shares now.
drop function if exists private.share_found(tsquery, private.search);
