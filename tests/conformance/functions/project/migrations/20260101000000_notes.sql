create table public.notes (id int primary key, body text not null, owner uuid default auth.uid());
alter table public.notes enable row level security;
create policy notes_select_owner on public.notes for select to authenticated using (owner = (select auth.uid()));
insert into public.notes (id, body) values (1, 'hidden from callers');
