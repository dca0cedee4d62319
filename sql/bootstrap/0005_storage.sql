-- Supabase storage's tables with upstream's names; policies on them decide.
set local role supabase_storage_admin;

create type storage.buckettype as enum ('STANDARD', 'ANALYTICS', 'VECTOR');

create table storage.buckets (
  id text primary key,
  name text not null,
  owner uuid,
  created_at timestamptz default now(),
  updated_at timestamptz default now(),
  public boolean default false,
  avif_autodetection boolean default false,
  file_size_limit bigint,
  allowed_mime_types text[],
  owner_id text,
  type storage.buckettype not null default 'STANDARD'
);
create unique index bname on storage.buckets (name);
comment on column storage.buckets.owner is 'Kept for older projects; owner_id is the one in use.';
comment on column storage.buckets.file_size_limit is 'Bytes.';

create table storage.objects (
  id uuid primary key default gen_random_uuid(),
  bucket_id text references storage.buckets (id),
  name text,
  owner uuid,
  created_at timestamptz default now(),
  updated_at timestamptz default now(),
  last_accessed_at timestamptz default now(),
  metadata jsonb,
  path_tokens text[] generated always as (string_to_array(name, '/')) stored,
  version text,
  owner_id text,
  user_metadata jsonb
);
create unique index bucketid_objname on storage.objects (bucket_id, name);
create index name_prefix_search on storage.objects (name text_pattern_ops);

alter table storage.buckets enable row level security;
alter table storage.objects enable row level security;

-- The path of an object's folder: {'a','b'} for 'a/b/file.png'.
create function storage.foldername(name text) returns text[]
  language sql immutable
  as $$
    select parts[1 : array_length(parts, 1) - 1] from (select string_to_array(name, '/') as parts) path
  $$;

create function storage.filename(name text) returns text
  language sql immutable
  as $$
    select parts[array_length(parts, 1)] from (select string_to_array(name, '/') as parts) path
  $$;

-- 'png' for 'a/file.png'; the empty string where the file name has no dot.
create function storage.extension(name text) returns text
  language sql immutable
  as $$
    select case when position('.' in storage.filename(name)) > 0
      then reverse(split_part(reverse(storage.filename(name)), '.', 1))
      else '' end
  $$;

create function storage.set_updated_at() returns trigger
  language plpgsql
  as $$
  begin
    new.updated_at := now();
    return new;
  end
  $$;
create trigger update_objects_updated_at before update on storage.objects
  for each row execute function storage.set_updated_at();

grant all on all tables in schema storage to anon, authenticated, service_role;
grant execute on all functions in schema storage to anon, authenticated, service_role;

reset role;
