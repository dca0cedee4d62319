-- Logos of businesses, a feature of plans (SUB-07).

-- Returns the object of a logo's URL; null for any other URL.
create or replace function private.logo_object(url text) returns text
  language sql immutable
  set search_path = ''
  as $$
    select substring(url from '^/storage/v1/object/public/business-logos/([^?#]+)$')
  $$;

-- The visible logo: only while the owner's plan includes logos. A computed field of businesses. Callers may pass any row,
-- so only its id counts: otherwise the answer would tell who has such a plan.
create or replace function public.logo(business public.businesses) returns text
  language sql stable security definer
  set search_path = ''
  as $$
    select b.logo_url from public.businesses b
    where b.id = business.id and b.logo_url is not null and private.plan_allows(b.owner_id, 'logo')
  $$;

-- Returns the business of a logo's object: logos are stored at {userId}/{businessId}/{file}, in the uploader's folder.
-- Null for any other object, and if the caller may not edit the business.
create or replace function private.logo_business(object_name text) returns uuid
  language sql stable security definer
  set search_path = ''
  as $$
    select id
    from (select storage.foldername(object_name) as path, private.folder_id(object_name) as id) folder
    where path[1] = (select auth.uid())::text and cardinality(path) = 2 and private.manages(id)
  $$;

-- A logo can only be stored with a plan that includes it; it can be deleted without.
create or replace function private.may_store_logo(object_name text) returns boolean
  language sql stable security definer
  set search_path = ''
  as $$
    select lower(storage.extension(object_name)) in ('jpg', 'jpeg', 'png', 'webp')
      and coalesce((select private.plan_allows(b.owner_id, 'logo') from public.businesses b
        where b.id = private.logo_business(object_name)), false)
  $$;

-- Deletes a logo that the business no longer uses; one that was stored but never used is deleted a day later.
create or replace function private.after_logo() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    allowed constant text := private.allow_object_deletes('true');
  begin
    delete from storage.objects o
    where o.bucket_id = 'business-logos' and (storage.foldername(o.name))[2] = new.id::text
      and o.name is distinct from private.logo_object(new.logo_url)
      and (o.name = private.logo_object(old.logo_url)
        or (o.created_at < now() - interval '1 day' and o.name collate "C" > concat(auth.uid(), '/', new.id, '/')
          and o.name collate "C" < concat(auth.uid(), '/', new.id, '/', chr(1114111))));
    perform private.allow_object_deletes(allowed);
    return null;
  end
  $$;
create or replace trigger logo_changed after update of logo_url on public.businesses
  for each row when (old.logo_url is distinct from new.logo_url) execute function private.after_logo();

-- A business whose logo's object is deleted has no logo.
create or replace function private.after_logo_object() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    update public.businesses b set logo_url = null
    where b.id = private.folder_id(old.name) and private.logo_object(b.logo_url) = old.name;
    return null;
  end
  $$;
create or replace trigger business_logo_deleted after delete on storage.objects
  for each row when (old.bucket_id = 'business-logos') execute function private.after_logo_object();
