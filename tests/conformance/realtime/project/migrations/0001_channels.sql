-- Signed-in users may listen and send on the private topics of their team.
create policy "Members listen." on realtime.messages for select to authenticated
  using (realtime.topic() like 'team:%');
create policy "Members send." on realtime.messages for insert to authenticated
  with check (realtime.topic() like 'team:%');

-- Notes are seen by their owners, and sent to those of them who listen.
create table notes (
  id bigint generated always as identity primary key,
  owner uuid not null default auth.uid(),
  text text not null,
  done boolean not null default false
);
alter table notes enable row level security;
create policy "Owners do all." on notes to authenticated using (owner = (select auth.uid()));
alter publication supabase_realtime add table notes;

-- Each note is also told on the topic of its owner, by a trigger.
create function tell_note() returns trigger language plpgsql security definer set search_path = '' as $$
  begin
    perform realtime.broadcast_changes('team:' || coalesce(new.owner, old.owner)::text, tg_op, tg_op, tg_table_name, tg_table_schema, new, old);
    return null;
  end
  $$;
create trigger tell_note after insert or update or delete on notes for each row execute function tell_note();
