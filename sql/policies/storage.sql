-- Photos lie at {userId}/{businessId}/{file} and are public; whoever may edit the
-- business may put them there (STORE-02, S-39). Claim documents lie at
-- {userId}/{file} and are private (S-48).
create or replace function private.may_store_photo(object_name text) returns boolean
  language sql stable security definer
  set search_path = ''
  as $$
    select coalesce(path[1] = (select auth.uid())::text
      and cardinality(path) = 2
      and private.manages(case when path[2] ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then path[2]::uuid end)
      and lower(storage.extension(object_name)) in ('jpg', 'jpeg', 'png', 'webp'), false)
    from (select storage.foldername(object_name) as path) folder
  $$;

drop policy if exists business_photos_objects_select on storage.objects;
create policy business_photos_objects_select on storage.objects
  for select to anon, authenticated using (bucket_id = 'business-photos');
drop policy if exists business_photos_objects_insert on storage.objects;
create policy business_photos_objects_insert on storage.objects
  for insert to authenticated
  with check (bucket_id = 'business-photos' and private.may_store_photo(name));
drop policy if exists business_photos_objects_delete on storage.objects;
create policy business_photos_objects_delete on storage.objects
  for delete to authenticated
  using (bucket_id = 'business-photos' and (private.may_store_photo(name) or (select public.is_admin())));

drop policy if exists claim_documents_objects_select on storage.objects;
create policy claim_documents_objects_select on storage.objects
  for select to authenticated
  using (bucket_id = 'claim-documents'
    and (owner_id = (select auth.uid())::text or (select public.is_admin())));
drop policy if exists claim_documents_objects_insert on storage.objects;
create policy claim_documents_objects_insert on storage.objects
  for insert to authenticated
  with check (bucket_id = 'claim-documents' and (storage.foldername(name))[1] = (select auth.uid())::text);
