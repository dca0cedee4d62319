-- The only function that writes notifications (S-30). The newest 1,000 of a user are kept.
create or replace function private.notify(p_user_id uuid, p_type text, p_title text, p_content text, p_link text) returns void
  language sql security definer
  set search_path = ''
  as $$
    -- What another transaction deletes at the same time is left to it.
    delete from public.notifications n
    where n.id in (
      select past.id from public.notifications past
      where past.user_id = p_user_id
      order by past.created_at desc offset 999
      for update skip locked);
    insert into public.notifications (user_id, type, title, content, link)
    select p_user_id, p_type, left(p_title, 120), left(p_content, 500), p_link
    where p_user_id is not null and not private.is_seeding()
  $$;
revoke execute on function private.notify(uuid, text, text, text, text) from public, anon, authenticated;

-- The link with which an owner answers a booking.
create or replace function private.owner_booking_link(booking public.bookings) returns text
  language sql immutable
  set search_path = ''
  as $$
    select '/business/' || booking.business_id || '/bookings?booking=' || booking.id
  $$;

create or replace function private.booking_words(booking public.bookings) returns text
  language sql stable
  set search_path = ''
  as $$
    select format('%s: %s', booking.service_name, private.short_time(booking.booking_date, booking.start_time))
  $$;

create or replace function private.after_booking() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    owner uuid := (select b.owner_id from public.businesses b where b.id = new.business_id);
    at_time text := private.booking_words(new);
    with_reason text := private.booking_words(new) || coalesce('. Reason: ' || new.cancel_reason, '');
    to_desk text := private.owner_booking_link(new);
    past constant text := '/bookings?view=past';
  begin
    if tg_op = 'INSERT' then
      if new.source = 'online' then
        perform private.notify(owner, 'booking', 'New booking for ' || new.business_name, at_time, to_desk);
      end if;
    elsif new.status = 'confirmed' then
      perform private.notify(new.user_id, 'booking', new.business_name || ' confirmed your booking', at_time, '/bookings');
    elsif new.status = 'completed' then
      perform private.notify(new.user_id, 'review', 'How was ' || new.business_name || '?',
        'Your visit is complete. Write a review.', '/bookings?view=past&review=' || new.business_id);
    elsif new.status = 'cancelled' and new.cancel_kind = 'customer' then
      perform private.notify(owner, 'booking', 'A booking was cancelled', new.business_name || ': ' || with_reason, to_desk);
    elsif new.status = 'cancelled' and new.cancel_kind = 'expired' then
      perform private.notify(owner, 'booking', 'A booking request expired', new.business_name || ': ' || at_time, to_desk);
      perform private.notify(new.user_id, 'booking', new.business_name || ' did not answer in time',
        'Your request has expired: ' || at_time, past);
    elsif new.status = 'cancelled' and new.cancel_kind = 'declined' then
      perform private.notify(new.user_id, 'booking', new.business_name || ' declined your booking', with_reason, past);
    elsif new.status = 'cancelled' and new.cancel_kind = 'no_show' then
      perform private.notify(new.user_id, 'booking', new.business_name || ' missed you', 'You did not come: ' || at_time, past);
    elsif new.status = 'cancelled' then
      perform private.notify(new.user_id, 'booking', new.business_name || ' cancelled your booking', with_reason, past);
    end if;
    return null;
  end
  $$;
create or replace trigger notify_made after insert on public.bookings
  for each row execute function private.after_booking();
create or replace trigger notify_status after update of status on public.bookings
  for each row when (old.status is distinct from new.status) execute function private.after_booking();

create or replace function private.after_review() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    perform private.notify(b.owner_id, 'review', 'New review for ' || b.name,
      new.rating || ' of 5' || coalesce(': ' || new.comment, ''), '/business/' || b.id || '#reviews')
    from public.businesses b where b.id = new.business_id;
    return null;
  end
  $$;
create or replace trigger notify_made after insert on public.reviews
  for each row execute function private.after_review();

create or replace function private.after_review_response() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    perform private.notify(r.user_id, 'review', b.name || ' answered your review', new.content, '/business/' || b.id)
    from public.reviews r join public.businesses b on b.id = r.business_id
    where r.id = new.review_id;
    return null;
  end
  $$;
create or replace trigger notify_made after insert on public.review_responses
  for each row execute function private.after_review_response();

-- The recipient is notified once per conversation with unread messages.
create or replace function private.after_message() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    target constant text := '/messages?conversation=' || new.conversation_id;
    preview constant text := left(coalesce(nullif(new.content, ''), 'A photo'), 500);
  begin
    if private.is_seeding() then
      return null;
    end if;
    update public.notifications n set content = preview, created_at = now()
    where n.user_id = new.recipient_id and n.link = target and not n.read;
    if not found then
      perform private.notify(new.recipient_id, 'message', 'New message about ' || b.name, preview, target)
      from public.businesses b where b.id = new.business_id;
    end if;
    return null;
  end
  $$;
create or replace trigger notify_made after insert on public.messages
  for each row execute function private.after_message();
