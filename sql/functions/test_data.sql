-- Test tools of the admin panel (ADMIN-TEST, S-54): the switch, what is marked, and clearing it. test_seed.sql makes test
-- data, test_users.sql test accounts.

-- The tools are off as long as the database is served in production, which the server notes when it starts: nobody can
-- switch them on there.
create or replace function private.test_tools_are_on() returns boolean
  language sql stable security definer
  set search_path = ''
  as $$
    select not exists (select from plaza.environment e where e.production_since is not null)
  $$;
revoke execute on function private.test_tools_are_on() from public, anon, authenticated, service_role;

create or replace function private.require_test_tools() returns void
  language plpgsql stable security definer
  set search_path = ''
  as $$
  begin
    perform private.require_admin();
    if not private.test_tools_are_on() then
      perform private.fail(403, 'test_tools_off', 'Test tools are off in production');
    end if;
  end
  $$;
revoke execute on function private.require_test_tools() from public, anon, authenticated, service_role;

-- Whether the tools are on, and how many rows are marked.
create or replace function public.admin_test_tools()
  returns table (is_on boolean, profiles bigint, businesses bigint, reviews bigint, bookings bigint, reports bigint)
  language plpgsql stable security definer
  set search_path = ''
  as $$
  begin
    perform private.require_admin();
    return query select private.test_tools_are_on(),
      (select count(*) from private.profiles p where p.is_test),
      (select count(*) from public.businesses b where b.is_test),
      (select count(*) from public.reviews r where r.is_test),
      (select count(*) from public.bookings k where k.is_test),
      (select count(*) from public.reports r where r.is_test);
  end
  $$;
revoke execute on function public.admin_test_tools() from public, anon;

-- What a test user writes is test data, and what others write is not, whatever they send.
create or replace function private.mark_test_row() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    if private.is_client() then
      new.is_test := exists (select from private.profiles p where p.id = auth.uid() and p.is_test);
    end if;
    return new;
  end
  $$;
create or replace trigger mark_test before insert on public.businesses
  for each row execute function private.mark_test_row();
create or replace trigger mark_test before insert on public.bookings
  for each row execute function private.mark_test_row();
create or replace trigger mark_test before insert on public.reviews
  for each row execute function private.mark_test_row();
create or replace trigger mark_test before insert on public.reports
  for each row execute function private.mark_test_row();

-- One entry of the audit log for what a tool did, instead of one for each row.
create or replace function private.log_test_tool(p_action text, p_what text, p_rows jsonb) returns void
  language sql security definer
  set search_path = ''
  as $$
    insert into public.audit_logs (user_id, table_name, action, record_id, old_data, new_data)
    values (auth.uid(), 'test_data', p_action, p_what,
      case when p_action = 'DELETE' then p_rows end, case when p_action = 'INSERT' then p_rows end)
  $$;
revoke execute on function private.log_test_tool(text, text, jsonb) from public, anon, authenticated, service_role;

-- Deletes the marked rows of a table in batches of 100 (SEED-02), and returns how many there were.
create or replace function private.delete_test_rows(p_table regclass) returns bigint
  language plpgsql
  set search_path = ''
  as $$
  declare
    deleted bigint := 0;
    batch bigint;
  begin
    loop
      execute format('delete from %1$s where id in (select id from %1$s where is_test order by id limit 100)', p_table);
      get diagnostics batch = row_count;
      exit when batch = 0;
      deleted := deleted + batch;
    end loop;
    return deleted;
  end
  $$;
revoke execute on function private.delete_test_rows(regclass) from public, anon, authenticated, service_role;

-- Deletes accounts in batches of 100, with what they stored and what would otherwise stay without them.
create or replace function private.delete_accounts(p_users uuid[]) returns bigint
  language plpgsql
  set search_path = ''
  as $$
  declare
    deleted bigint := 0;
    batch uuid[];
    allowed constant text := private.allow_object_deletes('true');
  begin
    for start_at in 1 .. coalesce(cardinality(p_users), 0) by 100 loop
      batch := p_users[start_at : start_at + 99];
      delete from private.test_payments t using private.billing_accounts a
      where a.user_id = any (batch) and a.provider = 'test-payments' and t.customer = a.customer_id;
      delete from public.conversations c
      where c.customer_id = any (batch) and (c.owner_id is null or c.owner_id = any (p_users))
        or c.owner_id = any (batch) and (c.customer_id is null or c.customer_id = any (p_users));
      delete from storage.objects o where o.owner_id = any (batch::text[]);
      delete from auth.users u where u.id = any (batch);
      deleted := deleted + cardinality(batch);
    end loop;
    perform private.allow_object_deletes(allowed);
    return deleted;
  end
  $$;
revoke execute on function private.delete_accounts(uuid[]) from public, anon, authenticated, service_role;

-- Deletes test data only (ADMIN-TEST-03): what is marked, whatever its source (ADMIN-TEST-05, C-55). With profiles it
-- also deletes the marked ones, except admins (ADMIN-TEST-06). Others' ratings stay right, and their bookings at a test
-- business are kept, cancelled (S-41).
create or replace function public.admin_clear_test_data(p_with_profiles boolean default false)
  returns table (what text, removed bigint)
  language plpgsql security definer
  set search_path = ''
  set statement_timeout = '28s'
  as $$
  declare
    rated uuid[];
    users uuid[];
    counts jsonb;
    acting text[];
  begin
    perform private.require_test_tools();
    perform private.lock('test_tools');
    acting := private.act_as_server();
    select array_agg(distinct r.business_id) into rated from public.reviews r where r.is_test;
    counts := jsonb_build_object('reports', private.delete_test_rows('public.reports'));
    counts := counts || jsonb_build_object('bookings', private.delete_test_rows('public.bookings'));
    counts := counts || jsonb_build_object('reviews', private.delete_test_rows('public.reviews'));
    counts := counts || jsonb_build_object('businesses', private.delete_test_rows('public.businesses'));
    if p_with_profiles then
      select array_agg(p.id order by p.id) into users from private.profiles p where p.is_test and p.role <> 'admin';
      -- A listing that a test user has claimed is real, and nobody's again.
      update public.businesses set is_claimed = false, verification_status = 'unverified' where owner_id = any (users);
      counts := counts || jsonb_build_object('profiles', private.delete_accounts(users));
    end if;
    perform private.refresh_rating(b.id) from public.businesses b where b.id = any (rated);
    perform private.log_test_tool('DELETE', 'test data', counts);
    perform private.act_as_server(acting);
    return query select key, value::bigint from jsonb_each_text(counts);
  end
  $$;
revoke execute on function public.admin_clear_test_data(boolean) from public, anon;

-- The words that confirm to clear all data.
create or replace function private.clear_all_phrase() returns text
  language sql immutable
  as $$
    select 'DELETE ALL DATA'
  $$;

-- How many rows a call of admin_clear_all_data removes at most, so that it ends in time.
create or replace function private.clear_limit() returns bigint
  language sql immutable
  set search_path = ''
  as $$ select 20000 $$;
revoke execute on function private.clear_limit() from public, anon, authenticated;

-- Deletes all businesses, all accounts except admins, and all that anybody wrote (ADMIN-TEST-04). It keeps categories,
-- cities, plans and other reference data, admins' accounts, the mapping of addresses and the audit log.
create or replace function public.admin_clear_all_data(p_phrase text) returns table (what text, removed bigint)
  language plpgsql security definer
  set search_path = ''
  set statement_timeout = '28s'
  as $$
  declare
    counts jsonb := '{}';
    deleted bigint;
    cleared text;
    rest bigint := private.clear_limit();
    remaining bigint := 0;
    kept bigint;
    acting text[];
  begin
    perform private.require_test_tools();
    if p_phrase is distinct from private.clear_all_phrase() then
      perform private.fail(422, 'wrong_phrase', format('Type %s to confirm', private.clear_all_phrase()));
    end if;
    perform private.lock('test_tools');
    acting := private.act_as_server();
    perform set_config('plaza.clearing', 'on', true);
    lock table public.businesses, public.bookings in share row exclusive mode;
    -- Those that refer to others come first.
    foreach cleared in array array['reports', 'claim_requests', 'seller_applications', 'support_tickets', 'conversations', 'messages', 'bookings',
        'reviews', 'favorites', 'notifications', 'recent_searches', 'search_alerts', 'businesses'] loop
      execute format('delete from public.%1$I where (tableoid, ctid) in (select t.tableoid, t.ctid from public.%1$I t limit %2$s)', cleared, rest);
      get diagnostics deleted = row_count;
      rest := rest - deleted;
      counts := counts || jsonb_build_object(cleared, deleted);
      if rest = 0 then
        execute format('select count(*) from public.%I', cleared) into kept;
        remaining := remaining + kept;
      end if;
    end loop;
    deleted := private.delete_accounts(array(
      select u.id from auth.users u where not exists (select from private.profiles p where p.id = u.id and p.role = 'admin') order by u.id limit rest));
    remaining := remaining
      + (select count(*) from auth.users u where not exists (select from private.profiles p where p.id = u.id and p.role = 'admin'));
    counts := counts || jsonb_build_object('profiles', deleted, 'remaining', remaining);
    perform private.log_test_tool('DELETE', 'all data', counts);
    perform set_config('plaza.clearing', '', true);
    perform private.act_as_server(acting);
    return query select key, value::bigint from jsonb_each_text(counts);
  end
  $$;
revoke execute on function public.admin_clear_all_data(text) from public, anon;
