-- Rows of users of a third-party issuer, whose ids are no UUIDs.
create table public.third_party_notes (id int generated always as identity primary key, owner text not null default (auth.jwt() ->> 'sub'), text text not null);
alter table public.third_party_notes enable row level security;
create policy own on public.third_party_notes to authenticated
  using (owner = (select auth.jwt() ->> 'sub')) with check (owner = (select auth.jwt() ->> 'sub'));
alter publication supabase_realtime add table public.third_party_notes;
