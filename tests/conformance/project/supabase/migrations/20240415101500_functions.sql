begin;

create or replace view public.free_plots with (security_invoker = on) as
  select id, name, area from public.plots where state = 'free';

create materialized view reports.crops as
  select crop, count(*)::int as plantings from public.plantings group by crop;
grant select on reports.crops to anon, authenticated, service_role;

create function public.take_plot(plot uuid) returns setof public.plots
language sql
as $$
  update plots set state = 'taken', gardener_id = auth.uid() where id = plot and state = 'free' returning *
$$;

create or replace function public.search_plots(term text) returns setof public.plots
language sql stable
as $$ select * from public.plots where name % term or name ilike '%' || term || '%' order by similarity(name, term) desc $$;

-- The API stands in for an external service: kong is its name in the local stack.
create table reports.received (headers json, body json);
create function public.receive_hook(json) returns void language sql security definer
as $$ insert into reports.received values (current_setting('request.headers')::json, $1) $$;

-- Notify the service when a plot is taken, with a key from the vault.
create or replace function public.announce_plot() returns trigger
language plpgsql security definer
as $$
begin
  perform net.http_post(
    url := 'http://kong:8000/rest/v1/rpc/receive_hook',
    headers := jsonb_build_object('X-Hook-Key', (select decrypted_secret from vault.decrypted_secrets where name = 'hook_key')),
    body := jsonb_build_object('plot', new.name)
  );
  perform realtime.broadcast_changes('garden', tg_op, tg_op, tg_table_name, tg_table_schema, new, old);
  return new;
end;
$$;
create trigger announce_plot after update of state on public.plots for each row execute function public.announce_plot();
create trigger webhook after insert on public.plantings for each row
  execute function supabase_functions.http_request('http://kong:8000/rest/v1/rpc/receive_hook', 'POST', '{"Content-type":"application/json"}', '{}', '1000');

select vault.create_secret('s3cret', 'hook_key', 'For the webhooks');
select cron.schedule('refresh-crops', '0 3 * * *', $$ refresh materialized view reports.crops $$);
select cron.schedule('nightly-mail', '30 1 * * *', 'select 1');
select cron.unschedule('nightly-mail');

-- The notifications that arrived and scheduled jobs, for wardens.
create function reports.arrived() returns table (hook_key text, body json)
language sql stable security definer
as $$ select headers ->> 'x-hook-key', body from reports.received $$;
create function reports.jobs() returns setof text language sql stable security definer as $$ select jobname from cron.job $$;
create function reports.buckets() returns setof text language sql stable security definer as $$ select id from storage.buckets order by id $$;
create function reports.published() returns setof name language sql stable security definer
as $$ select tablename from pg_publication_tables where pubname = 'supabase_realtime' $$;
create function reports.broadcasts() returns setof text language sql stable security definer as $$ select event from realtime.messages $$;
create function reports.signed() returns text language sql stable security definer set search_path = extensions, public
as $$ select (verify(sign('{"sub":"plot"}', 'key'), 'key')).payload ->> 'sub' $$;
create function public.ask(plot text) returns jsonb language sql
as $$ select content::jsonb from http_get('http://kong:8000/rest/v1/plots', jsonb_build_object('select', 'name', 'name', 'eq.' || plot)) $$;

commit;
