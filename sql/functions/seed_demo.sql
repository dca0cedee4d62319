-- What the demo seed created, for `plaza demo remove` and for production, which refuses to start with it. The platform
-- finds both functions by the project's settings.

-- The accounts of the demo seed and of the test tools: those that are marked, and those whose id is derived from their
-- address, in case the mark was removed.
create or replace function private.demo_users() returns setof uuid
  language sql stable
  set search_path = ''
  as $$
    select u.id from auth.users u
    where u.raw_app_meta_data ? 'plaza_demo'
      or exists (select from private.profiles p where p.id = u.id and p.is_test)
      or u.email like '%@plaza.test' and u.id = private.seed_id(u.email)
  $$;
revoke execute on function private.demo_users() from public, anon, authenticated, service_role;

-- Whether a seed or a test user invented the business: its numbers and websites belong to nobody.
create or replace function private.is_made_up(b public.businesses) returns boolean
  language sql immutable
  set search_path = ''
  as $$
    select b.is_test or b.source = 'seeded'
      and coalesce(b.phone ~ '^\+(34|376) 000 ', true) and coalesce(b.website ~ '\.example$', true)
  $$;
revoke execute on function private.is_made_up(public.businesses) from public, anon, authenticated, service_role;

-- Deletes what the accounts to be removed (p_users) wrote, and all invented businesses that no other account owns or
-- refers to. The caller deletes the accounts, in the same transaction.
create or replace function private.remove_demo(p_users uuid[]) returns table (what text, removed bigint)
  language plpgsql
  set search_path = ''
  as $$
  declare
    rated uuid[];
  begin
    -- No audit, no notifications, and the last admin may go.
    perform set_config('plaza.seeding', 'on', true);

    what := 'payments at the test provider';
    delete from private.test_payments t using private.billing_accounts a
    where a.user_id = any (p_users) and a.provider = 'test-payments' and t.customer = a.customer_id;
    get diagnostics removed = row_count;
    return next;

    what := 'reports';
    delete from public.reports where reporter_id = any (p_users) or is_test;
    get diagnostics removed = row_count;
    return next;

    -- A message to or from somebody else stays in that person's box.
    what := 'messages';
    delete from public.messages where sender_id = any (p_users) and recipient_id = any (p_users);
    get diagnostics removed = row_count;
    return next;

    what := 'bookings';
    delete from public.bookings where user_id = any (p_users) or is_test;
    get diagnostics removed = row_count;
    return next;

    what := 'reviews';
    select array_agg(distinct business_id) into rated from public.reviews where user_id = any (p_users) or is_test;
    delete from public.reviews where user_id = any (p_users) or is_test;
    get diagnostics removed = row_count;
    return next;

    what := 'businesses';
    delete from public.businesses b
    where private.is_made_up(b) and (b.owner_id is null or b.owner_id = any (p_users))
      and not exists (select from public.bookings x where x.business_id = b.id)
      and not exists (select from public.reviews x where x.business_id = b.id)
      and not exists (select from public.messages x where x.business_id = b.id)
      and not exists (select from public.favorites x where x.business_id = b.id and x.user_id <> all (p_users))
      and not exists (select from public.claim_requests x where x.business_id = b.id and x.user_id <> all (p_users))
      and not exists (select from public.reports x where x.reported_id = b.id);
    get diagnostics removed = row_count;
    return next;

    -- Those that stay because of somebody's rows have lost their owner.
    update public.businesses set is_claimed = false, verification_status = 'unverified'
    where owner_id = any (p_users);
    perform private.refresh_rating(b.id) from public.businesses b where b.id = any (rated);
  end
  $$;
revoke execute on function private.remove_demo(uuid[]) from public, anon, authenticated, service_role;
