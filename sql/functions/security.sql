-- Sessions (S-16 to S-19), security events (S-07) and the lock-out (S-05). The auth server's own tables are
-- authoritative; triggers update what the marketplace shows.

-- 8 hours from sign-in is absolute (AUTH-18): the auth server refuses to refresh a session after not_after.
create or replace function private.before_session() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    new.not_after := least(new.not_after, coalesce(new.created_at, now()) + interval '8 hours');
    return new;
  end
  $$;
create or replace trigger plaza_expiry before insert on auth.sessions
  for each row execute function private.before_session();

create or replace function private.after_session() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    perform private.create_profile(u.id, u.raw_user_meta_data) from auth.users u where u.id = new.user_id;
    insert into public.user_sessions (user_id, session_id, ip_address, user_agent, created_at, expires_at)
    values (new.user_id, new.id, new.ip, left(new.user_agent, 500), coalesce(new.created_at, now()), new.not_after);
    -- Of the sessions that have ended, the latest 100 are kept.
    delete from public.user_sessions s
    where s.id in (
      select past.id from public.user_sessions past
      where past.user_id = new.user_id and not past.is_active
      order by past.last_activity_at desc offset 100
      for update skip locked);
    perform private.record_event(new.user_id, 'successful_login', new.user_agent, new.ip, '{}');
    delete from private.sign_in_failures f where f.user_id = new.user_id;
    return null;
  end
  $$;
create or replace trigger plaza_session after insert on auth.sessions
  for each row execute function private.after_session();

create or replace function private.before_session_deleted() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    -- Taken off first: the row's own end must not delete the auth session once more.
    update public.user_sessions s set is_active = false, session_id = null where s.session_id = old.id;
    return old;
  end
  $$;
create or replace trigger plaza_session_end before delete on auth.sessions
  for each row execute function private.before_session_deleted();

-- Ending a session row also ends the auth session, so that its refresh token becomes invalid (S-18); an ended one
-- cannot be reactivated.
create or replace function private.before_user_session() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    if new.is_active and not old.is_active then
      perform private.fail(409, 'session_ended', 'An ended session cannot be resumed');
    end if;
    return new;
  end
  $$;
create or replace trigger write before update on public.user_sessions
  for each row execute function private.before_user_session();

create or replace function private.after_user_session_ended() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    delete from auth.sessions a where a.id = new.session_id;
    return null;
  end
  $$;
create or replace trigger ended after update of is_active on public.user_sessions
  for each row when (old.is_active and not new.is_active)
  execute function private.after_user_session_ended();

-- The row of the session that the caller's token belongs to.
create or replace function private.current_session() returns public.user_sessions
  language sql stable security definer
  set search_path = ''
  as $$
    select s.* from public.user_sessions s
    where s.user_id = auth.uid() and s.session_id = nullif(auth.jwt() ->> 'session_id', '')::uuid and s.is_active
  $$;
revoke execute on function private.current_session() from public, anon, authenticated;

-- Returns the token with which the browser can report that its page is left (S-19). It is shown once and has no other
-- use; calling again replaces it.
create or replace function public.start_session() returns text
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    token text := encode(extensions.gen_random_bytes(32), 'hex');
    session public.user_sessions := private.current_session();
  begin
    perform private.require_user();
    if session.id is null then
      perform private.fail(401, 'session_ended', 'Your session has expired. Please sign in again.');
    end if;
    update public.user_sessions s set session_token = encode(extensions.digest(token, 'sha256'), 'hex'), closing_at = null
    where s.id = session.id;
    return token;
  end
  $$;
revoke execute on function public.start_session() from public, anon;

-- How long a session is kept after its page was left: the user may look at a map or pay elsewhere, and come back
-- (S-19).
create or replace function private.closing_grace() returns interval
  language sql immutable
  set search_path = ''
  as $$
    select interval '30 minutes'
  $$;

-- Records activity, at most once a minute (AUTH-19), and returns the state of the session. Without activity for the
-- profile's timeout it ends (AUTH-20): not_after is extended accordingly, so the auth server refuses it too (S-17).
create or replace function public.touch_session()
  returns table (active boolean, expires_at timestamptz, times_out_at timestamptz, timeout_minutes integer)
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    session public.user_sessions := private.current_session();
    minutes integer := coalesce((select p.session_timeout_minutes from private.profiles p where p.id = auth.uid()), 480);
    idle constant interval := make_interval(mins => minutes);
  begin
    perform private.require_user();
    if session.id is null then
      return query select false, null::timestamptz, null::timestamptz, minutes;
      return;
    end if;
    if session.expires_at <= now() or session.last_activity_at + idle <= now()
        or session.closing_at < now() - private.closing_grace() then
      update public.user_sessions s set is_active = false where s.id = session.id;
      return query select false, session.expires_at, session.last_activity_at + idle, minutes;
      return;
    end if;
    if session.last_activity_at <= now() - interval '1 minute' or session.closing_at is not null then
      update public.user_sessions s set last_activity_at = now(), closing_at = null where s.id = session.id;
      session.last_activity_at := now();
    end if;
    update auth.sessions a set not_after = least(session.expires_at, session.last_activity_at + idle)
    where a.id = session.session_id
      and a.not_after is distinct from least(session.expires_at, session.last_activity_at + idle);
    return query select true, session.expires_at, session.last_activity_at + idle, minutes;
  end
  $$;
revoke execute on function public.touch_session() from public, anon;

-- Ends one of the caller's sessions (SEC-17).
create or replace function public.terminate_session(p_session_id uuid) returns boolean
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    perform private.require_user();
    update public.user_sessions s set is_active = false
    where s.id = p_session_id and s.user_id = auth.uid() and s.is_active;
    return found;
  end
  $$;
revoke execute on function public.terminate_session(uuid) from public, anon;

-- Called when the page is left. The response is the same for any token; the session ends after a grace period, at the
-- next request for it, unless there was activity.
create or replace function public.session_cleanup(p_token text) returns void
  language sql security definer
  set search_path = ''
  as $$
    update public.user_sessions s set closing_at = now()
    where s.session_token = encode(extensions.digest(left(p_token, 200), 'sha256'), 'hex') and s.is_active
  $$;

-- Records an event; the newest 1,000 of a user are kept.
create or replace function private.record_event(
    p_user_id uuid, p_event_type text, p_user_agent text, p_ip inet, p_metadata jsonb) returns void
  language plpgsql security definer -- not sql, so that plans for all months are kept
  set search_path = ''
  as $$
  begin
    delete from public.user_security_events e
    where (e.id, e.created_at) in (
      select past.id, past.created_at from public.user_security_events past
      where past.user_id = p_user_id
      order by past.created_at desc offset 999
      for update skip locked);
    insert into public.user_security_events (user_id, event_type, user_agent, ip_address, metadata)
    values (p_user_id, p_event_type, left(p_user_agent, 500), p_ip, coalesce(p_metadata, '{}'));
  end
  $$;
revoke execute on function private.record_event(uuid, text, text, inet, jsonb) from public, anon, authenticated;

-- The requirements' function (FN-08). The server records these events itself, so a call that repeats one of the last
-- minute adds nothing; events are always the caller's own.
create or replace function public.log_security_event(
    p_user_id uuid, p_event_type text, p_user_agent text default null, p_metadata jsonb default '{}') returns void
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    if auth.uid() is null then
      return;
    end if;
    if p_event_type is null
        or p_event_type not in ('successful_login', 'failed_login', 'account_locked', 'password_changed') then
      perform private.fail(422, 'unknown_event_type', 'Unknown security event type');
    elsif char_length(p_metadata::text) > 2000 then
      perform private.fail(422, 'metadata_too_large', 'The metadata is too large');
    end if;
    perform private.lock('requests.' || auth.uid());
    if exists (select from public.user_security_events e
        where e.user_id = auth.uid() and e.event_type = p_event_type and e.created_at > now() - interval '1 minute')
      or (select count(*) from public.user_security_events e
        where e.user_id = auth.uid() and e.created_at > now() - interval '1 hour') >= 60 then
      return;
    end if;
    perform private.record_event(auth.uid(), p_event_type, p_user_agent, null, p_metadata || '{"reported_by": "client"}');
  end
  $$;
revoke execute on function public.log_security_event(uuid, text, text, jsonb) from public, anon;

-- The number of the caller's events of each kind in the last 30 days (SEC-03); the table's policy decides whose they
-- are.
create or replace function public.security_overview() returns table (event_type text, events bigint)
  language sql stable
  set search_path = ''
  as $$
    select e.event_type, count(*) from public.user_security_events e
    where e.user_id = (select auth.uid()) and e.created_at > now() - interval '30 days'
    group by e.event_type
  $$;
revoke execute on function public.security_overview() from public, anon;

create or replace function private.on_password_changed() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    perform private.record_event(p.id, 'password_changed', null, null, '{}') from private.profiles p where p.id = new.id;
    return null;
  end
  $$;
create or replace trigger plaza_password after update of encrypted_password on auth.users
  for each row when (old.encrypted_password is distinct from new.encrypted_password
    and old.encrypted_password <> '')
  execute function private.on_password_changed();

-- The network of a client's address: the owner of an IPv6 address can use any address of its /64.
create or replace function private.network_of(address inet) returns text
  language sql immutable
  set search_path = ''
  as $$
    select coalesce(case when family(address) = 6 then network(set_masklen(address, 64))::text else host(address) end, '')
  $$;

-- Counts a failure, and returns whether it starts a lock (begun) or whether one was active already. The first lock
-- lasts 15 minutes, each further one within a day twice as long, up to a day.
create or replace function private.count_sign_in_failure(
    p_account text, p_origin text, p_user_id uuid, p_allowed integer, out locked boolean, out begun boolean)
  language plpgsql
  set search_path = ''
  as $$
  declare
    span constant interval := interval '15 minutes';
    state private.sign_in_failures;
  begin
    begun := false;
    insert into private.sign_in_failures as f (account, origin, user_id, failures) values (p_account, p_origin, p_user_id, 1)
    on conflict (account, origin) do update
    set failures = case when f.last_failure_at < now() - span then 0 else f.failures end + 1,
      locks = case when greatest(f.last_failure_at, f.locked_until) < now() - interval '1 day' then 0 else f.locks end,
      last_failure_at = now(), locked_until = null
    where f.locked_until is null or f.locked_until <= now()
    returning * into state;
    locked := state.account is null;
    if state.failures >= p_allowed then
      update private.sign_in_failures f
      set locked_until = now() + least(span * (1 << least(state.locks, 7)), interval '1 day'), locks = state.locks + 1, failures = 0
      where f.account = p_account and f.origin = p_origin;
      locked := true;
      begun := true;
    end if;
  end
  $$;
revoke execute on function private.count_sign_in_failure(text, text, uuid, integer) from public, anon, authenticated;

-- The auth server's hook on each password attempt. Five failures within 15 minutes lock an account for the client's
-- network; while it is locked, the correct password is refused from there, too. Twenty failures from networks from
-- which the account was never signed in lock it for all such networks. So a stranger can lock out only strangers.
--
-- An address without an account is counted and refused in the same way: the auth server passes a null user_id and a
-- hash of the address (account).
create or replace function private.password_verification_attempt(event jsonb) returns jsonb
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    allowed_failures constant integer := 5;
    allowed_of_strangers constant integer := 20;
    proceed constant jsonb := jsonb_build_object('decision', 'continue');
    refusal constant jsonb := jsonb_build_object('decision', 'reject',
      'message', 'Account is temporarily locked due to multiple failed login attempts',
      'should_logout_user', false);
    who constant uuid := (event ->> 'user_id')::uuid;
    by_account constant text := coalesce(who::text, event ->> 'account');
    address constant inet := nullif(event -> 'metadata' ->> 'ip_address', '')::inet;
    network constant text := private.network_of(address);
    stranger boolean;
    state record;
    locked boolean := false;
    begun boolean := false;
    mailed boolean;
  begin
    if by_account is null or who is not null and not exists (select from auth.users u where u.id = who) then
      return proceed;
    end if;
    stranger := network <> '' and not exists (
      select from public.user_sessions s where s.user_id = who and private.network_of(s.ip_address) = network);
    if (event ->> 'valid')::boolean then
      if exists (select from private.sign_in_failures f
          where f.account = by_account and f.locked_until > now() and (f.origin = network or stranger and f.origin = '*')) then
        return refusal;
      end if;
      delete from private.sign_in_failures f where f.account = by_account and f.origin = network;
      return proceed;
    end if;
    -- The common row first, so that attempts at the same time do not wait for each other in a circle.
    if stranger then
      state := private.count_sign_in_failure(by_account, '*', who, allowed_of_strangers);
      locked := state.locked;
      begun := state.begun;
    end if;
    state := private.count_sign_in_failure(by_account, network, who, allowed_failures);
    locked := locked or state.locked;
    begun := begun or state.begun;
    delete from private.sign_in_failures where ctid = any (array(
      select f.ctid from private.sign_in_failures f
      where f.last_failure_at < now() - interval '2 days' and coalesce(f.locked_until < now(), true)
      order by f.last_failure_at limit 5 for update skip locked));
    if who is not null and (begun or not locked) then
      mailed := exists (select from public.user_security_events e
        where e.user_id = who and e.event_type = 'account_locked' and e.created_at > now() - interval '1 hour');
      perform private.create_profile(u.id, u.raw_user_meta_data) from auth.users u where u.id = who;
      perform private.record_event(who, 'failed_login', null, address, '{}');
      if begun then
        perform private.record_event(who, 'account_locked', null, address, '{}');
      end if;
    end if;
    return case
      when not locked then proceed
      when begun and not mailed then refusal || jsonb_build_object('mail_user', true)
      else refusal
    end;
  end
  $$;
revoke execute on function private.password_verification_attempt(jsonb) from public, anon, authenticated;
grant execute on function private.password_verification_attempt(jsonb) to supabase_auth_admin, service_role;

-- Returns the state to the caller's own account and to admins; for everybody else nothing is locked (S-05).
create or replace function public.is_account_locked(p_user_id uuid) returns boolean
  language sql stable security definer
  set search_path = ''
  as $$
    select coalesce(p_user_id = auth.uid() or public.is_admin(), false) and exists (
      select from private.sign_in_failures f where f.user_id = p_user_id and f.locked_until > now())
  $$;

-- Points for length, lower case, upper case, digit and a symbol or 12 characters (FN-10). Pure: the argument is neither
-- stored nor logged.
create or replace function public.validate_password_strength(password text) returns jsonb
  language sql immutable
  set search_path = ''
  as $$
    select jsonb_build_object(
      'valid', long_enough and short_enough and lower_case and upper_case and digit,
      'score', long_enough::integer + lower_case::integer + upper_case::integer + digit::integer + extra::integer,
      'errors', to_jsonb(array_remove(array[
        case when not long_enough then 'Password must be at least 8 characters' end,
        case when not short_enough then 'Password cannot exceed 128 characters' end,
        case when not (lower_case and upper_case and digit)
          then 'Password must contain at least one lowercase letter, one uppercase letter, and one number' end
      ], null)))
    from (select
      char_length(value) >= 8 as long_enough,
      char_length(value) <= 128 as short_enough,
      value ~ '[a-z]' as lower_case,
      value ~ '[A-Z]' as upper_case,
      value ~ '[0-9]' as digit,
      value ~ '[^A-Za-z0-9]' or char_length(value) >= 12 as extra
      from (select coalesce(password, '') as value) given) checks
  $$;
