-- The only function that creates profiles. The role is always user; metadata's role=owner is an intent that opens
-- /become-seller (S-01).
create or replace function private.create_profile(p_user_id uuid, p_metadata jsonb) returns void
  language sql security definer
  set search_path = ''
  as $$
    insert into private.profiles (id, full_name, avatar_url, wants_to_sell)
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
create or replace function public.ensure_profile() returns table (id uuid, full_name text, avatar_url text, role text)
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    perform private.require_user();
    perform private.create_profile(u.id, u.raw_user_meta_data) from auth.users u where u.id = auth.uid();
    return query select p.id, p.full_name, p.avatar_url, p.role from private.profiles p where p.id = auth.uid();
    if not found then
      perform private.fail(404, 'user_not_found', 'This account no longer exists');
    end if;
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
create or replace trigger clean before insert or update on private.profiles
  for each row execute function private.clean_profile();

-- Keeps profiles.totp_enabled in sync with the auth server's factors (S-23).
create or replace function private.on_factor_changed() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    owner uuid := coalesce(new.user_id, old.user_id);
  begin
    update private.profiles p
    set totp_enabled = exists (
      select from auth.mfa_factors f
      where f.user_id = owner and f.factor_type = 'totp' and f.status = 'verified')
    where p.id = owner;
    return null;
  end
  $$;
create or replace trigger plaza_totp after insert or update or delete on auth.mfa_factors
  for each row execute function private.on_factor_changed();

-- An update of the view: users change their own row, and admins the role of others. Other rows are skipped, as a policy
-- does.
create or replace function private.update_profile() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    own constant boolean := old.id = auth.uid();
  begin
    if not private.is_client() then
      update private.profiles p
      set id = new.id, full_name = new.full_name, avatar_url = new.avatar_url, role = new.role, display_id = new.display_id,
        session_timeout_minutes = new.session_timeout_minutes, totp_enabled = new.totp_enabled, wants_to_sell = new.wants_to_sell,
        created_at = new.created_at
      where p.id = old.id;
      return new;
    elsif not coalesce(own, false) and not public.is_admin() then
      return null;
    end if;
    if new.role is distinct from old.role then
      perform private.set_role(old.id, new.role);
    end if;
    if (new.id, new.full_name, new.avatar_url, new.session_timeout_minutes)
        is distinct from (old.id, old.full_name, old.avatar_url, old.session_timeout_minutes) then
      if not own or new.id <> old.id then
        raise insufficient_privilege using message = 'only the role of another profile can be changed';
      end if;
      update private.profiles p
      set full_name = new.full_name, avatar_url = new.avatar_url, session_timeout_minutes = new.session_timeout_minutes
      where p.id = old.id
      returning p.full_name, p.avatar_url, p.updated_at into new.full_name, new.avatar_url, new.updated_at;
    end if;
    return new;
  end
  $$;

create or replace function private.set_role(p_user_id uuid, p_role text) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    if not public.is_admin() then
      raise insufficient_privilege using message = 'permission denied to change a role';
    end if;
    perform private.require_role_name(p_role);
    if p_user_id = auth.uid() and p_role <> 'admin' then
      perform private.fail(409, 'own_role', 'You cannot take the admin role from yourself');
    end if;
    perform private.lock_admins();
    update private.profiles p set role = p_role where p.id = p_user_id;
    perform private.require_some_admin();
  end
  $$;
revoke execute on function private.set_role(uuid, text) from public, anon, authenticated;

create or replace function private.require_role_name(p_role text) returns void
  language plpgsql
  set search_path = ''
  as $$
  begin
    if p_role is null or p_role not in ('user', 'owner', 'admin') then
      perform private.fail(422, 'unknown_role', 'The role must be user, owner or admin');
    end if;
  end
  $$;

-- A deletion from the view deletes the account, including the auth user (C-17, S-49). Bookings and reviews are kept
-- without a name.
create or replace function private.delete_profile() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    if not private.is_client() then
      delete from private.profiles p where p.id = old.id;
    elsif not public.is_admin() then
      raise insufficient_privilege using message = 'permission denied to delete a profile';
    elsif old.id = auth.uid() then
      perform private.fail(409, 'own_account', 'You cannot delete your own account here');
    else
      delete from auth.users u where u.id = old.id;
    end if;
    return old;
  end
  $$;

-- The same for several users, as functions that return how many were changed (S-49).
create or replace function public.admin_set_role(p_user_ids uuid[], p_role text) returns integer
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    changed integer;
  begin
    perform private.require_admin();
    perform private.require_role_name(p_role);
    update public.profiles p set role = p_role where p.id = any (p_user_ids) and p.role <> p_role;
    get diagnostics changed = row_count;
    return changed;
  end
  $$;
revoke execute on function public.admin_set_role(uuid[], text) from public, anon;

create or replace function public.admin_delete_user(p_user_ids uuid[]) returns integer
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    deleted integer;
  begin
    perform private.require_admin();
    delete from public.profiles p where p.id = any (p_user_ids);
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
    if not exists (select from private.profiles where role = 'admin') then
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
create or replace trigger last_admin after delete on private.profiles
  for each row when (old.role = 'admin') execute function private.after_admin_deleted();

-- What is deleted with an account beyond what refers to it: the papers of its claims, its notes for businesses, and
-- conversations that nobody is left to read. The audit log gets no values of these rows: plaza.erased lists the accounts
-- that the transaction deletes.
create or replace function private.before_profile_deleted() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    allowed constant text := private.allow_object_deletes('true');
  begin
    if not private.is_seeding() then
      perform set_config('plaza.erased', concat(old.id, ' ', current_setting('plaza.erased', true)), true);
    end if;
    delete from storage.objects o
    where o.bucket_id = 'claim-documents'
      and o.name collate "C" > concat(old.id, '/') and o.name collate "C" < concat(old.id, '/', chr(1114111));
    update public.bookings b set notes = null where b.user_id = old.id and b.notes is not null;
    with ended as (
      delete from public.conversations c
      where c.customer_id = old.id and c.owner_id is null or c.owner_id = old.id and c.customer_id is null
      returning c.id
    ), photos as (
      select unnest(m.attachments) as name from ended join public.messages m on m.conversation_id = ended.id
    )
    delete from storage.objects o using photos where o.bucket_id = 'message-photos' and o.name = photos.name;
    perform private.allow_object_deletes(allowed);
    return old;
  end
  $$;
create or replace trigger erase before delete on private.profiles
  for each row execute function private.before_profile_deleted();

-- Promotes a user to owner; never demotes anybody (ADMIN-CLAIM-08).
create or replace function private.make_owner(p_user_id uuid) returns void
  language sql security definer
  set search_path = ''
  as $$
    update private.profiles set role = 'owner' where id = p_user_id and role = 'user'
  $$;
revoke execute on function private.make_owner(uuid) from public, anon, authenticated;

-- Users by name or display id, and by role. No fixed search_path, so that it is inlined; every name is qualified.
create or replace function private.matching_users(p_search text, p_role text) returns setof private.profiles
  language sql stable
  as $$
    select p.*
    from private.profiles p
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
