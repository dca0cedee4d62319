-- Whether what was bought may be used. It may for a little longer than is paid for:
-- the provider tells of a renewal after the day.
create or replace function private.subscription_runs(subscribed boolean, ends timestamptz) returns boolean
  language sql stable
  set search_path = ''
  as $$
    select coalesce(subscribed and (ends is null or ends + interval '3 days' > now()), false)
  $$;

-- What a user's plan allows; without one the limits of CONST-02. Admins have no limits.
create or replace function private.plan_limits(p_user_id uuid,
    out max_businesses integer, out max_photos integer, out max_description integer)
  language sql stable security definer
  set search_path = ''
  as $$
    select
      case when role.is_admin then 2147483647 else coalesce(plan.max_businesses, 1) end,
      case when role.is_admin then 2147483647 else coalesce(plan.max_photos_per_business, 5) end,
      case when role.is_admin then 2147483647 else coalesce(plan.max_description_length, 500) end
    from (select public.is_admin() or exists (
        select from public.profiles p where p.id = p_user_id and p.role = 'admin') as is_admin) role
    left join (
      select p.* from public.user_subscriptions s
      join public.subscription_plans p on p.id = s.plan_id
      where s.user_id = p_user_id and private.subscription_runs(s.subscribed, s.subscription_end)
    ) plan on true
  $$;

create or replace function private.fill_subscription() returns trigger
  language plpgsql
  set search_path = ''
  as $$
  begin
    select p.tier, p.name into new.subscription_tier, new.plan_name
    from public.subscription_plans p where p.id = new.plan_id;
    new.updated_at := now();
    return new;
  end
  $$;
create or replace trigger fill before insert or update on public.user_subscriptions
  for each row execute function private.fill_subscription();
