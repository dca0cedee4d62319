-- The private channels. What comes on them says that something can be read anew, or that somebody types; nothing else.

-- slots:{businessId}: everybody may listen, and only the database sends (private.tell_slots).
drop policy if exists slots_listen on realtime.messages;
create policy slots_listen on realtime.messages
  for select to anon, authenticated
  using (extension = 'broadcast' and (select realtime.topic()) like 'slots:%');

-- conversation:{id}: its two parties.
drop policy if exists conversation_listen on realtime.messages;
create policy conversation_listen on realtime.messages
  for select to authenticated
  using (extension = 'broadcast' and private.takes_part((select realtime.topic())));
drop policy if exists conversation_send on realtime.messages;
create policy conversation_send on realtime.messages
  for insert to authenticated
  with check (extension = 'broadcast' and private.takes_part((select realtime.topic())));
