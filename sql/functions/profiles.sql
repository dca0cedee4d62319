-- The only function that creates profiles. The role is always user; metadata's role=owner is an intent that opens
-- /become-seller (S-01).
create or replace function private.create_profile(p_user_id uuid, p_metadata jsonb) returns void
  language sql security definer
  set search_path = ''
  as $$
    insert into public.profiles (id, full_name, avatar_url, wants_to_sell)
    values (
      p_user_id,
      nullif(btrim(left(private.strip_markup(coalesce(p_metadata ->> 'full_name', p_metadata ->> 'name')), 100)), ''),
      case when private.is_web_address(p_metadata ->> 'avatar_url') then p_metadata ->> 'avatar_url' end,
      coalesce(p_metadata ->> 'role', '') = 'owner')
    on conflict (id) do nothing
  $$;
revoke execute on function private.create_profile(uuid, jsonb) from public, anon, authenticated;

create or replace function private.on_user_created() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    perform private.create_profile(new.id, new.raw_user_meta_data);
    return null;
  end
  $$;
create or replace trigger plaza_profile after insert on auth.users
  for each row execute function private.on_user_created();

-- Creates the caller's profile if it is missing (S-02) and returns it.
create or replace function public.ensure_profile() returns public.profiles
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    profile public.profiles;
  begin
    perform private.require_user();
    perform private.create_profile(u.id, u.raw_user_meta_data) from auth.users u where u.id = auth.uid();
    select * into profile from public.profiles p where p.id = auth.uid();
    if profile.id is null then
      perform private.fail(404, 'user_not_found', 'This account no longer exists');
    end if;
    return profile;
  end
  $$;
revoke execute on function public.ensure_profile() from public, anon;

create or replace function private.clean_profile() returns trigger
  language plpgsql
  set search_path = ''
  as $$
  begin
    new.full_name := private.strip_markup(new.full_name);
    new.avatar_url := nullif(btrim(new.avatar_url), '');
    new.updated_at := now();
    return new;
  end
  $$;
create or replace trigger clean before insert or update on public.profiles
  for each row execute function private.clean_profile();

-- Keeps profiles.totp_enabled in sync with the auth server's factors (S-23).
create or replace function private.on_factor_changed() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    owner uuid := coalesce(new.user_id, old.user_id);
  begin
    update public.profiles p
    set totp_enabled = exists (
      select from auth.mfa_factors f
      where f.user_id = owner and f.factor_type = 'totp' and f.status = 'verified')
    where p.id = owner;
    return null;
  end
  $$;
create or replace trigger plaza_totp after insert or update or delete on auth.mfa_factors
  for each row execute function private.on_factor_changed();

-- Sets the role of several users (S-49). Callers cannot change their own, so an admin always remains.
create or replace function public.admin_set_role(p_user_ids uuid[], p_role text) returns integer
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    changed integer;
  begin
    perform private.require_admin();
    if p_role is null or p_role not in ('user', 'owner', 'admin') then
      perform private.fail(422, 'unknown_role', 'The role must be user, owner or admin');
    end if;
    if auth.uid() = any (p_user_ids) and p_role <> 'admin' then
      perform private.fail(409, 'own_role', 'You cannot take the admin role from yourself');
    end if;
    perform private.lock_admins();
    update public.profiles p set role = p_role where p.id = any (p_user_ids) and p.role <> p_role;
    get diagnostics changed = row_count;
    perform private.require_some_admin();
    return changed;
  end
  $$;
revoke execute on function public.admin_set_role(uuid[], text) from public, anon;

-- Deletes accounts, including the auth user (S-49, C-17). Bookings and reviews are kept without a name.
create or replace function public.admin_delete_user(p_user_ids uuid[]) returns integer
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    deleted integer;
  begin
    perform private.require_admin();
    if auth.uid() = any (p_user_ids) then
      perform private.fail(409, 'own_account', 'You cannot delete your own account here');
    end if;
    delete from auth.users u where u.id = any (p_user_ids);
    get diagnostics deleted = row_count;
    return deleted;
  end
  $$;
revoke execute on function public.admin_delete_user(uuid[]) from public, anon;

-- Two admins who demote each other at once wait for each other here.
create or replace function private.lock_admins() returns void
  language sql
  set search_path = ''
  as $$
    select pg_advisory_xact_lock(hashtextextended('plaza.admins', 0))
  $$;

create or replace function private.require_some_admin() returns void
  language plpgsql
  set search_path = ''
  as $$
  begin
    if not exists (select from public.profiles where role = 'admin') then
      perform private.fail(409, 'last_admin', 'The last admin must stay');
    end if;
  end
  $$;

-- A user who deletes the own account (PROFILE-08) must not be the last admin, either.
create or replace function private.after_admin_deleted() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    if private.is_seeding() then -- `plaza demo remove` takes the demo admin out
      return null;
    end if;
    perform private.lock_admins();
    perform private.require_some_admin();
    return null;
  end
  $$;
create or replace trigger last_admin after delete on public.profiles
  for each row when (old.role = 'admin') execute function private.after_admin_deleted();

-- Promotes a user to owner; never demotes anybody (ADMIN-CLAIM-08).
create or replace function private.make_owner(p_user_id uuid) returns void
  language sql security definer
  set search_path = ''
  as $$
    update public.profiles set role = 'owner' where id = p_user_id and role = 'user'
  $$;
revoke execute on function private.make_owner(uuid) from public, anon, authenticated;

-- Users by name or display id, and by role. No fixed search_path, so that it is inlined; every name is qualified.
create or replace function private.matching_users(p_search text, p_role text) returns setof public.profiles
  language sql stable
  as $$
    select p.*
    from public.profiles p
    where (coalesce(btrim(p_search), '') = ''
        or ' ' || private.normalize(p.full_name) || ' ' like private.search_pattern(p_search)
        or p.display_id like private.display_id_pattern(p_search))
      and (p_role is null or p.role = p_role)
  $$;
revoke execute on function private.matching_users(text, text) from public, anon, authenticated;

-- A page of users and the total number (ADMIN-USERS-08). A page past the end returns the last one.
create or replace function public.admin_users(
    p_search text default null, p_role text default null, p_order text default 'newest',
    p_page integer default 1, p_page_size integer default 20)
  returns table (id uuid, full_name text, avatar_url text, role text, display_id text, created_at timestamptz, total bigint)
  language plpgsql stable security definer
  set search_path = ''
  as $$
  declare
    size constant integer := least(greatest(p_page_size, 1), 100);
    ordering constant text := case p_order
      when 'newest' then 'm.created_at desc, m.id'
      when 'oldest' then 'm.created_at, m.id desc'
      when 'name' then 'm.full_name, m.id'
      when 'name_desc' then 'm.full_name desc nulls last, m.id' end;
    matching bigint;
  begin
    perform private.require_admin();
    if ordering is null then
      perform private.fail(422, 'unknown_order', 'The order must be newest, oldest, name or name_desc');
    end if;
    select count(*) into matching from private.matching_users(p_search, p_role);
    return query execute format(
      'select m.id, m.full_name, m.avatar_url, m.role, m.display_id, m.created_at, $3
      from private.matching_users($1, $2) m order by %s limit $4 offset $5', ordering)
    using p_search, p_role, matching, size,
      least(greatest(p_page, 1) - 1, greatest(matching - 1, 0) / size) * size;
  end
  $$;
revoke execute on function public.admin_users(text, text, text, integer, integer) from public, anon;

-- Counts what depends on accounts, for the confirmation before they are deleted (RULE-28).
create or replace function public.admin_user_effects(p_user_ids uuid[])
  returns table (businesses bigint, bookings bigint, reviews bigint)
  language plpgsql stable security definer
  set search_path = ''
  as $$
  begin
    perform private.require_admin();
    return query select
      (select count(*) from public.businesses b where b.owner_id = any (p_user_ids)),
      (select count(*) from public.bookings k where k.user_id = any (p_user_ids)),
      (select count(*) from public.reviews r where r.user_id = any (p_user_ids));
  end
  $$;
revoke execute on function public.admin_user_effects(uuid[]) from public, anon;
