-- One audit row for each change of a watched row (S-50). Secrets never reach it,
-- nor columns that only follow others.
create or replace function private.audit() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    left_out constant text[] := array['search_text', 'search_location', 'sort_rating', 'session_token', 'secret_key',
      'backup_codes', 'document_path', 'updated_at'];
    before jsonb := case when tg_op <> 'INSERT' then to_jsonb(old) - left_out end;
    after jsonb := case when tg_op <> 'DELETE' then to_jsonb(new) - left_out end;
    changed text[];
  begin
    if before = after then
      return null;
    end if;
    if tg_op = 'UPDATE' then
      select array_agg(key order by key) into changed
      from jsonb_each(after) as field (key, value)
      where value is distinct from before -> key;
    end if;
    insert into public.audit_logs (user_id, table_name, action, record_id, changed_fields, old_data, new_data)
    values (
      auth.uid(), tg_table_name, tg_op,
      coalesce(after, before) ->> coalesce(tg_argv[0], 'id'),
      changed, before, after);
    return null;
  end
  $$;

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
  perform private.watch('public.profiles');
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
