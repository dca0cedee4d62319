-- The supported places with their number of businesses; a place that contains others includes their businesses.
create or replace view public.city_counts with (security_invoker) as
  select c.slug, c.name, c.local_name, c.country, c.is_popular, c.position,
    coalesce((
      select sum(d.businesses) from public.directory_counts d
      where d.city_slug in (select k.slug from public.cities k where k.slug = c.slug or k.part_of = c.slug)
    ), 0)::bigint as businesses
  from public.cities c;

-- The number of businesses per category and place, children counted with their parent, parishes with Andorra; an empty
-- city_slug means everywhere.
create or replace view public.category_counts with (security_invoker) as
  select place.city_slug, k.category_code, k.category_name, k.category_level, k.parent_category,
    sum(d.businesses)::bigint as businesses
  from public."categories-plaza" k
  join public."categories-plaza" part on part.category_code = k.category_code or part.parent_category = k.category_code
  join public.directory_counts d on d.category_code = part.category_code
  cross join lateral (
    select d.city_slug where d.city_slug <> ''
    union
    select c.part_of from public.cities c where c.slug = d.city_slug and c.part_of is not null
    union
    select ''
  ) as place (city_slug)
  where d.businesses > 0
  group by place.city_slug, k.category_code, k.category_name, k.category_level, k.parent_category;
