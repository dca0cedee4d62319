-- Photos of businesses. Their bytes are objects of the bucket business-photos, each named by a row; an external URL has
-- no object. A row and its object are deleted together.

create or replace trigger touch before update on public.business_photos
  for each row execute function private.touch_updated_at();

-- Returns the object that a URL of this installation refers to; null for any other URL.
create or replace function private.photo_object(url text) returns text
  language sql immutable
  set search_path = ''
  as $$
    select substring(url from '^(?:https?://[^/?#]+)?/storage/v1/object/public/business-photos/([^?#]+)')
  $$;

-- Refuses photos beyond the owner's plan (S-37, SUB-08), except for admins.
create or replace function private.check_photo_room(p_business_id uuid, p_uploader_id text default null) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    allowed integer;
  begin
    if exists (select from private.profiles p where p.id::text = p_uploader_id and p.role = 'admin') then
      return;
    end if;
    select l.max_photos into allowed
    from public.businesses b, private.plan_limits(b.owner_id) l where b.id = p_business_id;
    if (select count(*) from public.business_photos p where p.business_id = p_business_id) >= allowed then
      perform private.fail(403, 'plan_limit_photos',
        format('Your plan allows %s photos per business', allowed), 'Delete a photo or upgrade your plan.');
    end if;
  end
  $$;

-- Otherwise the former function with one argument would exist in addition.
drop function if exists private.check_photo_room(uuid);

create or replace function private.before_photo() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    new.caption := nullif(btrim(new.caption), '');
    if tg_op = 'INSERT' and private.is_client() then
      perform private.lock('photos.' || new.business_id);
      perform private.check_photo_room(new.business_id);
    end if;
    return new;
  end
  $$;
create or replace trigger write before insert or update on public.business_photos
  for each row execute function private.before_photo();

-- Deletes a user's files of a business that no photo and no cover refers to: uploads that ended before their row was
-- written.
create or replace function private.remove_unused_photo_objects(p_user_id uuid, p_business_id uuid, p_older_than interval) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    allowed constant text := private.allow_object_deletes('true');
  begin
    delete from storage.objects o
    where o.bucket_id = 'business-photos' and o.created_at < now() - p_older_than
      and o.name collate "C" > concat(p_user_id, '/', p_business_id, '/')
      and o.name collate "C" < concat(p_user_id, '/', p_business_id, '/', chr(1114111))
      and not exists (select from public.business_photos p
        where p.business_id = p_business_id and private.photo_object(p.photo_url) = o.name)
      and not exists (select from public.businesses b
        where b.id = p_business_id and private.photo_object(b.image_url) = o.name);
    perform private.allow_object_deletes(allowed);
  end
  $$;

revoke execute on function private.remove_unused_photo_objects(uuid, uuid, interval) from public, anon, authenticated;

-- The first photo becomes the cover, a deleted cover is reset (OWNER-25), and the object of a deleted photo is deleted
-- (S-41).
create or replace function private.after_photo() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    allowed text;
  begin
    if tg_op = 'INSERT' then
      update public.businesses b set image_url = new.photo_url
      where b.id = new.business_id and b.image_url is null
        and not exists (select from public.business_photos p where p.business_id = b.id and p.id <> new.id);
      perform private.remove_unused_photo_objects(auth.uid(), new.business_id, interval '1 day');
    else
      update public.businesses b set image_url = null where b.id = old.business_id and b.image_url = old.photo_url;
      allowed := private.allow_object_deletes('true');
      delete from storage.objects o
      where o.bucket_id = 'business-photos' and o.name = private.photo_object(old.photo_url)
        and (storage.foldername(o.name))[2] = old.business_id::text
        and not exists (select from public.business_photos p
          where p.business_id = old.business_id and private.photo_object(p.photo_url) = o.name);
      perform private.allow_object_deletes(allowed);
    end if;
    return null;
  end
  $$;
create or replace trigger cover after insert or delete on public.business_photos
  for each row execute function private.after_photo();

-- Deletes the photo of a deleted object.
create or replace function private.after_photo_object() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    delete from public.business_photos p
    where p.business_id = private.folder_id(old.name) and private.photo_object(p.photo_url) = old.name;
    update public.businesses b set image_url = null
    where b.id = private.folder_id(old.name) and private.photo_object(b.image_url) = old.name;
    return null;
  end
  $$;
create or replace trigger business_photo_deleted after delete on storage.objects
  for each row when (old.bucket_id = 'business-photos') execute function private.after_photo_object();

-- Reorders all photos of a business (OWNER-23).
create or replace function public.reorder_business_photos(p_business_id uuid, p_photo_ids uuid[]) returns void
  language plpgsql
  set search_path = ''
  as $$
  begin
    if not private.manages(p_business_id) then
      perform private.fail(403, 'not_manager', 'You do not have permission to perform this action');
    end if;
    perform private.lock('photos.' || p_business_id);
    if (select array_agg(p.id order by p.id) from public.business_photos p where p.business_id = p_business_id)
      is distinct from (select array_agg(id order by id) from unnest(p_photo_ids) as id) then
      perform private.fail(409, 'photos_changed', 'The photos of this business have changed', 'Load them again.');
    end if;
    update public.business_photos p set display_order = wanted.position - 1
    from unnest(p_photo_ids) with ordinality as wanted (id, position)
    where p.id = wanted.id and p.display_order <> wanted.position - 1;
  end
  $$;
revoke execute on function public.reorder_business_photos(uuid, uuid[]) from public, anon;
