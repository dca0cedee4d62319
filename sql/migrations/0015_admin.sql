-- A category that businesses are in stays: its deletion would take it off them in silence.
alter table public.business_categories
  drop constraint business_categories_category_id_fkey,
  add constraint business_categories_category_id_fkey foreign key (category_id) references public.categories (id);

-- One name leads to one slug.
create unique index url_mappings_original_key on public.url_mappings (type, lower(original));

-- What the admin panel lists and searches.
create index profiles_recent_idx on public.profiles (created_at desc, id);
create index profiles_search_name_idx on public.profiles
  using gin ((' ' || private.normalize(full_name) || ' ') extensions.gin_trgm_ops);
create index profiles_search_display_id_idx on public.profiles using gin (display_id extensions.gin_trgm_ops);
create index businesses_recent_idx on public.businesses (created_at desc, id);
create index businesses_search_display_id_idx on public.businesses using gin (display_id extensions.gin_trgm_ops);
