-- Codes that prove a claim (ADMIN-CLAIM-11). A code is sent where only the business can read it: to a mailbox at the
-- domain of its published website, or to its published telephone number. functions/claims sends it.

-- Whether anybody can get a mailbox or a page at this host, so that it proves nothing.
create or replace function private.is_shared_host(host text) returns boolean
  language sql immutable
  set search_path = ''
  as $$
    select exists (
      select from unnest(array[
        'gmail.com', 'googlemail.com', 'google.com', 'outlook.com', 'outlook.es', 'hotmail.com', 'hotmail.es', 'live.com',
        'msn.com', 'yahoo.com', 'yahoo.es', 'ymail.com', 'icloud.com', 'me.com', 'aol.com', 'proton.me', 'protonmail.com',
        'gmx.com', 'gmx.es', 'gmx.net', 'mail.com', 'zoho.com', 'yandex.com', 'telefonica.net', 'andorra.ad',
        'facebook.com', 'fb.com', 'instagram.com', 'twitter.com', 'x.com', 'tiktok.com', 'youtube.com', 'linkedin.com',
        'whatsapp.com', 'wa.me', 't.me', 'linktr.ee', 'tripadvisor.com', 'tripadvisor.es', 'booking.com', 'booksy.com',
        'fresha.com', 'treatwell.es', 'business.site', 'wordpress.com', 'blogspot.com', 'wixsite.com', 'wix.com',
        'squarespace.com', 'weebly.com', 'webnode.es', 'jimdosite.com', 'godaddysites.com', 'myshopify.com', 'github.io',
        'netlify.app', 'vercel.app', 'pages.dev', 'web.app', 'firebaseapp.com', 'herokuapp.com', 'notion.site'
      ]) as shared
      where host = shared or host like '%.' || shared)
  $$;

-- Returns the host of a website, without www.
create or replace function private.website_host(website text) returns text
  language sql immutable
  set search_path = ''
  as $$
    select regexp_replace(substring(lower(website) from '^https?://([^/?#:]+)'), '^www\.|\.$', '', 'g')
  $$;

-- Returns where the code of a claim is sent, and a masked form to display; or else why it cannot be sent.
create or replace function private.claim_code_target(claim public.claim_requests)
  returns table (address text, shown text, problem text)
  language plpgsql stable security definer
  set search_path = ''
  as $$
  declare
    business public.businesses;
    domain constant text := lower(split_part(claim.business_email, '@', 2));
    host text;
  begin
    select * into business from public.businesses b where b.id = claim.business_id;
    host := private.website_host(business.website);
    problem := case
      when claim.verification_method = 'email_domain' then case
        when host is null then 'claim_no_website'
        when private.is_shared_host(host) then 'claim_shared_host'
        when domain <> host then 'claim_other_domain' end
      when claim.verification_method = 'phone_verification' then case
        -- Without the country, nobody can say whose number it is.
        when business.phone is null or business.phone not like '+%' then 'claim_no_phone' end
      else 'claim_no_code' end;
    if problem is null and claim.verification_method = 'email_domain' then
      address := claim.business_email;
      shown := '…@' || domain;
    elsif problem is null then
      address := regexp_replace(business.phone, '\D', '', 'g');
      shown := coalesce(substring(business.phone from '^\+\d{1,3}(?=\D)'), '+') || ' …' || right(address, 2);
    end if;
    return next;
  end
  $$;
revoke execute on function private.claim_code_target(public.claim_requests) from public, anon, authenticated;

-- Returns a user's own undecided claim, locked until the transaction ends.
create or replace function private.open_claim(p_claim_id uuid, p_user_id uuid) returns public.claim_requests
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    claim public.claim_requests;
  begin
    select * into claim from public.claim_requests c
    where c.id = p_claim_id and c.user_id = p_user_id and c.status = 'pending'
    for update;
    if claim.id is null then
      perform private.fail(404, 'claim_not_found', 'You have no such claim that is still open');
    elsif claim.verified_at is not null then
      perform private.fail(409, 'claim_verified', 'This claim is proved already');
    end if;
    return claim;
  end
  $$;
revoke execute on function private.open_claim(uuid, uuid) from public, anon, authenticated;

-- Allows at most 3 codes of a claim in an hour, 5 of a business and 10 of a user in a day. The locks are always taken
-- in this order.
create or replace function private.check_claim_code_room(claim public.claim_requests) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    of_claim bigint;
    of_business bigint;
    of_user bigint;
  begin
    perform private.lock('claim-codes.user.' || claim.user_id);
    perform private.lock('claim-codes.business.' || claim.business_id);
    select count(*) filter (where k.claim_id = claim.id and k.created_at > now() - interval '1 hour'),
      count(*) filter (where c.business_id = claim.business_id), count(*) filter (where c.user_id = claim.user_id)
    into of_claim, of_business, of_user
    from private.claim_codes k join public.claim_requests c on c.id = k.claim_id
    where k.created_at > now() - interval '1 day' and (c.business_id = claim.business_id or c.user_id = claim.user_id);
    if of_business >= 5 or of_user >= 10 then
      perform private.fail(429, 'too_many_codes_today', 'Too many codes were sent today', 'Try again tomorrow.');
    elsif of_claim >= 3 then
      perform private.fail(429, 'too_many_codes', 'Three codes were sent in the last hour', 'Try again later.');
    end if;
  end
  $$;
revoke execute on function private.check_claim_code_room(public.claim_requests) from public, anon, authenticated;

-- Creates a code for the caller to send. It replaces all earlier codes of the claim.
create or replace function private.make_claim_code(p_claim_id uuid, p_user_id uuid, p_can_text boolean)
  returns table (code_id uuid, code_method text, code_to text, code text, business_name text)
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    claim public.claim_requests := private.open_claim(p_claim_id, p_user_id);
    target record;
    new_salt constant bytea := uuid_send(gen_random_uuid());
  begin
    select b.name into business_name from public.businesses b where b.id = claim.business_id and b.owner_id is null;
    select * into target from private.claim_code_target(claim);
    if business_name is null then
      perform private.fail(409, 'business_has_owner', 'This business already has an owner');
    elsif target.problem is not null then
      perform private.fail(422, target.problem, 'A code of this claim cannot be sent');
    elsif claim.verification_method = 'phone_verification' and not p_can_text then
      perform private.fail(503, 'claim_texts_off', 'Text messages are not sent here');
    end if;
    perform private.check_claim_code_room(claim);
    delete from private.claim_codes k where k.created_at < now() - interval '1 day';

    -- 32 random bits of a version 4 identity.
    code := lpad((('x' || left(gen_random_uuid()::text, 8))::bit(32)::bigint % 1000000)::text, 6, '0');
    code_method := claim.verification_method;
    code_to := target.address;
    insert into private.claim_codes (claim_id, method, sent_to, salt, code_hash, expires_at)
    values (claim.id, code_method, code_to, new_salt, sha256(new_salt || convert_to(code, 'UTF8')), clock_timestamp() + interval '15 minutes')
    returning id into code_id;
    return next;
  end
  $$;
revoke execute on function private.make_claim_code(uuid, uuid, boolean) from public, anon, authenticated;
grant execute on function private.make_claim_code(uuid, uuid, boolean) to service_role;

-- Withdraws a code that could not be sent, so that it does not count.
create or replace function private.withdraw_claim_code(p_code_id uuid) returns boolean
  language sql security definer
  set search_path = ''
  as $$
    delete from private.claim_codes k where k.id = p_code_id returning true
  $$;
revoke execute on function private.withdraw_claim_code(uuid) from public, anon, authenticated;
grant execute on function private.withdraw_claim_code(uuid) to service_role;

-- Verifies the newest code of a claim. A wrong code returns a result instead of failing, which would roll back the
-- count of attempts.
create or replace function private.check_claim_code(p_claim_id uuid, p_user_id uuid, p_code text)
  returns table (is_right boolean, tries_left integer)
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    claim public.claim_requests := private.open_claim(p_claim_id, p_user_id);
    newest private.claim_codes;
  begin
    select * into newest from private.claim_codes k where k.claim_id = claim.id order by k.created_at desc limit 1;
    if newest.id is null then
      perform private.fail(409, 'code_not_sent', 'Ask for a code first');
    elsif newest.expires_at <= now()
        -- The website or the telephone number was changed meanwhile.
        or newest.sent_to is distinct from (select t.address from private.claim_code_target(claim) t) then
      perform private.fail(410, 'code_expired', 'This code is no longer valid', 'Ask for another one.');
    elsif newest.tries >= 5 then
      perform private.fail(429, 'code_spent', 'This code was tried five times', 'Ask for another one.');
    end if;
    update private.claim_codes k set tries = k.tries + 1 where k.id = newest.id returning 5 - k.tries into tries_left;
    -- How long it takes to compare tells something of the hash, at most, and nothing of the code: its salt is secret.
    is_right := sha256(newest.salt || convert_to(p_code, 'UTF8')) = newest.code_hash;
    if is_right then
      update public.claim_requests c set verified_at = now(), verified_by = newest.method where c.id = claim.id;
      perform private.notify(claim.user_id, 'other', 'Your claim is proved',
        'The code was right. You will be told when your claim is decided.', '/business/' || claim.business_id);
    end if;
    return next;
  end
  $$;
revoke execute on function private.check_claim_code(uuid, uuid, text) from public, anon, authenticated;
grant execute on function private.check_claim_code(uuid, uuid, text) to service_role;

-- Returns the state of the code for the caller's own claim. Times are seconds from now, since a browser's clock may be
-- wrong.
create or replace function public.claim_code_state(p_claim_id uuid)
  returns table (sent_to text, problem text, seconds_left integer, tries_left integer, resend_in integer)
  language sql stable security definer
  set search_path = ''
  as $$
    select target.shown, target.problem,
      case when newest.id is not null then greatest(0, ceil(extract(epoch from newest.expires_at - now())))::integer end,
      5 - newest.tries,
      greatest(0, ceil(extract(epoch from newest.created_at + interval '1 minute' - now())))::integer
    from public.claim_requests c
    cross join private.claim_code_target(c) target
    left join lateral (
      select * from private.claim_codes k
      where k.claim_id = c.id and k.sent_to = target.address
      order by k.created_at desc limit 1) newest on true
    where c.id = p_claim_id and c.user_id = (select auth.uid()) and c.status = 'pending'
  $$;
comment on function public.claim_code_state(uuid) is
  'Where the code of one''s own open claim goes, masked, or why it cannot be sent; seconds_left and tries_left are null before the first code.';
revoke execute on function public.claim_code_state(uuid) from public, anon;
