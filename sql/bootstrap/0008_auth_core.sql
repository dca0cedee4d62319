-- Limits that all servers of a project share, the mails that wait for their
-- relay, and more reasons for a session to end.
set local role supabase_auth_admin;

-- Not written to the log: after a crash all limits begin anew.
create unlogged table auth.rate_limits (
  key text primary key,
  tokens double precision not null,
  spent_at timestamptz not null
);
comment on table auth.rate_limits is 'A bucket of tokens for each limit and whom it holds for. A bucket that would be full again may be deleted.';

-- Takes one token of a bucket and gives 0, or else the seconds until there is
-- one. No key, no limit. The clock is the server's.
create function auth.spend_limit(p_key text, p_burst double precision, p_per_second double precision, p_now timestamptz)
  returns double precision
  language plpgsql
  set search_path = ''
  as $$
  declare
    left_over double precision;
  begin
    if p_key is null then
      return 0;
    end if;
    insert into auth.rate_limits as l (key, tokens, spent_at) values (p_key, p_burst - 1, p_now)
    on conflict (key) do update
    set tokens = least(p_burst, l.tokens + greatest(0, extract(epoch from p_now - l.spent_at)) * p_per_second) - 1,
      spent_at = greatest(l.spent_at, p_now)
    where least(p_burst, l.tokens + greatest(0, extract(epoch from p_now - l.spent_at)) * p_per_second) >= 1;
    if found then
      return 0;
    end if;
    select l.tokens + greatest(0, extract(epoch from p_now - l.spent_at)) * p_per_second into left_over
    from auth.rate_limits l where l.key = p_key;
    return greatest(0, 1 - coalesce(left_over, 0)) / p_per_second;
  end
  $$;
revoke execute on function auth.spend_limit(text, double precision, double precision, timestamptz) from public;

create table auth.mail_queue (
  id bigint generated always as identity primary key,
  sealed text not null,
  kind text not null,
  created_at timestamptz not null,
  tries smallint not null default 0,
  next_try_at timestamptz not null,
  give_up_at timestamptz not null,
  failed_at timestamptz,
  last_error text
);
create index mail_queue_next_try_at_idx on auth.mail_queue (next_try_at) where failed_at is null;
comment on table auth.mail_queue is
  'Mails that the relay has not taken yet, written in the transaction that made their links. Recipient and text are encrypted with the server''s key, since they let their reader sign in.';

-- Spends a refresh token and gives its successor, with upstream's rules: the
-- session's row is locked, so that tabs which refresh at once wait for each
-- other; a spent token is accepted again where it is the parent of the active
-- one (the answer got lost) or was spent within the reuse interval; otherwise
-- the whole family is revoked. The clock is the server's.
--
-- A session of a user who has a second factor and has not used it ends after
-- p_low_aal; with p_single, a newer session of the user and of the same tag ends
-- the older ones. A tag that is not of p_tags counts as the first of them.
--
-- outcome: ok, not_found, no_session, banned, expired, inactive, low_aal,
-- superseded, already_used.
drop function auth.refresh_session(
  text, text, timestamptz, interval, boolean, interval, interval, text, inet, boolean);
create function auth.refresh_session(
    p_token text, p_successor text, p_now timestamptz, p_reuse interval, p_rotation boolean,
    p_timebox interval, p_inactivity interval, p_low_aal interval, p_single boolean, p_tags text[],
    p_user_agent text, p_ip inet, p_audit boolean,
    out outcome text, out token text, out user_id uuid, out session_id uuid, out refreshed boolean)
  language plpgsql
  set search_path = ''
  as $$
  #variable_conflict use_column
  declare
    spent auth.refresh_tokens;
    session auth.sessions;
    active auth.refresh_tokens;
    owner record;
  begin
    refreshed := false;
    select * into spent from auth.refresh_tokens t where t.token = p_token;
    if spent.id is null then
      outcome := 'not_found';
      return;
    elsif spent.session_id is null then
      delete from auth.refresh_tokens t where t.id = spent.id;
      outcome := 'no_session';
      return;
    end if;

    select * into session from auth.sessions s where s.id = spent.session_id for update;
    -- Whoever held the lock before may have spent the token or ended the session.
    select * into spent from auth.refresh_tokens t where t.token = p_token;
    if session.id is null or spent.id is null then
      outcome := 'not_found';
      return;
    end if;
    user_id := session.user_id;
    session_id := session.id;

    select u.email, u.phone, u.is_sso_user, u.banned_until, u.raw_user_meta_data ->> 'full_name' as name
    into owner from auth.users u where u.id = session.user_id;
    if owner.banned_until > p_now then
      outcome := 'banned';
      return;
    elsif session.not_after < p_now or session.created_at + p_timebox < p_now then
      outcome := 'expired';
      return;
    elsif coalesce(session.refreshed_at at time zone 'utc', greatest(spent.updated_at, session.created_at)) + p_inactivity < p_now then
      outcome := 'inactive';
      return;
    elsif session.aal = 'aal1' and session.created_at + p_low_aal < p_now
      and exists (select from auth.mfa_factors f where f.user_id = session.user_id and f.status = 'verified') then
      outcome := 'low_aal';
      return;
    elsif p_single and exists (
      select from auth.sessions n
      where n.user_id = session.user_id and n.oauth_client_id is not distinct from session.oauth_client_id
        and (n.created_at, n.id) > (session.created_at, session.id)
        and (case when n.tag = any (p_tags) then n.tag else p_tags[1] end)
          is not distinct from (case when session.tag = any (p_tags) then session.tag else p_tags[1] end)) then
      outcome := 'superseded';
      return;
    end if;

    if spent.revoked then
      select * into active from auth.refresh_tokens t
      where t.session_id = session.id and not t.revoked order by t.id desc limit 1;
      if active.parent = spent.token then
        token := active.token;
      elsif spent.updated_at + p_reuse < p_now then
        if p_rotation then
          update auth.refresh_tokens t set revoked = true, updated_at = p_now
          where t.session_id = session.id and not t.revoked;
        end if;
        outcome := 'already_used';
        return;
      end if;
    end if;

    if token is null then
      update auth.refresh_tokens t set revoked = true, updated_at = p_now where t.id = spent.id and not t.revoked;
      insert into auth.refresh_tokens (instance_id, token, user_id, revoked, created_at, updated_at, parent, session_id)
      values ('00000000-0000-0000-0000-000000000000', p_successor, session.user_id::text, false, p_now, p_now, spent.token, session.id);
      token := p_successor;
      refreshed := true;
    end if;
    update auth.sessions s
    set refreshed_at = p_now at time zone 'utc', updated_at = p_now, user_agent = p_user_agent, ip = p_ip
    where s.id = session.id;

    if p_audit then
      insert into auth.audit_log_entries (instance_id, id, payload, created_at, ip_address)
      select '00000000-0000-0000-0000-000000000000', gen_random_uuid(), json_strip_nulls(json_build_object(
        'action', event.action, 'actor_id', session.user_id, 'actor_name', owner.name,
        'actor_username', coalesce(nullif(owner.phone, ''), owner.email, ''),
        'actor_via_sso', owner.is_sso_user, 'log_type', 'token')), p_now, coalesce(host(p_ip), '')
      from unnest(case when refreshed then array['token_refreshed', 'token_revoked'] else array['token_refreshed'] end) event (action);
    end if;
    outcome := 'ok';
  end
  $$;
revoke execute on function auth.refresh_session(
  text, text, timestamptz, interval, boolean, interval, interval, interval, boolean, text[], text, inet, boolean) from public;

reset role;
-- Nobody reads the API's limits or mails but the auth server.
revoke all on auth.rate_limits, auth.mail_queue from anon, authenticated, service_role;
