-- The queue of notification mails. A mail is queued in the transaction of the change that it reports, and sent by
-- functions/notices:
--
--   waiting → sending            claim_mail, committed before the mail is passed to the relay
--   sending → sent, failed       the relay accepted it, or refused it permanently
--   sending → waiting            it was certainly not sent; retried later
--   sending → uncertain          unknown: the server or the connection died. It is never sent again
--   waiting → expired, unwanted  too late, or no longer wanted, when it is due

-- Whether a user can receive mails, and wants mails of a kind.
create or replace function private.takes_mail(p_user_id uuid, p_kind text) returns boolean
  language sql stable security definer
  set search_path = ''
  as $$
    select exists (
      select from auth.users u
      where u.id = p_user_id and u.email <> '' and u.email_confirmed_at is not null and u.deleted_at is null
        and (u.banned_until is null or u.banned_until <= now())
    ) and not exists (
      select from public.notification_settings s where s.user_id = p_user_id and s.kind = p_kind and not s.by_mail)
  $$;
revoke execute on function private.takes_mail(uuid, text) from public, anon, authenticated;

-- Queues a mail; an event that was queued before is ignored. Nobody gets a mail about their own action. Whether a later
-- mail is wanted is checked when it is due.
create or replace function private.queue_mail(p_event text, p_user_id uuid, p_kind text, p_subject text, p_content text,
  p_action text, p_link text, p_booking_id uuid default null, p_message_id uuid default null, p_due_at timestamptz default now())
  returns void
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    most_a_day constant integer := 200;
    most_of_a_booking constant integer := 20;
    -- How late it may be.
    valid constant interval := case p_kind when 'booking_reminder' then '3 hours' when 'message_unread' then '12 hours' else '1 day' end;
  begin
    if p_user_id is null or private.is_seeding() then
      return;
    elsif p_due_at <= now() and (p_user_id = auth.uid() or not private.takes_mail(p_user_id, p_kind)) then
      return;
    -- Counted without a lock, as two who act at once may well go one beyond.
    elsif (select count(*) from private.mail_outbox m where m.user_id = p_user_id and m.created_at > now() - interval '1 day') >= most_a_day
      or (select count(*) from private.mail_outbox m where m.booking_id = p_booking_id) >= most_of_a_booking then
      return;
    end if;
    insert into private.mail_outbox (event, user_id, kind, booking_id, message_id, subject, content, action, link, due_at, expires_at)
    values (p_event, p_user_id, p_kind, p_booking_id, p_message_id,
      left(regexp_replace(p_subject, '[[:cntrl:]]+', ' ', 'g'), 200), left(p_content, 2000), p_action, p_link, p_due_at, p_due_at + valid)
    on conflict (event) do nothing;
  end
  $$;
revoke execute on function private.queue_mail(text, uuid, text, text, text, text, text, uuid, uuid, timestamptz) from public, anon, authenticated;

-- Whether a due mail is still accurate.
create or replace function private.is_mail_wanted(mail private.mail_outbox) returns boolean
  language sql stable security definer
  set search_path = ''
  as $$
    select private.takes_mail(mail.user_id, mail.kind) and case mail.kind
      when 'booking_reminder' then exists (
        select from public.bookings b where b.id = mail.booking_id and b.status = 'confirmed' and not private.has_started(b))
      when 'message_unread' then exists (
        select from public.messages m join public.conversations c on c.id = m.conversation_id
        where m.id = mail.message_id and not m.read and not c.blocked_by_customer and not c.blocked_by_owner)
      when 'review_asked' then exists (
        select from public.bookings b
        where b.id = mail.booking_id and b.status = 'completed'
          and not exists (select from public.reviews r where r.user_id = b.user_id and r.business_id = b.business_id))
      else true end
  $$;
revoke execute on function private.is_mail_wanted(private.mail_outbox) from public, anon, authenticated;

-- Claims the mail that has been due longest, for the caller to send; no row if there is none. Concurrent servers get
-- different ones. The attempt counts from here, whatever happens to the caller.
drop function if exists private.claim_mail();
create function private.claim_mail()
  returns table (mail_id uuid, recipient uuid, address text, mail_kind text, mail_subject text, mail_content text, mail_action text, mail_link text,
    mail_language text)
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    mail private.mail_outbox;
    verdict text;
  begin
    -- Those that are not sent any more are passed over, a bounded number at a time.
    for passed in 1 .. 100 loop
      select * into mail from private.mail_outbox m
      where m.state = 'waiting' and m.due_at <= now()
      order by m.due_at
      limit 1
      for update skip locked;
      if mail.id is null then
        return;
      end if;
      verdict := case when mail.expires_at <= now() then 'expired' when not private.is_mail_wanted(mail) then 'unwanted' else 'sending' end;
      update private.mail_outbox m
      set state = verdict, changed_at = now(), tries = m.tries + case when verdict = 'sending' then 1 else 0 end
      where m.id = mail.id;
      if verdict = 'sending' then
        return query select mail.id, mail.user_id, u.email::text, mail.kind, mail.subject, mail.content, mail.action, mail.link, private.mail_language(mail.user_id)
          from auth.users u where u.id = mail.user_id;
        return;
      end if;
    end loop;
  end
  $$;
revoke execute on function private.claim_mail() from public, anon, authenticated;
grant execute on function private.claim_mail() to service_role;

-- Records the result of a claimed mail: sent, failed, uncertain, or waiting for a retry. Returns its resulting state:
-- after too many attempts, or if it would be late, it has failed. A late result from a server is accepted, as no other
-- server has sent the mail meanwhile.
create or replace function private.finish_mail(p_id uuid, p_outcome text, p_error text default null) returns text
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    most_tries constant integer := 8;
    mail private.mail_outbox;
    next_try timestamptz;
    outcome text := p_outcome;
  begin
    select * into mail from private.mail_outbox m where m.id = p_id and m.state in ('sending', 'uncertain') for update;
    if mail.id is null then
      return null; -- its user has gone
    end if;
    next_try := now() + least(interval '1 minute' * power(4, mail.tries - 1), interval '1 hour');
    if outcome = 'waiting' and (mail.tries >= most_tries or next_try >= mail.expires_at) then
      outcome := 'failed';
    end if;
    update private.mail_outbox m
    set state = outcome, changed_at = now(), last_error = left(p_error, 500),
      due_at = case when outcome = 'waiting' then next_try else m.due_at end
    where m.id = mail.id;
    return outcome;
  end
  $$;
revoke execute on function private.finish_mail(uuid, text, text) from public, anon, authenticated;
grant execute on function private.finish_mail(uuid, text, text) to service_role;

-- Marks mails as uncertain whose sender died: an attempt takes seconds. Deletes some that were finished long ago; until
-- then they prevent their events from being reported again. Returns how many became uncertain.
create or replace function private.sweep_mails() returns integer
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    lost integer;
  begin
    update private.mail_outbox m set state = 'uncertain', changed_at = now()
    where m.state = 'sending' and m.changed_at < now() - interval '10 minutes';
    get diagnostics lost = row_count;
    delete from private.mail_outbox m where m.id in (
      select done.id from private.mail_outbox done
      where done.state not in ('waiting', 'sending') and done.changed_at < now() - interval '90 days'
      order by done.changed_at limit 1000 for update skip locked);
    return lost;
  end
  $$;
revoke execute on function private.sweep_mails() from public, anon, authenticated;
grant execute on function private.sweep_mails() to service_role;

-- Turns off mails of a kind for the owner of an unsubscribe link, which functions/notices has verified.
create or replace function private.unsubscribe(p_user_id uuid, p_kind text) returns void
  language sql security definer
  set search_path = ''
  as $$
    insert into public.notification_settings (user_id, kind, by_mail)
    select p.id, p_kind, false from private.profiles p where p.id = p_user_id
    on conflict (user_id, kind) do update set by_mail = false
  $$;
revoke execute on function private.unsubscribe(uuid, text) from public, anon, authenticated;
grant execute on function private.unsubscribe(uuid, text) to service_role;
