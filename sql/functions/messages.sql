-- A message goes between a user and a business's owner (S-31). A customer's goes to
-- the owner; the owner may answer whoever has written about that business.
create or replace function private.before_message() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    owner uuid := (select b.owner_id from public.businesses b where b.id = new.business_id);
  begin
    new.content := btrim(new.content);
    if not private.is_client() then
      return new;
    end if;
    perform private.require_user();
    if owner is null then
      perform private.fail(422, 'business_without_owner', 'Nobody answers messages for this business yet');
    elsif auth.uid() <> owner then
      new.recipient_id := owner;
    elsif new.recipient_id is null or not exists (
      select from public.messages m
      where m.business_id = new.business_id and m.sender_id = new.recipient_id and m.recipient_id = owner
    ) then
      perform private.fail(403, 'no_conversation', 'You can answer customers who have written to you');
    end if;
    perform private.lock('requests.' || auth.uid());
    if (select count(*) from public.messages m
        where m.sender_id = auth.uid() and m.created_at > now() - interval '1 minute') >= 20 then
      perform private.fail(429, 'too_many_messages', 'Too many messages. Please wait a minute.');
    elsif (select count(*) from public.messages m
        where m.sender_id = auth.uid() and m.created_at > now() - interval '1 day') >= 500 then
      perform private.fail(429, 'too_many_messages', 'Too many messages. Please wait until tomorrow.');
    end if;
    return new;
  end
  $$;
create or replace trigger write before insert on public.messages
  for each row execute function private.before_message();

-- The caller's conversations, the latest first, each with its last message.
create or replace function public.conversations()
  returns table (business_id uuid, business_name text, business_image_url text, other_id uuid, other_name text,
    other_avatar_url text, last_content text, last_sent_by_me boolean, last_at timestamptz, unread bigint)
  language sql stable security definer
  set search_path = ''
  as $$
    select b.id, b.name, b.image_url, p.id, p.full_name, p.avatar_url,
      m.content, m.sender_id = me.id, m.created_at, m.unread
    from (select auth.uid() as id) me
    cross join lateral (
      select distinct on (x.business_id, other.id) x.business_id, other.id as other_id, x.content, x.sender_id, x.created_at,
        count(*) filter (where x.recipient_id = me.id and not x.read) over (partition by x.business_id, other.id) as unread
      from public.messages x
      cross join lateral (select case when x.sender_id = me.id then x.recipient_id else x.sender_id end as id) other
      where x.sender_id = me.id or x.recipient_id = me.id
      order by x.business_id, other.id, x.created_at desc
    ) m
    join public.businesses b on b.id = m.business_id
    left join public.profiles p on p.id = m.other_id
    order by m.created_at desc
  $$;
revoke execute on function public.conversations() from public, anon;
