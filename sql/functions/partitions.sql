-- The moment before which rows are dropped, by a retention in private.market_settings; null: never.
create or replace function private.oldest_kept(retention text) returns timestamptz
  language sql stable
  set search_path = ''
  as $$
    select (date_trunc('month', now() at time zone 'UTC') - make_interval(months => s.value::integer)) at time zone 'UTC'
    from private.market_settings s where s.name = retention and s.value::integer > 0
  $$;

-- Makes the partitions of the months ahead and drops those of one table that are past its retention. Returns how many were
-- dropped: until that is none, it is called again, so that no transaction locks several tables for it. Several servers may
-- call it.
create or replace function private.keep_months() returns integer
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    kept record;
    oldest timestamptz;
    dropped integer := 0;
  begin
    for kept in select * from (values
      ('public.audit_logs'::regclass, 'audit_retention_months'),
      ('public.user_security_events', 'security_events_retention_months'),
      ('public.business_metrics', 'metrics_retention_months'),
      ('public.advertiser_metrics', 'metrics_retention_months'),
      ('private.metrics_months', 'metrics_retention_months')) as t (parent, retention)
    loop
      perform plaza.make_partitions(kept.parent, 'month', 2, 'private');
      oldest := private.oldest_kept(kept.retention);
      if oldest is not null then
        dropped := plaza.drop_partitions(kept.parent, oldest);
        exit when dropped > 0;
      end if;
    end loop;
    -- What is kept of dropped metrics by day and by business.
    oldest := private.oldest_kept('metrics_retention_months');
    delete from private.metrics_days d where d.metric_date < oldest at time zone 'UTC';
    delete from private.metrics_newest n where n.metric_date < oldest at time zone 'UTC';
    perform plaza.make_partitions('private.business_events', 'day', 2);
    return dropped;
  end
  $$;
revoke execute on function private.keep_months() from public, anon, authenticated;
grant execute on function private.keep_months() to service_role;
