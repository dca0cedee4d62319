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

-- Buckets for analytics and for vectors, which our storage does not have: their
-- tables, so that dumps of a Supabase database restore and what they hold is kept.
-- Source: migrations of supabase/storage, August 2026.
create table if not exists storage.buckets_analytics (
  name text not null,
  type storage.buckettype not null default 'ANALYTICS',
  format text not null default 'ICEBERG',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  id uuid primary key default gen_random_uuid(),
  deleted_at timestamptz
);
create unique index if not exists buckets_analytics_unique_name_idx on storage.buckets_analytics (name) where deleted_at is null;
create table if not exists storage.iceberg_namespaces (
  id uuid primary key default gen_random_uuid(),
  bucket_name text not null,
  name text collate "C" not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  metadata jsonb not null default '{}',
  catalog_id uuid not null references storage.buckets_analytics (id) on delete cascade
);
create unique index if not exists idx_iceberg_namespaces_bucket_id on storage.iceberg_namespaces (catalog_id, name);
create table if not exists storage.iceberg_tables (
  id uuid primary key default gen_random_uuid(),
  namespace_id uuid not null references storage.iceberg_namespaces (id) on delete cascade,
  bucket_name text not null,
  name text collate "C" not null,
  location text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  remote_table_id text,
  shard_key text,
  shard_id text,
  catalog_id uuid not null references storage.buckets_analytics (id) on delete cascade
);
create unique index if not exists idx_iceberg_tables_namespace_id on storage.iceberg_tables (catalog_id, namespace_id, name);
create unique index if not exists idx_iceberg_tables_location on storage.iceberg_tables (location);
create index if not exists iceberg_tables_namespace_id_idx on storage.iceberg_tables (namespace_id);
create table if not exists storage.buckets_vectors (
  id text primary key,
  type storage.buckettype not null default 'VECTOR',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create table if not exists storage.vector_indexes (
  id text primary key default gen_random_uuid(),
  name text collate "C" not null,
  bucket_id text not null references storage.buckets_vectors (id),
  data_type text not null,
  dimension integer not null,
  distance_metric text not null,
  metadata_configuration jsonb,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index if not exists vector_indexes_name_bucket_id_idx on storage.vector_indexes (name, bucket_id);
create index if not exists vector_indexes_bucket_id_idx on storage.vector_indexes (bucket_id);
alter table storage.buckets_analytics enable row level security;
alter table storage.iceberg_namespaces enable row level security;
alter table storage.iceberg_tables enable row level security;
alter table storage.buckets_vectors enable row level security;
alter table storage.vector_indexes enable row level security;
grant select on storage.buckets_analytics, storage.iceberg_namespaces, storage.iceberg_tables, storage.buckets_vectors, storage.vector_indexes
  to anon, authenticated, service_role;

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
