-- Reference tables: everybody reads, admins write (PERM-16).
alter table public.categories enable row level security;
alter table public."categories-plaza" enable row level security;
alter table public.category_synonyms enable row level security;
alter table public.cities enable row level security;
alter table public.towns enable row level security;
alter table public.url_mappings enable row level security;
alter table public.directory_counts enable row level security;
revoke all on public.categories, public."categories-plaza", public.category_synonyms, public.cities, public.towns,
  public.url_mappings, public.directory_counts, public.city_counts, public.category_counts from anon, authenticated;
grant select on public.categories, public."categories-plaza", public.category_synonyms, public.cities, public.towns,
  public.url_mappings, public.directory_counts, public.city_counts, public.category_counts to anon, authenticated;
grant insert (name, icon), update (name, icon), delete on public.categories to authenticated;
grant insert (category_name, category_code, category_level, parent_category, is_active),
  update (category_name, category_code, category_level, parent_category, is_active), delete
  on public."categories-plaza" to authenticated;
grant insert (category_slug, synonym_term, priority, language_code),
  update (category_slug, synonym_term, priority, language_code), delete on public.category_synonyms to authenticated;
grant insert (type, original, slug), update (original, slug), delete on public.url_mappings to authenticated;

drop policy if exists categories_select_all on public.categories;
create policy categories_select_all on public.categories for select to anon, authenticated using (true);
drop policy if exists categories_write_admin on public.categories;
create policy categories_write_admin on public.categories for all to authenticated
  using ((select public.is_admin())) with check ((select public.is_admin()));

drop policy if exists categories_plaza_select_all on public."categories-plaza";
create policy categories_plaza_select_all on public."categories-plaza" for select to anon, authenticated using (true);
drop policy if exists categories_plaza_write_admin on public."categories-plaza";
create policy categories_plaza_write_admin on public."categories-plaza" for all to authenticated
  using ((select public.is_admin())) with check ((select public.is_admin()));

drop policy if exists category_synonyms_select_all on public.category_synonyms;
create policy category_synonyms_select_all on public.category_synonyms for select to anon, authenticated using (true);
drop policy if exists category_synonyms_write_admin on public.category_synonyms;
create policy category_synonyms_write_admin on public.category_synonyms for all to authenticated
  using ((select public.is_admin())) with check ((select public.is_admin()));

drop policy if exists cities_select_all on public.cities;
create policy cities_select_all on public.cities for select to anon, authenticated using (true);

drop policy if exists url_mappings_select_all on public.url_mappings;
create policy url_mappings_select_all on public.url_mappings for select to anon, authenticated using (true);
drop policy if exists url_mappings_write_admin on public.url_mappings;
create policy url_mappings_write_admin on public.url_mappings for all to authenticated
  using ((select public.is_admin())) with check ((select public.is_admin()));

drop policy if exists directory_counts_select_all on public.directory_counts;
create policy directory_counts_select_all on public.directory_counts for select to anon, authenticated using (true);

drop policy if exists towns_select_all on public.towns;
create policy towns_select_all on public.towns for select to anon, authenticated using (true);
