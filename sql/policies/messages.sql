alter table public.messages enable row level security;
revoke all on public.messages from anon, authenticated;
grant select, insert (sender_id, recipient_id, business_id, content, attachments), update (read) on public.messages to authenticated;

drop policy if exists messages_select_party on public.messages;
create policy messages_select_party on public.messages
  for select to authenticated using (sender_id = (select auth.uid()) or recipient_id = (select auth.uid()));
drop policy if exists messages_insert_sender on public.messages;
create policy messages_insert_sender on public.messages
  for insert to authenticated with check (sender_id = (select auth.uid()));
drop policy if exists messages_update_recipient on public.messages;
create policy messages_update_recipient on public.messages
  for update to authenticated
  using (recipient_id = (select auth.uid())) with check (recipient_id = (select auth.uid()));

-- Both parties can read a conversation; messages create it and functions change it.
alter table public.conversations enable row level security;
revoke all on public.conversations from anon, authenticated;
grant select (id, business_id, customer_id, owner_id, last_at, created_at) on public.conversations to authenticated;

drop policy if exists conversations_select_party on public.conversations;
create policy conversations_select_party on public.conversations
  for select to authenticated using (customer_id = (select auth.uid()) or owner_id = (select auth.uid()));

-- Photos of messages are stored at {userId}/{file}. The sender and recipients of a message with a photo can read it.
create or replace function private.sees_message_photo(object_name text) returns boolean
  language sql stable security definer
  set search_path = ''
  as $$
    select exists (select from public.messages m
      where m.attachments @> array[object_name] and m.attachments <> '{}' and (select auth.uid()) in (m.sender_id, m.recipient_id))
  $$;

drop policy if exists message_photos_objects_select on storage.objects;
create policy message_photos_objects_select on storage.objects
  for select to authenticated
  using (bucket_id = 'message-photos' and (owner_id = (select auth.uid())::text or private.sees_message_photo(name)));
drop policy if exists message_photos_objects_insert on storage.objects;
create policy message_photos_objects_insert on storage.objects
  for insert to authenticated
  with check (bucket_id = 'message-photos' and storage.foldername(name) = array[(select auth.uid())::text]
    and lower(storage.extension(name)) in ('jpg', 'jpeg', 'png', 'webp'));
drop policy if exists message_photos_objects_delete on storage.objects;
create policy message_photos_objects_delete on storage.objects
  for delete to authenticated
  using (bucket_id = 'message-photos' and owner_id = (select auth.uid())::text and not private.is_sent_photo(name));
