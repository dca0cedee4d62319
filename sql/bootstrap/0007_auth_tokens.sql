-- What our auth server keeps beyond upstream's columns, and the one call by
-- which a session is refreshed.
set local role supabase_auth_admin;

alter table auth.one_time_tokens
  add column attempts smallint not null default 0,
  add column link_hash text;
create unique index one_time_tokens_link_hash_key on auth.one_time_tokens (link_hash);
comment on column auth.one_time_tokens.attempts is 'Wrong codes typed so far; too many of them end the token.';
comment on column auth.one_time_tokens.link_hash is
  'SHA-224 of the secret in the mailed link. It is independent of the code, so a link cannot be guessed from the few digits of one.';

-- Spends a refresh token and gives its successor, with upstream's rules: the
-- session's row is locked, so that tabs which refresh at once wait for each
-- other; a spent token is accepted again where it is the parent of the active
-- one (the answer got lost) or was spent within the reuse interval; otherwise
-- the whole family is revoked. The clock is the server's.
--
-- outcome: ok, not_found, no_session, banned, expired, inactive, already_used.
create function auth.refresh_session(
    p_token text, p_successor text, p_now timestamptz, p_reuse interval, p_rotation boolean,
    p_timebox interval, p_inactivity interval, p_user_agent text, p_ip inet, p_audit boolean,
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
  text, text, timestamptz, interval, boolean, interval, interval, text, inet, boolean) from public;

reset role;
