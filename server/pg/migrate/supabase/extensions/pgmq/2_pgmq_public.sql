-- What Supabase's setting "Expose Queues via PostgREST" makes: functions for the data API, which serves them once api.schemas of
-- config.toml has pgmq_public. They act as the caller, so a role needs rights on the table of a queue.
-- Source: names and arguments of Supabase's documentation.
create schema if not exists pgmq_public;
grant usage on schema pgmq_public to anon, authenticated, service_role;
create or replace function pgmq_public.send(queue_name text, message jsonb, sleep_seconds integer default 0) returns setof bigint
  language plpgsql
  set search_path = ''
  as $$ begin return query select * from pgmq.send(queue_name, message, sleep_seconds); end $$;
create or replace function pgmq_public.send_batch(queue_name text, messages jsonb[], sleep_seconds integer default 0) returns setof bigint
  language plpgsql
  set search_path = ''
  as $$ begin return query select * from pgmq.send_batch(queue_name, messages, sleep_seconds); end $$;
create or replace function pgmq_public.read(queue_name text, sleep_seconds integer, n integer) returns setof pgmq.message_record
  language plpgsql
  set search_path = ''
  as $$ begin return query select * from pgmq.read(queue_name, sleep_seconds, n); end $$;
create or replace function pgmq_public.pop(queue_name text) returns setof pgmq.message_record
  language plpgsql
  set search_path = ''
  as $$ begin return query select * from pgmq.pop(queue_name); end $$;
create or replace function pgmq_public.archive(queue_name text, message_id bigint) returns boolean
  language plpgsql
  set search_path = ''
  as $$ begin return pgmq.archive(queue_name, message_id); end $$;
create or replace function pgmq_public.delete(queue_name text, message_id bigint) returns boolean
  language plpgsql
  set search_path = ''
  as $$ begin return pgmq.delete(queue_name, message_id); end $$;
revoke execute on all functions in schema pgmq_public from public;
grant execute on all functions in schema pgmq_public to anon, authenticated, service_role;
