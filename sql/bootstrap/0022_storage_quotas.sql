-- How many objects and bytes a user or a bucket may have. Admins fill
-- storage.quotas; triggers count, so that no upload scans the table of objects.
set local role supabase_storage_admin;

create table storage.quotas (
  id bigint generated always as identity primary key,
  bucket_id text references storage.buckets (id) on update cascade on delete cascade,
  owner_id text,
  each_user boolean not null default true,
  max_bytes bigint check (max_bytes >= 0),
  max_objects bigint check (max_objects >= 0),
  comment text,
  created_at timestamptz not null default now(),
  unique nulls not distinct (bucket_id, owner_id, each_user),
  constraint quotas_shared_has_no_owner check (each_user or owner_id is null)
);
comment on table storage.quotas is
  'Limits of what is stored. A user''s own row wins over the row for every user; the limit of a bucket, the limit over all buckets and shared limits all hold.';
comment on column storage.quotas.bucket_id is 'Null: all buckets together.';
comment on column storage.quotas.owner_id is
  'The user; null: every user. An empty text: objects without an owner, which anonymous callers and the service role make.';
comment on column storage.quotas.each_user is 'True: each user may have so much. False: all users together, and objects without an owner.';
comment on column storage.quotas.max_bytes is 'Bytes, with the whole length of resumable uploads that are not finished. Null: no limit.';
comment on column storage.quotas.max_objects is 'Objects, with unfinished uploads. Null: no limit.';
comment on column storage.quotas.comment is 'For admins.';

-- slot keeps writers that have no quota from waiting for each other.
create table storage.usage (
  bucket_id text not null references storage.buckets (id) on update cascade on delete cascade,
  owner_id text not null,
  slot smallint not null,
  bytes bigint not null,
  objects bigint not null,
  primary key (bucket_id, owner_id, slot)
);
create index usage_owner_id_idx on storage.usage (owner_id);
comment on table storage.usage is 'What is stored, by bucket and owner. A user''s usage is the sum over the slots. Triggers on storage.objects keep it.';
comment on column storage.usage.owner_id is 'Empty: nobody.';

create table storage.shared_usage (
  quota_id bigint primary key references storage.quotas (id) on delete cascade,
  bytes bigint not null,
  objects bigint not null
);
comment on table storage.shared_usage is 'What counts for a quota of all users together.';

alter table storage.quotas enable row level security;
alter table storage.usage enable row level security;
alter table storage.shared_usage enable row level security;
revoke all on storage.quotas, storage.usage, storage.shared_usage from public, anon, authenticated;
grant all on storage.quotas to service_role;
grant select on storage.usage, storage.shared_usage to service_role;

create index resumable_uploads_owner_id_idx on storage.resumable_uploads (owner_id) where finished_at is null;
create index resumable_uploads_bucket_id_idx on storage.resumable_uploads (bucket_id) where finished_at is null;
create index s3_multipart_uploads_owner_id_idx on storage.s3_multipart_uploads (owner_id);

-- The bytes of an object as its row tells them; 0 where it does not.
create function storage.object_bytes(metadata jsonb) returns bigint
  language sql immutable parallel safe
  set search_path = ''
  as $$
    select case
      when metadata ->> 'size' ~ '^[0-9]{1,18}$' then (metadata ->> 'size')::bigint
      when metadata ->> 'contentLength' ~ '^[0-9]{1,18}$' then (metadata ->> 'contentLength')::bigint
      else 0 end
  $$;

-- The quotas that count for objects of an owner in a bucket.
create function storage.quotas_of(bucket text, owner text) returns setof storage.quotas
  language sql stable
  set search_path = ''
  as $$
    select distinct on (q.each_user, q.bucket_id) q.* from storage.quotas q
    where (q.bucket_id = bucket or q.bucket_id is null)
      and (not q.each_user or q.owner_id = owner or q.owner_id is null and owner <> '')
    order by q.each_user, q.bucket_id, q.owner_id nulls last
  $$;

-- Bytes and objects that count for a quota, with uploads that are not finished.
create function storage.used_of(quota storage.quotas, owner text, out bytes bigint, out objects bigint)
  language sql volatile
  set search_path = ''
  as $$
    select coalesce(sum(used.bytes), 0)::bigint, coalesce(sum(used.objects), 0)::bigint from (
      select u.bytes, u.objects from storage.usage u
        where quota.each_user and u.owner_id = owner and (quota.bucket_id is null or u.bucket_id = quota.bucket_id)
      union all
      select s.bytes, s.objects from storage.shared_usage s where not quota.each_user and s.quota_id = quota.id
      union all
      select r.length, 1 from storage.resumable_uploads r
        where r.finished_at is null and (quota.bucket_id is null or r.bucket_id = quota.bucket_id)
          and (not quota.each_user or coalesce(r.owner_id, '') = owner)
      union all
      select m.in_progress_size, 1 from storage.s3_multipart_uploads m
        where (quota.bucket_id is null or m.bucket_id = quota.bucket_id) and (not quota.each_user or coalesce(m.owner_id, '') = owner)
    ) used
  $$;

-- Has others who store for the same quotas wait until this transaction ends. It
-- reports whether there are any quotas.
create function storage.lock_quotas(bucket text, owner text) returns boolean
  language plpgsql
  set search_path = ''
  as $$
  begin
    if not exists (select from storage.quotas_of(bucket, owner)) then
      return false;
    end if;
    perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('storage.usage/' || owner, 0));
    perform from storage.shared_usage s where s.quota_id in (select id from storage.quotas_of(bucket, owner)) order by s.quota_id for update;
    return true;
  end
  $$;

-- Raises where more is stored than a quota allows. The locks are to be held.
create function storage.check_quotas(bucket text, owner text) returns void
  language plpgsql
  set search_path = ''
  as $$
  declare
    quota storage.quotas;
    used record;
  begin
    for quota in select * from storage.quotas_of(bucket, owner) loop
      used := storage.used_of(quota, owner);
      if used.bytes > quota.max_bytes then
        raise exception 'The storage quota was exceeded: at most % bytes may be stored', quota.max_bytes
          using errcode = 'PT413', constraint = 'storage_quota';
      elsif used.objects > quota.max_objects then
        raise exception 'The storage quota was exceeded: at most % objects may be stored', quota.max_objects
          using errcode = 'PT413', constraint = 'storage_quota';
      end if;
    end loop;
  end
  $$;

-- Bytes that an owner may still store in a bucket; null: there is no limit.
create function storage.quota_left(bucket text, owner text) returns bigint
  language sql volatile security definer
  set search_path = ''
  as $$
    select min(greatest(q.max_bytes - used.bytes, 0))
    from storage.quotas_of(bucket, owner) q, storage.used_of(q, owner) used where q.max_bytes is not null
  $$;

create function storage.change_usage(bucket text, owner text, more_bytes bigint, more_objects bigint) returns void
  language plpgsql
  set search_path = ''
  as $$
  declare
    limited boolean := false;
  begin
    if more_bytes > 0 or more_objects > 0 then
      limited := storage.lock_quotas(bucket, owner);
    end if;
    insert into storage.usage as u (bucket_id, owner_id, slot, bytes, objects)
      values (bucket, owner, pg_catalog.pg_backend_pid() % 8, more_bytes, more_objects)
      on conflict (bucket_id, owner_id, slot) do update set bytes = u.bytes + excluded.bytes, objects = u.objects + excluded.objects;
    update storage.shared_usage s set bytes = s.bytes + more_bytes, objects = s.objects + more_objects
      from storage.quotas q where q.id = s.quota_id and (q.bucket_id = bucket or q.bucket_id is null);
    if limited then
      perform storage.check_quotas(bucket, owner);
    end if;
  end
  $$;

-- storage.expected_bytes says how many bytes an upload will have at least, while
-- the server tries whether its row may be written; -1 that the upload is counted
-- already, by count_upload.
create function storage.count_objects() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    change record;
    expected constant bigint := nullif(current_setting('storage.expected_bytes', true), '')::bigint;
  begin
    if expected < 0 then
      return null;
    end if;
    if tg_op = 'INSERT' then
      for change in
        select bucket_id, coalesce(owner_id, owner::text, '') as who, count(*) as objects,
          sum(case when expected is null or metadata ? 'size' then storage.object_bytes(metadata) else expected end) as bytes
        from after where bucket_id is not null group by 1, 2 order by 2, 1
      loop
        perform storage.change_usage(change.bucket_id, change.who, change.bytes::bigint, change.objects);
      end loop;
    elsif tg_op = 'DELETE' then
      for change in
        select bucket_id, coalesce(owner_id, owner::text, '') as who, count(*) as objects, sum(storage.object_bytes(metadata)) as bytes
        from before where bucket_id is not null group by 1, 2 order by 2, 1
      loop
        perform storage.change_usage(change.bucket_id, change.who, -change.bytes::bigint, -change.objects);
      end loop;
    else
      for change in
        select bucket_id, who, sum(objects) as objects, sum(bytes) as bytes from (
          select bucket_id, coalesce(owner_id, owner::text, '') as who, 1 as objects,
            case when expected is null or metadata ? 'size' then storage.object_bytes(metadata) else expected end as bytes from after
          union all
          select bucket_id, coalesce(owner_id, owner::text, ''), -1, -storage.object_bytes(metadata) from before
        ) both_versions
        where bucket_id is not null group by 1, 2 having sum(objects) <> 0 or sum(bytes) <> 0 order by 2, 1
      loop
        perform storage.change_usage(change.bucket_id, change.who, change.bytes::bigint, change.objects);
      end loop;
    end if;
    return null;
  end
  $$;
create trigger objects_count_insert after insert on storage.objects
  referencing new table as after for each statement execute function storage.count_objects();
create trigger objects_count_update after update on storage.objects
  referencing old table as before new table as after for each statement execute function storage.count_objects();
create trigger objects_count_delete after delete on storage.objects
  referencing old table as before for each statement execute function storage.count_objects();

-- An upload that begins, or an S3 upload that has a new part, counts as if it were
-- stored.
create function storage.count_upload() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    if storage.lock_quotas(new.bucket_id, coalesce(new.owner_id, '')) then
      perform storage.check_quotas(new.bucket_id, coalesce(new.owner_id, ''));
    end if;
    return null;
  end
  $$;
create trigger resumable_uploads_count after insert on storage.resumable_uploads
  for each row execute function storage.count_upload();
create trigger s3_multipart_uploads_count_insert after insert on storage.s3_multipart_uploads
  for each row execute function storage.count_upload();
create trigger s3_multipart_uploads_count_update after update of in_progress_size on storage.s3_multipart_uploads
  for each row when (new.in_progress_size > old.in_progress_size) execute function storage.count_upload();

-- What counts for a shared quota from the start. Nothing is stored meanwhile.
create function storage.begin_shared_quota() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    lock table storage.objects in share row exclusive mode;
    delete from storage.shared_usage where quota_id = new.id;
    if not new.each_user then
      insert into storage.shared_usage (quota_id, bytes, objects)
        select new.id, coalesce(sum(bytes), 0), coalesce(sum(objects), 0) from storage.usage
        where new.bucket_id is null or bucket_id = new.bucket_id;
    end if;
    return null;
  end
  $$;
create trigger quotas_begin after insert or update of bucket_id, each_user on storage.quotas
  for each row execute function storage.begin_shared_quota();

-- Counts anew what is stored. Nothing is stored meanwhile.
create function storage.recount_usage() returns void
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    lock table storage.objects in share row exclusive mode;
    delete from storage.usage;
    insert into storage.usage (bucket_id, owner_id, slot, bytes, objects)
      select bucket_id, coalesce(owner_id, owner::text, ''), 0, sum(storage.object_bytes(metadata)), count(*) from storage.objects
      where bucket_id is not null group by 1, 2;
    update storage.shared_usage s set
      bytes = coalesce((select sum(u.bytes) from storage.usage u where q.bucket_id is null or u.bucket_id = q.bucket_id), 0),
      objects = coalesce((select sum(u.objects) from storage.usage u where q.bucket_id is null or u.bucket_id = q.bucket_id), 0)
      from storage.quotas q where q.id = s.quota_id;
  end
  $$;

create function storage.note_truncated_objects() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    perform storage.recount_usage();
    return null;
  end
  $$;
create trigger objects_count_truncate after truncate on storage.objects
  for each statement execute function storage.note_truncated_objects();

revoke execute on function storage.quotas_of(text, text), storage.used_of(storage.quotas, text), storage.lock_quotas(text, text),
  storage.check_quotas(text, text), storage.change_usage(text, text, bigint, bigint), storage.quota_left(text, text), storage.recount_usage()
  from public, anon, authenticated;
grant execute on function storage.quota_left(text, text), storage.recount_usage() to service_role;

select storage.recount_usage();

reset role;
