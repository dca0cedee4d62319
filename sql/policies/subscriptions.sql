alter table public.subscription_plans enable row level security;
alter table public.user_subscriptions enable row level security;
revoke all on public.subscription_plans, public.user_subscriptions from anon, authenticated;
grant select on public.subscription_plans to anon, authenticated;
grant select on public.user_subscriptions to authenticated;
grant insert (tier, name, description, is_active, price_monthly, price_yearly, analytics_access, logo_upload,
    promoted_listings, priority_support, max_businesses, max_photos_per_business, max_description_length),
  update (tier, name, description, is_active, price_monthly, price_yearly, analytics_access, logo_upload,
    promoted_listings, priority_support, max_businesses, max_photos_per_business, max_description_length)
  on public.subscription_plans to authenticated;
grant select, insert, update, delete on private.billing_accounts to service_role;

drop policy if exists subscription_plans_select_active on public.subscription_plans;
create policy subscription_plans_select_active on public.subscription_plans
  for select to anon, authenticated using (is_active);
drop policy if exists subscription_plans_write_admin on public.subscription_plans;
create policy subscription_plans_write_admin on public.subscription_plans for all to authenticated
  using ((select public.is_admin())) with check ((select public.is_admin()));

-- Readable by its user; written by the payment webhook as service_role (S-38).
drop policy if exists user_subscriptions_select_self on public.user_subscriptions;
create policy user_subscriptions_select_self on public.user_subscriptions
  for select to authenticated using (user_id = (select auth.uid()) or (select public.is_admin()));
