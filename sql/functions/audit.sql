-- Writes one audit row for each change of a watched row (S-50), with the old and new values of changed columns; for a
-- new or deleted row, those that are not null. It never contains secrets, or columns that are derived from others, and no
-- values of an account's rows when that is deleted (private.before_profile_deleted).
create or replace function private.audit() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    left_out constant text[] := array['search_document', 'sort_rating', 'ranking', 'price_from', 'open_week', 'last_slots', 'session_token', 'secret_key',
      'backup_codes', 'document_path', 'updated_at', 'place', 'buffer_minutes', 'held'];
    before constant jsonb := case when tg_op <> 'INSERT' then to_jsonb(old) - left_out end;
    after constant jsonb := case when tg_op <> 'DELETE' then to_jsonb(new) - left_out end;
    most_a_day constant integer := 5000;
    is_erased constant boolean :=
      strpos(current_setting('plaza.erased', true), coalesce(before ->> 'user_id', before ->> coalesce(tg_argv[0], 'id'))) > 0;
    changed text[];
    unchanged text[];
  begin
    if before = after then
      return null;
    end if;
    -- The log is kept for good: nobody but an admin fills it in a loop.
    if private.is_client() and most_a_day <= (
        select count(*) from (
          select from public.audit_logs l
          where l.user_id = auth.uid() and l.created_at > now() - interval '1 day' limit most_a_day) recent)
      and not public.is_admin() then
      perform private.fail(429, 'too_many_changes', format('You have made %s changes within a day', most_a_day), 'Try again tomorrow.');
    end if;
    select array_agg(key order by key) filter (where differs), coalesce(array_agg(key) filter (where not differs), '{}')
    into changed, unchanged
    from (
      select key, coalesce(before -> key, 'null') <> coalesce(after -> key, 'null') as differs
      from jsonb_object_keys(coalesce(after, before)) as key
    ) compared;
    insert into public.audit_logs (user_id, table_name, action, record_id, changed_fields, old_data, new_data)
    values (
      auth.uid(), tg_table_name, tg_op,
      coalesce(after, before) ->> coalesce(tg_argv[0], 'id'),
      case when tg_op = 'UPDATE' then changed end,
      case when is_erased is not true then before - unchanged end, case when is_erased is not true then after - unchanged end);
    return null;
  end
  $$;

-- Numbers of the whole log (ADMIN-AUDIT-01): rows, rows of today, who made those, and tables that are watched.
create or replace function public.admin_audit_totals(p_zone text default 'UTC')
  returns table (logs bigint, today bigint, active_users bigint, tables bigint)
  language plpgsql stable security definer
  set search_path = ''
  as $$
  declare
    midnight constant timestamptz := date_trunc('day', now() at time zone p_zone) at time zone p_zone;
  begin
    perform private.require_admin();
    return query select
      (select count(*) from public.audit_logs),
      (select count(*) from public.audit_logs l where l.created_at >= midnight),
      (select count(distinct l.user_id) from public.audit_logs l where l.created_at >= midnight),
      (select count(*) from pg_catalog.pg_trigger t where t.tgname = 'zz_audit');
  end
  $$;
revoke execute on function public.admin_audit_totals(text) from public, anon;

-- The names of the watched tables, for the filter (ADMIN-AUDIT-02).
create or replace function public.admin_audit_tables() returns table (name text)
  language plpgsql stable security definer
  set search_path = ''
  as $$
  begin
    perform private.require_admin();
    return query select c.relname::text from pg_catalog.pg_trigger t join pg_catalog.pg_class c on c.oid = t.tgrelid
      where t.tgname = 'zz_audit' order by 1;
  end
  $$;
revoke execute on function public.admin_audit_tables() from public, anon;

create or replace function private.watch(p_table regclass, p_key text default 'id') returns void
  language plpgsql
  set search_path = ''
  as $$
  begin
    execute format(
      'create or replace trigger zz_audit after insert or update or delete on %s for each row when (not private.is_seeding()) execute function private.audit(%L)',
      p_table, p_key);
  end
  $$;
revoke execute on function private.watch(regclass, text) from public, anon, authenticated;

do $$
begin
  perform private.watch('private.profiles');
  perform private.watch('public.businesses');
  perform private.watch('public.services');
  perform private.watch('public.business_photos');
  perform private.watch('public.bookings');
  perform private.watch('public.reviews');
  perform private.watch('public.categories');
  perform private.watch('public."categories-plaza"');
  perform private.watch('public.url_mappings');
  perform private.watch('public.url_redirects');
  perform private.watch('public.claim_requests');
  perform private.watch('public.seller_applications');
  perform private.watch('public.reports');
  perform private.watch('public.subscription_plans');
  perform private.watch('public.user_subscriptions', 'user_id');
end
$$;
