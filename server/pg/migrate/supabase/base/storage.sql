-- Storage's further tables and triggers, as far as diffs of a Supabase
-- database grant rights on them or name them. Our storage uses none of them.
create table if not exists storage.s3_multipart_uploads (
  id text primary key,
  in_progress_size bigint not null default 0,
  upload_signature text not null,
  bucket_id text not null references storage.buckets (id),
  key text not null,
  version text not null,
  owner_id text,
  created_at timestamptz not null default now(),
  user_metadata jsonb
);
create table if not exists storage.s3_multipart_uploads_parts (
  id uuid primary key default gen_random_uuid(),
  upload_id text not null references storage.s3_multipart_uploads (id) on delete cascade,
  size bigint not null default 0,
  part_number integer not null,
  bucket_id text not null references storage.buckets (id),
  key text not null,
  etag text not null,
  owner_id text,
  version text not null,
  created_at timestamptz not null default now()
);
create table if not exists storage.prefixes (
  bucket_id text not null references storage.buckets (id),
  name text not null,
  level integer not null generated always as (array_length(string_to_array(name, '/'), 1)) stored,
  created_at timestamptz default now(),
  updated_at timestamptz default now(),
  primary key (bucket_id, level, name)
);
alter table storage.s3_multipart_uploads enable row level security;
alter table storage.s3_multipart_uploads_parts enable row level security;
alter table storage.prefixes enable row level security;

-- Upstream keeps the folders of objects by these; here folders come from names.
do $$
declare
  name text;
begin
  foreach name in array array['delete_prefix_hierarchy_trigger', 'objects_insert_prefix_trigger', 'objects_update_prefix_trigger', 'prefixes_insert_trigger']
  loop
    execute format('create or replace function storage.%I() returns trigger language plpgsql as %L', name, 'begin return coalesce(new, old); end');
  end loop;
end
$$;
