-- The audit log by month: what is older than the retention is dropped with its partition, not deleted row by row. The
-- rows so far are the first partition.
update public.audit_logs set old_data = '{"left_out": "too large"}' where octet_length(old_data::text) > 262144;
update public.audit_logs set new_data = '{"left_out": "too large"}' where octet_length(new_data::text) > 262144;
alter table public.audit_logs validate constraint audit_logs_old_data_size;
alter table public.audit_logs validate constraint audit_logs_new_data_size;
alter table public.audit_logs rename to audit_logs_before;
alter table public.audit_logs_before
  drop constraint audit_logs_pkey,
  add constraint audit_logs_before_pkey primary key (id, created_at);
alter index public.audit_logs_recent_idx rename to audit_logs_before_recent_idx;
alter index public.audit_logs_table_idx rename to audit_logs_before_table_idx;
alter index public.audit_logs_record_idx rename to audit_logs_before_record_idx;
alter index public.audit_logs_user_idx rename to audit_logs_before_user_idx;
alter table public.audit_logs_before set schema private;

create table public.audit_logs (
  like private.audit_logs_before including defaults including constraints including comments,
  primary key (id, created_at)
) partition by range (created_at);
create index audit_logs_recent_idx on public.audit_logs (created_at desc);
create index audit_logs_table_idx on public.audit_logs (table_name, created_at desc);
create index audit_logs_record_idx on public.audit_logs (record_id);
create index audit_logs_user_idx on public.audit_logs (user_id, created_at desc);

do $$
declare
  -- Months are UTC's. Until the next one begins, rows go where the earlier ones are.
  next_month constant timestamptz := date_trunc('month', now() at time zone 'UTC') at time zone 'UTC' + interval '1 month';
begin
  execute format('alter table public.audit_logs attach partition private.audit_logs_before for values from (minvalue) to (%L)', next_month);
end
$$;
-- No change may fail because nobody has made its month.
create table private.audit_logs_other partition of public.audit_logs default;

create table private.market_settings (
  name text primary key constraint market_settings_name_size check (char_length(name) <= 63),
  value text not null constraint market_settings_value_size check (char_length(value) <= 1000),
  comment text not null constraint market_settings_comment_size check (char_length(comment) <= 1000)
);
comment on table private.market_settings is 'Settings of the marketplace that operators change with SQL.';
insert into private.market_settings (name, value, comment) values
  ('audit_retention_months', '24', 'Whole months for which the audit log is kept; 0 keeps it for good.');
