-- Dumps are loaded with session_replication_role = replica, which turns triggers off.
-- These keep what the platform counts and remembers, so they run then, too.
set local role supabase_storage_admin;

alter table storage.objects enable always trigger objects_count_insert;
alter table storage.objects enable always trigger objects_count_update;
alter table storage.objects enable always trigger objects_count_delete;
alter table storage.objects enable always trigger objects_count_truncate;
alter table storage.objects enable always trigger objects_note_unused_blobs_update;
alter table storage.objects enable always trigger objects_note_unused_blobs_delete;
alter table storage.buckets enable always trigger buckets_note;
alter table storage.quotas enable always trigger quotas_begin;

-- A dump of Plaza's own brings counts beside the objects. The objects that come are
-- counted, so the counts are left out. Triggers that count run inside another trigger.
create function storage.leave_out_row() returns trigger
  language plpgsql
  set search_path = ''
  as $$ begin return null; end $$;
create trigger usage_leave_out before insert on storage.usage
  for each row when (pg_trigger_depth() = 0) execute function storage.leave_out_row();
create trigger shared_usage_leave_out before insert on storage.shared_usage
  for each row when (pg_trigger_depth() = 0) execute function storage.leave_out_row();
alter table storage.usage enable replica trigger usage_leave_out;
alter table storage.shared_usage enable replica trigger shared_usage_leave_out;

reset role;
set local role supabase_auth_admin;

alter table auth.sessions enable always trigger plaza_refuse_tokens;
alter table auth.sessions enable always trigger plaza_refuse_tokens_truncate;
alter table auth.users enable always trigger plaza_refuse_tokens;

reset role;
