-- Whether a purchased plan is in force. It is for a little longer than paid for: the provider reports a renewal after
-- the due date.
create or replace function private.subscription_runs(subscribed boolean, ends timestamptz) returns boolean
  language sql stable
  set search_path = ''
  as $$
    select coalesce(subscribed and (ends is null or ends + interval '3 days' > now()), false)
  $$;

-- The limits of a user's plan; without one the limits of CONST-02. Admins have no limits.
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
        select from private.profiles p where p.id = p_user_id and p.role = 'admin') as is_admin) role
    left join (
      select p.* from public.user_subscriptions s
      join public.subscription_plans p on p.id = s.plan_id
      where s.user_id = p_user_id and private.subscription_runs(s.subscribed, s.subscription_end)
    ) plan on true
  $$;

-- Whether a user's plan includes a feature (SUB-07): 'analytics', 'logo', 'promoted' or 'support'. Without a plan none
-- is included; admins have all.
create or replace function private.plan_allows(p_user_id uuid, p_feature text) returns boolean
  language sql stable security definer
  set search_path = ''
  as $$
    select exists (select from private.profiles p where p.id = p_user_id and p.role = 'admin')
      or exists (
        select from public.user_subscriptions s
        join public.subscription_plans p on p.id = s.plan_id
        where s.user_id = p_user_id and private.subscription_runs(s.subscribed, s.subscription_end)
          and case p_feature
            when 'analytics' then p.analytics_access
            when 'logo' then p.logo_upload
            when 'promoted' then p.promoted_listings
            when 'support' then p.priority_support
            else false end)
  $$;

-- Businesses with a promoted place among the matches of a search, in an order that changes hourly, so that each gets
-- its turn. A list shows the first two and marks them. It takes the arguments of best_businesses; sort_by has no
-- effect. Definer: callers must not read other users' plans.
create or replace function public.promoted_businesses(
    find_desc text default null, find_loc text default null, category text default null,
    with_amenities text[] default null, min_rating numeric default null, open_now boolean default null, free_on date default null,
    min_price numeric default null, max_price numeric default null,
    near_latitude double precision default null, near_longitude double precision default null, within_km numeric default null,
    bounds double precision[] default null, sort_by text default null)
  returns setof public.businesses
  language sql stable security definer rows 20
  set search_path = ''
  as $$
    with asked as materialized (
      select private.search_of(find_desc, find_loc, category, with_amenities, min_rating, open_now, free_on, min_price, max_price,
        near_latitude, near_longitude, within_km, bounds, sort_by) as search
    )
    select b.*
    from asked a
    cross join public.businesses b
    join public.user_subscriptions s on s.user_id = b.owner_id
    join public.subscription_plans p on p.id = s.plan_id
    where b.is_promoted and p.promoted_listings and private.subscription_runs(s.subscribed, s.subscription_end)
      and private.matches_all(b.search_document, (a.search).queries) and private.passes(b, a.search)
    order by md5(b.id::text || date_trunc('hour', now())::text)
    limit 20
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
