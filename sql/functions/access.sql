-- Who may do what: the questions that policies and functions ask.

-- Fails with an HTTP status, a stable code and a text for people. The data API
-- answers SQLSTATE PTnnn with status nnn; the code stands in the error's details.
create or replace function private.fail(status integer, code text, message text, hint text default null) returns void
  language plpgsql
  set search_path = ''
  as $$
  begin
    raise exception using errcode = 'PT' || status, message = message, detail = code, hint = coalesce(hint, '');
  end
  $$;

-- Whether a browser's user acts: also true inside definer functions, which change
-- current_user but not the role setting.
create or replace function private.is_client() returns boolean
  language sql stable
  set search_path = ''
  as $$
    select coalesce(current_setting('role', true), '') in ('anon', 'authenticated')
  $$;

-- Set by seed files: rows are loaded as they are, without audit or notifications.
create or replace function private.is_seeding() returns boolean
  language sql stable
  set search_path = ''
  as $$
    select coalesce(current_setting('plaza.seeding', true), '') = 'on' and not private.is_client()
  $$;

-- Roles rank user < owner < admin (PERM-01). Whoever has set up a second factor
-- holds a role only in a session that used it (S-24). Who is banned holds none: the
-- servers refuse a banned user's token, but only once they have heard of the ban. The
-- second look-up is by primary key and, as policies ask in a subselect, is done once
-- for a statement.
create or replace function public.has_role(required text) returns boolean
  language sql stable security definer
  set search_path = ''
  as $$
    select exists (
      select from public.profiles p
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

-- Whether the caller knows a person through a booking of an own business or a message.
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

-- For a session that has not shown the second factor its user has set up (S-24).
create or replace function private.second_factor_shown() returns boolean
  language sql stable security definer
  set search_path = ''
  as $$
    select (select auth.jwt() ->> 'aal') = 'aal2'
      or not exists (select from public.profiles p where p.id = (select auth.uid()) and p.totp_enabled)
  $$;

-- As second_factor_shown, for factors of any kind: what moves money or removes an
-- account asks for whichever the user has.
create or replace function private.strongest_factor_shown() returns boolean
  language sql stable security definer
  set search_path = ''
  as $$
    select coalesce((select auth.jwt() ->> 'aal') = 'aal2', false)
      or not exists (select from auth.mfa_factors f where f.user_id = (select auth.uid()) and f.status = 'verified')
  $$;

-- Waits until nobody else holds the lock of this name; it is held until the transaction ends. What counts rows and
-- then inserts one takes it first: the count is made by a later statement, which sees what others have committed.
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

-- Text without tags; what is left of a half tag goes too.
create or replace function private.strip_markup(value text) returns text
  language sql immutable strict parallel safe
  set search_path = ''
  as $$
    select nullif(btrim(regexp_replace(regexp_replace(value, '<[^>]*>', '', 'g'), '[<>]', '', 'g')), '')
  $$;
