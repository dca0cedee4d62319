-- Photos are stored at {userId}/{businessId}/{file} and are public; users who may edit the business may upload them, as
-- many as the plan allows (STORE-02, S-37, S-39). Claim documents are stored at {userId}/{claimId}/{file} and are
-- private (S-48).
create or replace function private.may_store_photo(object_name text) returns boolean
  language sql stable security definer
  set search_path = ''
  as $$
    select coalesce(path[1] = (select auth.uid())::text
      and cardinality(path) = 2
      and private.manages(private.folder_id(object_name))
      and lower(storage.extension(object_name)) in ('jpg', 'jpeg', 'png', 'webp'), false)
    from (select storage.foldername(object_name) as path) folder
  $$;

-- Refuses an object beyond the limits. A policy alone would not be sufficient: the storage service checks it before the
-- bytes arrive, and writes the row afterwards with its own rights. Files without an owner are the server's own.
create or replace function private.before_object() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    path constant text[] := storage.foldername(new.name);
    id constant uuid := private.folder_id(new.name);
  begin
    if id is null or new.owner_id is null or coalesce(current_setting('role', true), 'none') = 'none'
      or exists (select from storage.objects o where o.bucket_id = new.bucket_id and o.name = new.name)
    then
      return new;
    end if;
    if new.bucket_id = 'business-photos' then
      perform private.lock('photos.' || id);
      perform private.check_photo_room(id, new.owner_id);
      perform private.check_unused_photo_objects(id, array_to_string(path, '/') || '/');
    else
      perform private.lock('requests.' || new.owner_id);
      perform private.check_claim_document_room(id, new.owner_id);
    end if;
    return new;
  end
  $$;
create or replace trigger plaza_room before insert on storage.objects
  for each row when (new.bucket_id in ('business-photos', 'claim-documents'))
  execute function private.before_object();

-- Refuses more than a few unused files per day.
create or replace function private.check_unused_photo_objects(p_business_id uuid, folder text) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    most_unused constant integer := 20;
  begin
    if (select count(*) from storage.objects o
      where o.bucket_id = 'business-photos' and o.name collate "C" > folder and o.name collate "C" < folder || chr(1114111)
        and o.created_at > now() - interval '1 day'
        and not exists (select from public.business_photos p
          where p.business_id = p_business_id and private.photo_object(p.photo_url) = o.name)) >= most_unused then
      perform private.fail(403, 'too_many_unused_files', format('At most %s files a day that no photo shows', most_unused),
        'Delete files that are not shown.');
    end if;
  end
  $$;

-- Limits the documents of a claim, and of all claims of a user.
create or replace function private.check_claim_document_room(p_claim_id uuid, p_owner_id text) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    most_of_claim constant integer := 5;
    most_of_user constant integer := 20;
    folder constant text := p_owner_id || '/';
    of_claim bigint;
    of_user bigint;
  begin
    select count(*) filter (where starts_with(o.name, folder || p_claim_id || '/')), count(*) into of_claim, of_user
    from storage.objects o
    where o.bucket_id = 'claim-documents' and o.name collate "C" > folder and o.name collate "C" < folder || chr(1114111);
    if of_claim >= most_of_claim then
      perform private.fail(403, 'too_many_claim_documents', format('At most %s documents of a claim', most_of_claim));
    elsif of_user >= most_of_user then
      perform private.fail(403, 'too_many_claim_documents', format('At most %s documents of a user', most_of_user));
    end if;
  end
  $$;

-- Whether the object is in the folder of an open claim of the caller (S-48).
create or replace function private.may_store_claim_document(object_name text) returns boolean
  language sql stable security definer
  set search_path = ''
  as $$
    select coalesce(path[1] = (select auth.uid())::text and cardinality(path) = 2 and exists (
      select from public.claim_requests c
      where c.id = private.folder_id(object_name) and c.user_id = (select auth.uid()) and c.status = 'pending'), false)
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

drop policy if exists business_logos_objects_select on storage.objects;
create policy business_logos_objects_select on storage.objects
  for select to anon, authenticated using (bucket_id = 'business-logos');
drop policy if exists business_logos_objects_insert on storage.objects;
create policy business_logos_objects_insert on storage.objects
  for insert to authenticated
  with check (bucket_id = 'business-logos' and private.may_store_logo(name));
drop policy if exists business_logos_objects_delete on storage.objects;
create policy business_logos_objects_delete on storage.objects
  for delete to authenticated
  using (bucket_id = 'business-logos' and (private.logo_business(name) is not null or (select public.is_admin())));

drop policy if exists claim_documents_objects_select on storage.objects;
create policy claim_documents_objects_select on storage.objects
  for select to authenticated
  using (bucket_id = 'claim-documents'
    and (owner_id = (select auth.uid())::text or (select public.is_admin())));
drop policy if exists claim_documents_objects_insert on storage.objects;
create policy claim_documents_objects_insert on storage.objects
  for insert to authenticated
  with check (bucket_id = 'claim-documents' and private.may_store_claim_document(name));
drop policy if exists claim_documents_objects_delete on storage.objects;
create policy claim_documents_objects_delete on storage.objects
  for delete to authenticated
  using (bucket_id = 'claim-documents' and private.may_store_claim_document(name));

-- The policies that used it no longer exist.
drop function if exists private.has_photo_room(text);
