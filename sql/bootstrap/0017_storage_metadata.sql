-- Buckets whose pictures are kept without what cameras write into them. Upstream
-- knows no such setting; SQL sets it.
set local role supabase_storage_admin;
alter table storage.buckets add column if not exists strip_metadata boolean not null default false;
comment on column storage.buckets.strip_metadata is
  'Whether JPEG, PNG and WebP files are stored without places, times, names and texts. Ours: upstream has no such setting.';
reset role;
