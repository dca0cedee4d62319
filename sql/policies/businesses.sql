-- The whole directory is public: a row filter would prevent the use of the trigram indexes (design §5). The business's
-- owner and admins may write.
alter table public.businesses enable row level security;
alter table public.services enable row level security;
alter table public.business_photos enable row level security;
alter table public.business_categories enable row level security;
revoke all on public.businesses, public.services, public.business_photos, public.business_categories from anon, authenticated;
grant select on public.businesses, public.services, public.business_photos, public.business_categories to anon, authenticated;
grant usage on sequence private.business_display_ids, private.profile_display_ids to authenticated, service_role;

grant insert (name, type, location, address, phone, website, image_url, longitude, latitude, hours, amenities,
    description, tagline, company_values, languages, types, weekday_text, owner_id, booking_days_ahead, is_promoted),
  update (name, type, location, address, phone, website, image_url, longitude, latitude, hours, amenities,
    description, tagline, company_values, languages, types, weekday_text, owner_id,
    is_claimed, verification_status, url_path, old_slug, migrated_url, booking_days_ahead, is_promoted, logo_url),
  delete on public.businesses to authenticated;
grant insert (business_id, name, description, price, duration), update (name, description, price, duration), delete
  on public.services to authenticated;
grant insert (business_id, photo_url, caption, display_order), update (caption, display_order), delete
  on public.business_photos to authenticated;
grant insert, delete on public.business_categories to authenticated;

alter table public.business_former_slugs enable row level security;
revoke all on public.business_former_slugs from anon, authenticated;
grant select on public.business_former_slugs to anon, authenticated; -- written by a trigger only

drop policy if exists businesses_select_all on public.businesses;
create policy businesses_select_all on public.businesses for select to anon, authenticated using (true);
drop policy if exists businesses_insert_owner on public.businesses;
create policy businesses_insert_owner on public.businesses for insert to authenticated
  with check (owner_id = (select auth.uid()) and (select public.has_role('owner')));
drop policy if exists businesses_update_owner on public.businesses;
create policy businesses_update_owner on public.businesses for update to authenticated
  using (owner_id = (select auth.uid()) or (select public.is_admin()))
  with check (owner_id = (select auth.uid()) or (select public.is_admin()));
drop policy if exists businesses_delete_admin on public.businesses;
create policy businesses_delete_admin on public.businesses for delete to authenticated
  using ((select public.is_admin()));

drop policy if exists services_select_all on public.services;
create policy services_select_all on public.services for select to anon, authenticated using (true);
drop policy if exists services_write_manager on public.services;
create policy services_write_manager on public.services for all to authenticated
  using (private.manages(business_id)) with check (private.manages(business_id));

drop policy if exists business_photos_select_all on public.business_photos;
create policy business_photos_select_all on public.business_photos for select to anon, authenticated using (true);
drop policy if exists business_photos_write_manager on public.business_photos;
create policy business_photos_write_manager on public.business_photos for all to authenticated
  using (private.manages(business_id)) with check (private.manages(business_id));

drop policy if exists business_categories_select_all on public.business_categories;
create policy business_categories_select_all on public.business_categories for select to anon, authenticated using (true);
drop policy if exists business_categories_write_manager on public.business_categories;
create policy business_categories_write_manager on public.business_categories for all to authenticated
  using (private.manages(business_id)) with check (private.manages(business_id));

drop policy if exists business_former_slugs_select_all on public.business_former_slugs;
create policy business_former_slugs_select_all on public.business_former_slugs for select to anon, authenticated using (true);
