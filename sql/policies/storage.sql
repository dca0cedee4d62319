-- Photos lie at {userId}/{businessId}/{file} and are public; whoever may edit the
-- business may put them there, as many as the plan allows (STORE-02, S-37, S-39).
-- Claim documents lie at {userId}/{file} and are private (S-48).
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

-- Whether there is room for an object. Refused are a photo more than the plan
-- allows, and more than a few files a day that no photo shows.
create or replace function private.has_photo_room(object_name text) returns boolean
  language plpgsql stable security definer
  set search_path = ''
  as $$
  declare
    folder constant text := array_to_string(storage.foldername(object_name), '/') || '/';
    business constant uuid := (storage.foldername(object_name))[2]::uuid;
    most_unused constant integer := 20;
  begin
    perform private.check_photo_room(business);
    return (select count(*) from storage.objects o
      where o.bucket_id = 'business-photos' and o.name collate "C" > folder and o.name collate "C" < folder || chr(1114111)
        and o.created_at > now() - interval '1 day'
        and not exists (select from public.business_photos p
          where p.business_id = business and private.photo_object(p.photo_url) = o.name)) < most_unused;
  end
  $$;

drop policy if exists business_photos_objects_select on storage.objects;
create policy business_photos_objects_select on storage.objects
  for select to anon, authenticated using (bucket_id = 'business-photos');
drop policy if exists business_photos_objects_insert on storage.objects;
create policy business_photos_objects_insert on storage.objects
  for insert to authenticated
  with check (case when bucket_id = 'business-photos' and private.may_store_photo(name) then private.has_photo_room(name) end);
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
