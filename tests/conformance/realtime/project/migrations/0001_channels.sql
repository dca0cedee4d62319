-- Signed-in users may listen and send on the private topics of their team.
create policy "Members listen." on realtime.messages for select to authenticated
  using (realtime.topic() like 'team:%');
create policy "Members send." on realtime.messages for insert to authenticated
  with check (realtime.topic() like 'team:%');
