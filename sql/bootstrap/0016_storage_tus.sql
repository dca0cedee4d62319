-- Resumable uploads (TUS) that go on, or have ended a short time ago. The bytes lie
-- in the blob store's own upload until they are joined.
set local role supabase_storage_admin;

create table if not exists storage.resumable_uploads (
  version text primary key,
  bucket_id text not null,
  key text collate "C" not null,
  owner_id text,
  length bigint not null check (length >= 0),
  stored bigint not null default 0 check (stored between 0 and length),
  md5_state text not null default '',
  metadata jsonb not null default '{}',
  user_metadata jsonb,
  described text not null default '',
  stored_as text not null default '',
  next_part int not null default 1,
  tail text not null default '',
  tail_size bigint not null default 0,
  holder text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  expires_at timestamptz not null,
  finished_at timestamptz
);
create index if not exists resumable_uploads_expires_at_idx on storage.resumable_uploads (expires_at);
comment on column storage.resumable_uploads.version is 'Of the object that it becomes.';
comment on column storage.resumable_uploads.length is 'Of the whole, in bytes; stored of them are kept.';
comment on column storage.resumable_uploads.md5_state is 'Of the sum of what is stored, in base64.';
comment on column storage.resumable_uploads.described is 'Upload-Metadata as the client sent it.';
comment on column storage.resumable_uploads.stored_as is 'What the blob store calls its upload; empty before the first part.';
comment on column storage.resumable_uploads.next_part is 'No two requests ever write a part of one number.';
comment on column storage.resumable_uploads.tail is 'The version of a blob with the last bytes stored, too few for a part.';
comment on column storage.resumable_uploads.holder is 'The request that writes. Another one takes its place.';

create table if not exists storage.resumable_uploads_parts (
  version text not null references storage.resumable_uploads (version) on delete cascade,
  number int not null,
  size bigint not null,
  stored_as text not null,
  primary key (version, number)
);
comment on column storage.resumable_uploads_parts.stored_as is 'What the blob store calls the part''s content.';

alter table storage.resumable_uploads enable row level security;
alter table storage.resumable_uploads_parts enable row level security;
grant all on storage.resumable_uploads, storage.resumable_uploads_parts to service_role;

reset role;
