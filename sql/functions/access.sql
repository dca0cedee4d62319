-- Access rules that policies and functions use.

-- Fails with an HTTP status, a stable code and a message. The data API returns SQLSTATE PTnnn as status nnn; the code
-- is in the error's details.
create or replace function private.fail(status integer, code text, message text, hint text default null) returns void
  language plpgsql
  set search_path = ''
  as $$
  begin
    raise exception using errcode = 'PT' || status, message = message, detail = code, hint = coalesce(hint, '');
  end
  $$;

-- Whether the current statement runs on behalf of a browser's user: also true inside definer functions, which change
-- current_user but not the role setting; but not inside those that write as the server does, which say so by the setting
-- plaza.acts_as_server. Callers of the API cannot change settings.
create or replace function private.is_client() returns boolean
  language sql stable
  set search_path = ''
  as $$
    select coalesce(current_setting('role', true), '') in ('anon', 'authenticated')
      and coalesce(current_setting('plaza.acts_as_server', true), '') <> 'on'
  $$;

-- Sets plaza.acts_as_server and plaza.seeding, by default to on, and returns their former values, which a function that
-- writes as the server does puts back at its end. PostgreSQL lets only a superuser create functions with such settings.
create or replace function private.act_as_server(p_settings text[] default array['on', 'on']) returns text[]
  language plpgsql
  set search_path = ''
  as $$
  declare
    former constant text[] := array[current_setting('plaza.acts_as_server', true), current_setting('plaza.seeding', true)];
  begin
    perform set_config('plaza.acts_as_server', coalesce(p_settings[1], ''), true), set_config('plaza.seeding', coalesce(p_settings[2], ''), true);
    return former;
  end
  $$;
revoke execute on function private.act_as_server(text[]) from public, anon, authenticated, service_role;

-- Likewise for deleting rows of storage.objects, which storage refuses without its setting.
create or replace function private.allow_object_deletes(p_setting text) returns text
  language plpgsql
  set search_path = ''
  as $$
  declare
    former constant text := current_setting('storage.allow_delete_query', true);
  begin
    perform set_config('storage.allow_delete_query', coalesce(p_setting, ''), true);
    return former;
  end
  $$;
revoke execute on function private.allow_object_deletes(text) from public, anon, authenticated, service_role;

-- The id, of a business or a claim, in the name of a file that is stored at {userId}/{id}/{file}; null for any other file.
create or replace function private.folder_id(object_name text) returns uuid
  language sql immutable
  set search_path = ''
  as $$
    select case when folder ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then folder::uuid end
    from (select (storage.foldername(object_name))[2] as folder) parts
  $$;
revoke execute on function private.folder_id(text) from public, anon, authenticated;

-- Set by seed files: rows are loaded unchanged, without audit or notifications.
create or replace function private.is_seeding() returns boolean
  language sql stable
  set search_path = ''
  as $$
    select coalesce(current_setting('plaza.seeding', true), '') = 'on' and not private.is_client()
  $$;

-- Whether the caller has at least a role; roles are ordered user < owner < admin (PERM-01). A user with a second factor
-- has a role only in a session that used it (S-24). A banned user has none: servers refuse a banned user's token, but
-- only once they have been notified of the ban. The second look-up is by primary key and, as policies call this
-- function in a subselect, runs once per statement.
create or replace function public.has_role(required text) returns boolean
  language sql stable security definer
  set search_path = ''
  as $$
    select exists (
      select from private.profiles p
      join auth.users u on u.id = p.id
      where p.id = (select auth.uid())
        and (u.banned_until is null or u.banned_until <= now())
        and array_position(array['user', 'owner', 'admin'], p.role) >= array_position(array['user', 'owner', 'admin'], required)
        and (p.role <> 'admin' or not p.totp_enabled or (select auth.jwt() ->> 'aal') = 'aal2')
    )
  $$;

create or replace function public.is_admin() returns boolean
  language sql stable security definer
  set search_path = ''
  as $$
    select public.has_role('admin')
  $$;

-- Whether the caller sees the private columns of every profile: an admin, or a server.
create or replace function private.sees_profiles() returns boolean
  language sql stable security definer
  set search_path = ''
  as $$
    select not private.is_client() or public.is_admin()
  $$;

create or replace function private.require_admin() returns void
  language plpgsql stable
  set search_path = ''
  as $$
  begin
    if auth.uid() is null then
      perform private.fail(401, 'not_authenticated', 'Not authenticated');
    elsif not public.is_admin() then
      perform private.fail(403, 'not_admin', 'User does not have admin privileges');
    end if;
  end
  $$;

create or replace function private.require_user() returns uuid
  language plpgsql stable
  set search_path = ''
  as $$
  begin
    if auth.uid() is null then
      perform private.fail(401, 'not_authenticated', 'Not authenticated');
    end if;
    return auth.uid();
  end
  $$;

-- Whether the caller may change the business: its owner or an admin (PERM-07).
create or replace function private.manages(p_business_id uuid) returns boolean
  language sql stable security definer
  set search_path = ''
  as $$
    select exists (
      select from public.businesses b
      where b.id = p_business_id and b.owner_id = (select auth.uid())
    ) or public.is_admin()
  $$;

-- Whether the caller shares a booking (of an own business) or a conversation with a user.
create or replace function private.is_counterpart(p_user_id uuid) returns boolean
  language sql stable security definer
  set search_path = ''
  as $$
    select exists (
      select from public.bookings k join public.businesses b on b.id = k.business_id
      where k.user_id = p_user_id and b.owner_id = (select auth.uid())
    ) or exists (
      select from public.messages m
      where (m.sender_id = p_user_id and m.recipient_id = (select auth.uid()))
        or (m.recipient_id = p_user_id and m.sender_id = (select auth.uid()))
    )
  $$;

-- Whether the session used the second factor, if its user has one (S-24).
create or replace function private.second_factor_shown() returns boolean
  language sql stable security definer
  set search_path = ''
  as $$
    select (select auth.jwt() ->> 'aal') = 'aal2'
      or not exists (select from private.profiles p where p.id = (select auth.uid()) and p.totp_enabled)
  $$;

-- Like second_factor_shown, for factors of any kind: moving money or deleting an account requires whichever the user
-- has.
create or replace function private.strongest_factor_shown() returns boolean
  language sql stable security definer
  set search_path = ''
  as $$
    select coalesce((select auth.jwt() ->> 'aal') = 'aal2', false)
      or not exists (select from auth.mfa_factors f where f.user_id = (select auth.uid()) and f.status = 'verified')
  $$;

-- Takes the lock with this name until the transaction ends. Functions that count rows and then insert one take it
-- first: the count runs in a later statement, which sees what others have committed.
create or replace function private.lock(name text) returns void
  language sql
  set search_path = ''
  as $$
    select pg_advisory_xact_lock(hashtextextended('plaza.' || name, 0))
  $$;

create or replace function private.touch_updated_at() returns trigger
  language plpgsql
  set search_path = ''
  as $$
  begin
    new.updated_at := now();
    return new;
  end
  $$;

-- Removes tags from a text, including incomplete ones.
create or replace function private.strip_markup(value text) returns text
  language sql immutable strict parallel safe
  set search_path = ''
  as $$
    select nullif(btrim(regexp_replace(regexp_replace(value, '<[^>]*>', '', 'g'), '[<>]', '', 'g')), '')
  $$;
