-- Data integrity (ADMIN-INTEG): running the checks of integrity_checks.sql, one query each (API-43), the nightly run, and
-- what it tells admins. Repairs are in integrity_repairs.sql.

-- Runs a check. One that fails, or takes too long, is a finding of its own and stops nothing else (ADMIN-INTEG-10, ERR-57).
create or replace function private.run_integrity_check(p_check text)
  returns table (check_key text, name text, status text, total bigint, findings jsonb, error text)
  language plpgsql stable
  set search_path = ''
  as $$
  declare
    most_shown constant integer := 5;
    kind record;
  begin
    select * into kind from private.integrity_kinds() k where k.key = p_check;
    if kind is null then
      perform private.fail(404, 'check_not_found', 'There is no such check');
    end if;
    check_key := p_check;
    begin
      execute format('with f as materialized (select * from private.%I())
        select (select count(*) from f), coalesce(
          (select jsonb_agg(to_jsonb(first)) from (select * from f order by f.name, f.id limit %s) first), ''[]'')', 'find_' || p_check, most_shown)
        into total, findings;
      name := kind.name;
      status := case when total = 0 then 'pass' else kind.severity end;
    exception when others or query_canceled then
      raise log 'integrity check % failed: % %', p_check, sqlstate, sqlerrm;
      name := 'System Error';
      status := 'fail';
      total := 0;
      findings := '[]';
      error := sqlstate;
    end;
    return next;
  end
  $$;
revoke execute on function private.run_integrity_check(text) from public, anon, authenticated;

-- The checks, and what the last nightly run found.
create or replace function public.admin_integrity_checks()
  returns table (check_key text, name text, severity text, is_repairable boolean,
    last_status text, last_total bigint, last_error text, last_checked_at timestamptz)
  language plpgsql stable security definer
  set search_path = ''
  as $$
  begin
    perform private.require_admin();
    return query
      select k.key, k.name, k.severity, k.is_repairable, r.status, r.total, r.error, r.checked_at
      from private.integrity_kinds() k left join private.integrity_results r on r.check_key = k.key
      order by k."position";
  end
  $$;
revoke execute on function public.admin_integrity_checks() from public, anon;

-- Runs one check: its number of findings, and the first five.
create or replace function public.admin_integrity_check(p_check text)
  returns table (check_key text, name text, status text, total bigint, findings jsonb, error text)
  language plpgsql stable security definer
  set search_path = ''
  set statement_timeout = '5s'
  as $$
  begin
    perform private.require_admin();
    return query select * from private.run_integrity_check(p_check);
  end
  $$;
revoke execute on function public.admin_integrity_check(text) from public, anon;

-- All findings of a check; the caller filters, orders and pages them.
create or replace function public.admin_integrity_findings(p_check text)
  returns table (id text, name text, link text, detail text)
  language plpgsql stable security definer rows 1000
  set search_path = ''
  as $$
  begin
    perform private.require_admin();
    if not exists (select from private.integrity_kinds() k where k.key = p_check) then
      perform private.fail(404, 'check_not_found', 'There is no such check');
    end if;
    return query execute format('select f.id, f.name, f.link, f.detail from private.%I() f', 'find_' || p_check);
  end
  $$;
revoke execute on function public.admin_integrity_findings(text) from public, anon;

-- Begins the run of a night, from three o'clock on; returns false if there was one, or another server has begun it. A
-- server that stopped in the middle of it has an hour.
create or replace function private.begin_integrity_run(p_now timestamptz) returns boolean
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    clock constant timestamp := p_now at time zone 'Europe/Madrid';
    begun date;
  begin
    if extract(hour from clock) < 3 then
      return false;
    end if;
    insert into private.integrity_runs as r (day, started_at) values (clock::date, p_now)
    on conflict (day) do update set started_at = excluded.started_at
    where r.finished_at is null and r.started_at < excluded.started_at - interval '1 hour'
    returning r.day into begun;
    delete from private.integrity_runs r where r.day < clock::date - 90;
    return begun is not null;
  end
  $$;

-- Runs a check and stores what it found; returns how many findings are new. Of a check with very many findings the
-- first ones are compared.
create or replace function private.record_integrity_check(p_check text) returns integer
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    most_compared constant integer := 10000;
    result record;
    is_reported boolean;
    added integer := 0;
  begin
    select * into result from private.run_integrity_check(p_check);
    is_reported := result.error is null and (select k.is_reported from private.integrity_kinds() k where k.key = p_check);
    begin
      if is_reported and result.total = 0 then
        delete from private.integrity_findings f where f.check_key = p_check;
      elsif is_reported then
        execute format('with found as materialized (
            select left(f.id, 300) as id from private.%I() f order by f.id limit %s
          ), gone as (
            delete from private.integrity_findings f where f.check_key = $1 and not exists (select from found where found.id = f.finding)
          ), added as (
            insert into private.integrity_findings (check_key, finding) select $1, found.id from found on conflict do nothing returning 1
          ) select count(*) from added', 'find_' || p_check, most_compared)
        into added using p_check;
      end if;
    exception when query_canceled then -- Both times together take too long.
      result.status := 'fail';
      result.total := 0;
      result.error := sqlstate;
    end;
    if result.error is not null then
      -- Reported once, until it succeeds again.
      added := (not exists (select from private.integrity_results r where r.check_key = p_check and r.error is not null))::integer;
    end if;
    insert into private.integrity_results as r (check_key, status, total, new_total, error, checked_at)
    values (p_check, result.status, result.total, added, result.error, now())
    on conflict (check_key) do update set status = excluded.status, total = excluded.total,
      new_total = r.new_total + excluded.new_total, error = excluded.error, checked_at = excluded.checked_at;
    return added;
  end
  $$;

-- Ends the run: admins are notified if there is something new.
create or replace function private.finish_integrity_run(p_now timestamptz) returns integer
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    added integer;
    names text;
  begin
    select sum(r.new_total), string_agg(format('%s (%s)', k.name, r.new_total), ', ' order by k."position") into added, names
    from private.integrity_results r join private.integrity_kinds() k on k.key = r.check_key where r.new_total > 0;
    update private.integrity_results r set new_total = 0 where r.new_total > 0;
    update private.integrity_runs r set finished_at = p_now
    where r.day = (select max(latest.day) from private.integrity_runs latest) and r.finished_at is null;
    if added > 0 then
      perform private.notify_admins('Data integrity: new findings', names, '/admin?tab=integrity');
    end if;
    return coalesce(added, 0);
  end
  $$;
revoke execute on function private.begin_integrity_run(timestamptz), private.record_integrity_check(text),
  private.finish_integrity_run(timestamptz) from public, anon, authenticated;
grant execute on function private.begin_integrity_run(timestamptz), private.record_integrity_check(text),
  private.finish_integrity_run(timestamptz) to service_role;
