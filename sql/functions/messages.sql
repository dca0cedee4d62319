-- Returns the conversation of a customer with an owner about a business, and creates it if there is none.
create or replace function private.conversation_of(p_business_id uuid, p_customer_id uuid, p_owner_id uuid, p_at timestamptz) returns public.conversations
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    conversation public.conversations;
  begin
    insert into public.conversations as c (business_id, customer_id, owner_id, last_at, created_at)
    values (p_business_id, p_customer_id, p_owner_id, p_at, p_at)
    on conflict on constraint conversations_parties_key do update set last_at = greatest(c.last_at, excluded.last_at)
    returning * into conversation;
    return conversation;
  end
  $$;
revoke execute on function private.conversation_of(uuid, uuid, uuid, timestamptz) from public, anon, authenticated;

-- Checks a message between a user and a business's owner (S-31). A customer's message goes to the owner; the owner may
-- reply to anybody who has written about that business.
create or replace function private.before_message() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    owner uuid := (select b.owner_id from public.businesses b where b.id = new.business_id);
    conversation public.conversations;
  begin
    new.content := btrim(new.content);
    if private.is_client() then
      perform private.require_user();
      if owner is null then
        perform private.fail(422, 'business_without_owner', 'Nobody answers messages for this business yet');
      elsif auth.uid() <> owner then
        new.recipient_id := owner;
      elsif not exists (
        select from public.conversations c
        where c.business_id = new.business_id and c.customer_id = new.recipient_id and c.owner_id = owner
      ) then
        perform private.fail(403, 'no_conversation', 'You can answer customers who have written to you');
      end if;
      perform private.lock('requests.' || auth.uid());
      perform private.check_message_rate(auth.uid());
      perform private.check_attachments(new.attachments);
      if new.attachments <> '{}' then
        perform private.remove_unsent_photos(auth.uid(), new.attachments);
      end if;
    end if;
    conversation := private.conversation_of(new.business_id,
      case when new.sender_id = owner then new.recipient_id else new.sender_id end,
      case when new.sender_id = owner then new.sender_id else new.recipient_id end,
      new.created_at);
    if private.is_client() and (conversation.blocked_by_customer or conversation.blocked_by_owner) then
      perform private.fail(403, 'conversation_blocked', 'No messages can be sent in this conversation');
    end if;
    new.conversation_id := conversation.id;
    return new;
  end
  $$;
create or replace trigger write before insert on public.messages
  for each row execute function private.before_message();

create or replace function private.check_message_rate(p_user_id uuid) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    if (select count(*) from public.messages m
        where m.sender_id = p_user_id and m.created_at > now() - interval '1 minute') >= 20 then
      perform private.fail(429, 'too_many_messages', 'Too many messages. Please wait a minute.');
    elsif (select count(*) from public.messages m
        where m.sender_id = p_user_id and m.created_at > now() - interval '1 day') >= 500 then
      perform private.fail(429, 'too_many_messages', 'Too many messages. Please wait until tomorrow.');
    end if;
  end
  $$;
revoke execute on function private.check_message_rate(uuid) from public, anon, authenticated;

-- Checks that attachments are the sender's own files. The recipient may see them.
create or replace function private.check_attachments(names text[]) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    if exists (
      select from unnest(names) as wanted (object_name)
      where not exists (select from storage.objects o
        where o.bucket_id = 'message-photos' and o.name = wanted.object_name and o.owner_id = auth.uid()::text)
    ) then
      perform private.fail(422, 'attachment_not_found', 'A photo of this message does not exist', 'Upload the photo again.');
    end if;
  end
  $$;
revoke execute on function private.check_attachments(text[]) from public, anon, authenticated;

-- Whether a message has a photo.
create or replace function private.is_sent_photo(object_name text) returns boolean
  language sql stable security definer
  set search_path = ''
  as $$
    select exists (select from public.messages m where m.attachments @> array[object_name] and m.attachments <> '{}')
  $$;

-- Deletes a user's photos that were stored more than a day ago and are in no message, also not in the one that has p_names.
create or replace function private.remove_unsent_photos(p_user_id uuid, p_names text[]) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    allowed constant text := private.allow_object_deletes('true');
  begin
    delete from storage.objects o
    where o.bucket_id = 'message-photos' and o.created_at < now() - interval '1 day'
      and o.name collate "C" > concat(p_user_id, '/') and o.name collate "C" < concat(p_user_id, '/', chr(1114111))
      and o.name <> all (p_names) and not private.is_sent_photo(o.name);
    perform private.allow_object_deletes(allowed);
  end
  $$;
revoke execute on function private.remove_unsent_photos(uuid, text[]) from public, anon, authenticated;

-- The caller's conversations, each with its other party, its last message and the caller's unread count.
create or replace function public.my_conversations()
  returns table (id uuid, business_id uuid, business_name text, business_image_url text, business_category text,
    is_owner boolean, other_id uuid, other_name text, other_avatar_url text,
    last_content text, last_has_photos boolean, last_sent_by_me boolean, last_at timestamptz, unread bigint,
    blocked_by_me boolean, is_open boolean)
  language sql stable security definer
  set search_path = ''
  as $$
    select c.id, b.id, b.name, b.image_url, coalesce(b.category_code, b.type),
      c.is_owner, p.id, p.full_name, p.avatar_url,
      m.content, cardinality(m.attachments) > 0, m.sender_id = c.me, c.last_at,
      (select count(*) from public.messages u where u.conversation_id = c.id and u.recipient_id = c.me and not u.read),
      case when c.is_owner then c.blocked_by_owner else c.blocked_by_customer end,
      not c.blocked_by_owner and not c.blocked_by_customer and p.id is not null and b.owner_id is not distinct from c.owner_id
    from (
      select k.*, false as is_owner, k.owner_id as other_id, k.customer_id as me from public.conversations k where k.customer_id = (select auth.uid())
      union all
      select k.*, true, k.customer_id, k.owner_id from public.conversations k where k.owner_id = (select auth.uid())
    ) c
    left join public.businesses b on b.id = c.business_id
    left join private.profiles p on p.id = c.other_id
    left join lateral (
      select x.content, x.attachments, x.sender_id from public.messages x
      where x.conversation_id = c.id order by x.created_at desc, x.id limit 1) m on true
  $$;
revoke execute on function public.my_conversations() from public, anon;

-- Marks the caller's received messages of a conversation as read, and their notifications.
create or replace function public.mark_conversation_read(p_conversation_id uuid) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    perform private.require_user();
    update public.messages m set read = true
    where m.conversation_id = p_conversation_id and m.recipient_id = auth.uid() and not m.read;
    update public.notifications n set read = true
    where n.user_id = auth.uid() and not n.read and n.link = '/messages?conversation=' || p_conversation_id;
  end
  $$;
revoke execute on function public.mark_conversation_read(uuid) from public, anon;

-- Blocks a conversation for new messages in both directions, until the caller unblocks it.
create or replace function public.block_conversation(p_conversation_id uuid, p_blocked boolean) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    perform private.require_user();
    update public.conversations c
    set blocked_by_customer = case when c.customer_id = auth.uid() then coalesce(p_blocked, true) else c.blocked_by_customer end,
      blocked_by_owner = case when c.owner_id = auth.uid() then coalesce(p_blocked, true) else c.blocked_by_owner end
    where c.id = p_conversation_id and auth.uid() in (c.customer_id, c.owner_id);
    if not found then
      perform private.fail(404, 'conversation_not_found', 'This conversation does not exist');
    end if;
  end
  $$;
revoke execute on function public.block_conversation(uuid, boolean) from public, anon;
