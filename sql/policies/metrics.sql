-- Readable by the business's owner, if the plan includes analytics (SUB-07, C-44), and admins; written by the server
-- only (S-42).
alter table public.business_metrics enable row level security;
alter table public.advertiser_metrics enable row level security;
revoke all on public.business_metrics, public.advertiser_metrics from anon, authenticated;
grant select on public.business_metrics, public.advertiser_metrics to authenticated;

drop policy if exists business_metrics_select_owner on public.business_metrics;
create policy business_metrics_select_owner on public.business_metrics
  for select to authenticated
  using ((business_id in (select b.id from public.businesses b where b.owner_id = (select auth.uid()))
      and (select private.plan_allows((select auth.uid()), 'analytics')))
    or (select public.is_admin()));
drop policy if exists advertiser_metrics_select_owner on public.advertiser_metrics;
create policy advertiser_metrics_select_owner on public.advertiser_metrics
  for select to authenticated
  using ((business_id in (select b.id from public.businesses b where b.owner_id = (select auth.uid()))
      and (select private.plan_allows((select auth.uid()), 'analytics')))
    or (select public.is_admin()));

-- The list of all businesses, for admins (ADMIN-METRICS-06).
alter table private.metrics_newest enable row level security;
revoke all on private.metrics_newest from anon, authenticated;
grant select on private.metrics_newest to authenticated;
drop policy if exists metrics_newest_select_admin on private.metrics_newest;
create policy metrics_newest_select_admin on private.metrics_newest
  for select to authenticated using ((select public.is_admin()));
