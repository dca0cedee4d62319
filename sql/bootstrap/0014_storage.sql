-- What the storage service keeps beside its tables: blobs that no row names,
-- what servers are told of changes, and the functions that list objects.

-- lower(), as row-level security lets an index be searched by it: PostgreSQL looks
-- at no row of another by a function that is not known to keep it secret. Only a
-- superuser may say so; on a managed server listing under policies is slower.
do $$
begin
  if (select rolsuper from pg_catalog.pg_roles where rolname = current_user) then
    create function storage.lower_name(name text) returns text
      language internal immutable strict leakproof parallel safe as 'lower';
  else
    create function storage.lower_name(name text) returns text
      language sql immutable strict parallel safe as 'select pg_catalog.lower(name)';
  end if;
  alter function storage.lower_name(text) owner to supabase_storage_admin;
end
$$;

set local role supabase_storage_admin;

alter table storage.buckets
  add column versioning_status text not null default 'DISABLED' check (versioning_status = 'DISABLED');
alter table storage.objects
  add column archived_at timestamptz,
  add column is_delete_marker boolean not null default false,
  add column is_versioned boolean not null default false;
comment on column storage.buckets.versioning_status is 'Named as upstream names it, where it is not in use either.';
comment on column storage.objects.version is
  'A UUID made anew for each write. The blob of one of version 7 is named by it alone, so that a row is renamed without touching bytes.';

-- Listing by name, by case and without.
create index idx_objects_bucket_id_name on storage.objects (bucket_id, name collate "C");
create index idx_objects_bucket_id_name_lower on storage.objects (bucket_id, storage.lower_name(name) collate "C");

-- No two rows share a blob: to delete one would take the bytes of the other.
create unique index objects_version_own on storage.objects (version)
  where version ~ '^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$';

-- The blob of a row; null where there can be none. Rows that upstream's server
-- wrote name their blob by bucket, key and version.
create function storage.blob_name(bucket_id text, name text, version text) returns text
  language sql immutable
  set search_path = ''
  as $$
    select case
      when version ~ '^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$' then right(version, 2) || '/' || version
      when path ~ '(^|/)(\.{0,2})(/|$)' or path like '.plaza/%' or path ~ '^[0-9a-f]{2}/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$' then null
      else path end
    from (select concat_ws('/', bucket_id, name, version) as path) plain
  $$;

create table storage.unused_blobs (
  name text primary key,
  delete_after timestamptz not null
);
create index unused_blobs_delete_after_idx on storage.unused_blobs (delete_after);
alter table storage.unused_blobs enable row level security;
comment on table storage.unused_blobs is
  'Blobs that no row of objects names, or not yet: an upload is noted here before its first byte is kept, and taken out in the transaction that writes its row.';
grant all on storage.unused_blobs to service_role;

-- Servers keep rows of public buckets in memory; this tells them what to forget:
-- "bucket/key" or, for all of a bucket, "bucket".
create function storage.note_unused_blobs() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    if tg_op = 'DELETE' then
      insert into storage.unused_blobs (name, delete_after)
        select storage.blob_name(bucket_id, name, version), now() from before
        where storage.blob_name(bucket_id, name, version) is not null
        on conflict (name) do update set delete_after = excluded.delete_after;
    else
      insert into storage.unused_blobs (name, delete_after)
        select storage.blob_name(before.bucket_id, before.name, before.version), now()
        from before join after using (id)
        where before.version is distinct from after.version
          and storage.blob_name(before.bucket_id, before.name, before.version) is not null
        on conflict (name) do update set delete_after = excluded.delete_after;
    end if;
    perform pg_catalog.pg_notify('plaza_storage', told.what)
      from (
        select distinct case when count(*) over (partition by before.bucket_id) > 100 or octet_length(before.name) > 7000
          then before.bucket_id else before.bucket_id || '/' || before.name end as what
        from before join storage.buckets on buckets.id = before.bucket_id and buckets.public
      ) told;
    return null;
  end
  $$;
create trigger objects_note_unused_blobs_update after update on storage.objects
  referencing old table as before new table as after
  for each statement execute function storage.note_unused_blobs();
create trigger objects_note_unused_blobs_delete after delete on storage.objects
  referencing old table as before
  for each statement execute function storage.note_unused_blobs();

create function storage.note_bucket() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    perform pg_catalog.pg_notify('plaza_storage', old.id);
    return null;
  end
  $$;
create trigger buckets_note after update or delete on storage.buckets
  for each row execute function storage.note_bucket();

create function storage.enforce_bucket_name_length() returns trigger
  language plpgsql
  as $$
  begin
    if length(new.name) > 100 then
      raise exception 'bucket name "%" is too long (% characters). Max is 100.', new.name, length(new.name);
    end if;
    return new;
  end
  $$;
create trigger enforce_bucket_name_length_trigger before insert or update of name on storage.buckets
  for each row execute function storage.enforce_bucket_name_length();

-- A row that SQL deletes would leave its bytes behind at upstream's server; it
-- asks for the setting, and so do the scripts written for it.
create function storage.protect_delete() returns trigger
  language plpgsql
  as $$
  begin
    if coalesce(current_setting('storage.allow_delete_query', true), '') <> 'true' then
      raise exception 'Direct deletion from storage tables is not allowed. Use the Storage API instead.'
        using errcode = '42501', hint = 'This prevents accidental data loss from orphaned objects.';
    end if;
    return null;
  end
  $$;
create trigger protect_buckets_delete before delete on storage.buckets
  for each statement execute function storage.protect_delete();
create trigger protect_objects_delete before delete on storage.objects
  for each statement execute function storage.protect_delete();

-- What the request that a policy decides on does: 'storage.object.upload'.
create function storage.operation() returns text
  language sql stable
  as $$ select current_setting('storage.operation', true) $$;

create function storage.allow_any_operation(expected_operations text[]) returns boolean
  language sql stable
  as $$
    select coalesce(bool_or(regexp_replace(expected, '^storage\.', '') = regexp_replace(storage.operation(), '^storage\.', '')), false)
    from unnest(expected_operations) as expected where expected <> ''
  $$;

create function storage.allow_only_operation(expected_operation text) returns boolean
  language sql stable
  as $$ select storage.allow_any_operation(array[expected_operation]) $$;

-- Raises where the caller may not insert such an object, and also where it may:
-- nothing stays.
create function storage.can_insert_object(bucketid text, name text, owner uuid, metadata jsonb) returns void
  language plpgsql
  as $$
  begin
    insert into storage.objects (bucket_id, name, owner, metadata) values (bucketid, name, owner, metadata);
    raise sqlstate 'PT200' using message = 'ROLLBACK', detail = 'rollback successful insert';
  end
  $$;

create function storage.get_size_by_bucket() returns table (size bigint, bucket_id text)
  language sql stable
  as $$ select sum((metadata ->> 'size')::bigint)::bigint, bucket_id from storage.objects group by bucket_id $$;

-- The part of a key up to the first delimiter behind the prefix: the folder it
-- is in, seen from there; null for a key right below it.
create function storage.get_common_prefix(p_key text, p_prefix text, p_delimiter text) returns text
  language sql immutable
  as $$
    select case when at > 0 then left(p_key, length(p_prefix) + at + length(p_delimiter) - 1) end
    from (select position(p_delimiter in substr(p_key, length(p_prefix) + 1)) as at) found
  $$;

-- What lies right below a folder, as a file manager shows it: folders have no
-- id. prefix is the folder with its slash, search the beginning of names in it;
-- case does not matter. levels is not used. At most 1500 rows.
--
-- By name it walks the index, past the inside of each folder.
create function storage.search(
  prefix text, bucketname text, limits int default 100, levels int default 1, offsets int default 0,
  search text default '', sortcolumn text default 'name', sortorder text default 'asc'
) returns table (name text, id uuid, updated_at timestamptz, created_at timestamptz, last_accessed_at timestamptz, metadata jsonb)
  language plpgsql stable
  set enable_sort = off
  set enable_bitmapscan = off
  set enable_seqscan = off
  as $$
  #variable_conflict use_column
  declare
    base constant int := length(coalesce(prefix, ''));
    wanted constant text := coalesce(prefix, '') || coalesce(search, '');
    low constant text := lower(wanted);
    wanted_rows constant int := least(coalesce(limits, 100), 1500);
    descending constant boolean := lower(sortorder) = 'desc';
    seek text := case when descending then low || chr(1114111) else low end;
    found record;
    skipped int := 0;
    given int := 0;
    more boolean := true;
    folder text;
  begin
    if lower(sortcolumn) in ('updated_at', 'created_at', 'last_accessed_at') then
      return query
        with hits as materialized (
          select o.*, storage.get_common_prefix(o.name, wanted, '/') as inside from storage.objects o
          where o.bucket_id = bucketname and storage.lower_name(o.name) collate "C" >= low and storage.lower_name(o.name) collate "C" < low || chr(1114111)
        ), entries as (
          select 0 as rank, substr(rtrim(inside, '/'), base + 1) as name, null::uuid as id, null::timestamptz as updated_at,
              null::timestamptz as created_at, null::timestamptz as last_accessed_at, null::jsonb as metadata
            from hits where inside is not null group by inside
          union all
          select 1, substr(name, base + 1), id, updated_at, created_at, last_accessed_at, metadata from hits where inside is null
        ), ranked as (
          select *, case lower(sortcolumn) when 'updated_at' then updated_at when 'created_at' then created_at else last_accessed_at end as moment
          from entries
        )
        select name, id, updated_at, created_at, last_accessed_at, metadata from ranked
        order by rank, case when not descending then moment end, case when descending then moment end desc,
          case when not descending then name end, case when descending then name end desc
        limit wanted_rows offset coalesce(offsets, 0);
      return;
    end if;
    while more and given < wanted_rows loop
      more := false;
      for found in
        select o.name, o.id, o.updated_at, o.created_at, o.last_accessed_at, o.metadata from storage.objects o
          where not descending and o.bucket_id = bucketname and storage.lower_name(o.name) collate "C" >= seek
            and storage.lower_name(o.name) collate "C" < low || chr(1114111)
          order by storage.lower_name(o.name) collate "C" limit wanted_rows + coalesce(offsets, 0)
      loop
        folder := storage.get_common_prefix(found.name, wanted, '/');
        if folder is not null then
          seek := lower(left(folder, -1)) || '0'; -- the character after the slash
        else
          seek := lower(found.name) || ' '; -- the lowest of all characters of names
        end if;
        more := true;
        if skipped < coalesce(offsets, 0) then
          skipped := skipped + 1;
        else
          given := given + 1;
          if folder is not null then
            return query select substr(rtrim(folder, '/'), base + 1), null::uuid, null::timestamptz, null::timestamptz, null::timestamptz, null::jsonb;
          else
            return query select substr(found.name, base + 1), found.id, found.updated_at, found.created_at, found.last_accessed_at, found.metadata;
          end if;
        end if;
        exit when folder is not null or given >= wanted_rows;
      end loop;
      if descending then
        for found in
          select o.name, o.id, o.updated_at, o.created_at, o.last_accessed_at, o.metadata from storage.objects o
            where o.bucket_id = bucketname and storage.lower_name(o.name) collate "C" < seek and storage.lower_name(o.name) collate "C" >= low
            order by storage.lower_name(o.name) collate "C" desc limit wanted_rows + coalesce(offsets, 0)
        loop
          folder := storage.get_common_prefix(found.name, wanted, '/');
          seek := lower(coalesce(folder, found.name));
          more := true;
          if skipped < coalesce(offsets, 0) then
            skipped := skipped + 1;
          else
            given := given + 1;
            if folder is not null then
              return query select substr(rtrim(folder, '/'), base + 1), null::uuid, null::timestamptz, null::timestamptz, null::timestamptz, null::jsonb;
            else
              return query select substr(found.name, base + 1), found.id, found.updated_at, found.created_at, found.last_accessed_at, found.metadata;
            end if;
          end if;
          exit when folder is not null or given >= wanted_rows;
        end loop;
      end if;
    end loop;
  end
  $$;

-- Keys in order of bytes; those with the delimiter behind the prefix as one
-- folder, without an id and with its delimiter. It begins behind start_after
-- (a folder is passed whole) or, where given, next_token.
create function storage.list_objects_with_delimiter(
  _bucket_id text, prefix_param text, delimiter_param text, max_keys int default 100,
  start_after text default '', next_token text default '', sort_order text default 'asc'
) returns table (name text, id uuid, metadata jsonb, updated_at timestamptz, created_at timestamptz, last_accessed_at timestamptz)
  language plpgsql stable
  set enable_sort = off
  set enable_bitmapscan = off
  set enable_seqscan = off
  as $$
  #variable_conflict use_column
  declare
    wanted constant text := coalesce(prefix_param, '');
    descending constant boolean := lower(sort_order) = 'desc';
    after constant text := coalesce(nullif(next_token, ''), start_after, '');
    seek text := case when after = '' and descending then wanted || chr(1114111) when after = '' or not descending and after < wanted collate "C" then wanted
      when descending then after else after || ' ' end;
    found record;
    given int := 0;
    more boolean := true;
    folder text;
  begin
    folder := storage.get_common_prefix(after, wanted, delimiter_param);
    if folder is not null and not descending then
      seek := folder || chr(1114111);
    elsif folder is not null then
      seek := folder;
    end if;
    while more and given < max_keys loop
      more := false;
      for found in
        select o.name, o.id, o.metadata, o.updated_at, o.created_at, o.last_accessed_at from storage.objects o
          where not descending and o.bucket_id = _bucket_id and o.name collate "C" >= seek and o.name collate "C" < wanted || chr(1114111)
          order by o.name collate "C" limit max_keys
      loop
        folder := storage.get_common_prefix(found.name, wanted, delimiter_param);
        seek := case when folder is null then found.name || ' ' else folder || chr(1114111) end;
        more := true;
        given := given + 1;
        if folder is null then
          return query select found.name, found.id, found.metadata, found.updated_at, found.created_at, found.last_accessed_at;
        else
          return query select folder, null::uuid, null::jsonb, null::timestamptz, null::timestamptz, null::timestamptz;
        end if;
        exit when folder is not null or given >= max_keys;
      end loop;
      continue when not descending;
      for found in
        select o.name, o.id, o.metadata, o.updated_at, o.created_at, o.last_accessed_at from storage.objects o
          where o.bucket_id = _bucket_id and o.name collate "C" < seek and o.name collate "C" >= wanted
          order by o.name collate "C" desc limit max_keys
      loop
        folder := storage.get_common_prefix(found.name, wanted, delimiter_param);
        seek := coalesce(folder, found.name);
        more := true;
        given := given + 1;
        if folder is null then
          return query select found.name, found.id, found.metadata, found.updated_at, found.created_at, found.last_accessed_at;
        else
          return query select folder, null::uuid, null::jsonb, null::timestamptz, null::timestamptz, null::timestamptz;
        end if;
        exit when folder is not null or given >= max_keys;
      end loop;
    end loop;
  end
  $$;

-- list_objects_with_delimiter for "/", also in order of time; a folder's time is
-- that of its oldest object. key is the part of the name at a level. At most
-- 1500 rows.
create function storage.search_v2(
  prefix text, bucket_name text, limits int default 100, levels int default 1, start_after text default '',
  sort_order text default 'asc', sort_column text default 'name', sort_column_after text default ''
) returns table (key text, name text, id uuid, updated_at timestamptz, created_at timestamptz, last_accessed_at timestamptz, metadata jsonb)
  language plpgsql stable
  as $$
  #variable_conflict use_column
  declare
    wanted constant text := coalesce(prefix, '');
    wanted_rows constant int := least(coalesce(limits, 100), 1500);
    descending constant boolean := lower(sort_order) = 'desc';
    since constant timestamptz := coalesce(nullif(sort_column_after, '')::timestamptz, 'epoch');
  begin
    if lower(sort_column) is distinct from 'created_at' and lower(sort_column) is distinct from 'updated_at' then
      return query
        select split_part(name, '/', levels), name, id, updated_at, created_at, last_accessed_at, metadata
        from storage.list_objects_with_delimiter(bucket_name, wanted, '/', wanted_rows, start_after, '', sort_order);
      return;
    end if;
    return query
      with entries as (
        select coalesce(inside, o.name) as name, case when inside is null then o.id end as id,
            case when inside is null then min(o.updated_at) else min(o.created_at) end as updated_at, min(o.created_at) as created_at,
            case when inside is null then min(o.last_accessed_at) end as last_accessed_at,
            case when inside is null then (array_agg(o.metadata))[1] end as metadata
          from storage.objects o, storage.get_common_prefix(o.name, wanted, '/') as inside
          where o.bucket_id = bucket_name and o.name collate "C" >= wanted and o.name collate "C" < wanted || chr(1114111)
          group by inside, coalesce(inside, o.name), case when inside is null then o.id end
      ), timed as (
        select *, date_trunc('milliseconds', case lower(sort_column) when 'created_at' then created_at else updated_at end) as moment from entries
      )
      select split_part(name, '/', levels), name, id, updated_at, created_at, last_accessed_at, metadata from timed
      where coalesce(start_after, '') = ''
        or not descending and (moment, name collate "C") > (since, start_after)
        or descending and (moment, name collate "C") < (since, start_after)
      order by case when not descending then moment end, case when descending then moment end desc,
        case when not descending then name collate "C" end, case when descending then name collate "C" end desc
      limit wanted_rows;
  end
  $$;

grant execute on all functions in schema storage to anon, authenticated, service_role;

reset role;
