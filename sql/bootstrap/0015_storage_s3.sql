-- Multipart uploads of the S3 protocol, in upstream's tables. A part's bytes lie
-- in the blob store's own upload, whose name is the upload's id.
--
-- A project's folder may have been given the tables already, as diffs of a Supabase
-- database name them.
do $$
declare
  name text;
begin
  foreach name in array array['storage.s3_multipart_uploads', 'storage.s3_multipart_uploads_parts'] loop
    if to_regclass(name) is not null then
      execute format('alter table %s owner to supabase_storage_admin', name);
    end if;
  end loop;
end
$$;

set local role supabase_storage_admin;

create table if not exists storage.s3_multipart_uploads (
  id text primary key,
  in_progress_size bigint not null default 0,
  upload_signature text not null default '',
  bucket_id text not null references storage.buckets (id),
  key text collate "C" not null,
  version text not null,
  owner_id text,
  created_at timestamptz not null default now(),
  user_metadata jsonb,
  metadata jsonb
);
alter table storage.s3_multipart_uploads
  add column if not exists user_metadata jsonb,
  add column if not exists metadata jsonb,
  alter column upload_signature set default '';
create index if not exists idx_multipart_uploads_list on storage.s3_multipart_uploads (bucket_id, key, created_at);
comment on column storage.s3_multipart_uploads.in_progress_size is 'Bytes of its parts.';
comment on column storage.s3_multipart_uploads.upload_signature is 'Not in use: only the server may write the size.';

create table if not exists storage.s3_multipart_uploads_parts (
  id uuid primary key default gen_random_uuid(),
  upload_id text not null references storage.s3_multipart_uploads (id) on delete cascade,
  size bigint not null default 0,
  part_number int not null check (part_number between 1 and 10000),
  bucket_id text not null references storage.buckets (id),
  key text collate "C" not null,
  etag text not null,
  owner_id text,
  version text not null,
  created_at timestamptz not null default now(),
  stored_as text not null default ''
);
alter table storage.s3_multipart_uploads_parts
  add column if not exists stored_as text not null default '';
create unique index if not exists s3_multipart_uploads_parts_number on storage.s3_multipart_uploads_parts (upload_id, part_number);
create index if not exists s3_multipart_uploads_parts_bucket_id_idx on storage.s3_multipart_uploads_parts (bucket_id);
comment on column storage.s3_multipart_uploads_parts.etag is 'MD5 of the part, in hexadecimal.';
comment on column storage.s3_multipart_uploads_parts.stored_as is 'What the blob store calls the part''s content.';

alter table storage.s3_multipart_uploads enable row level security;
alter table storage.s3_multipart_uploads_parts enable row level security;

grant all on storage.s3_multipart_uploads, storage.s3_multipart_uploads_parts to service_role;
grant select on storage.s3_multipart_uploads, storage.s3_multipart_uploads_parts to anon, authenticated;

reset role;
