alter table public.favorites enable row level security;
alter table public.recent_searches enable row level security;
revoke all on public.favorites, public.recent_searches from anon, authenticated;
grant select, insert (user_id, business_id), delete on public.favorites to authenticated;
grant select, insert (user_id, query, location, category), delete on public.recent_searches to authenticated;

drop policy if exists favorites_all_self on public.favorites;
create policy favorites_all_self on public.favorites for all to authenticated
  using (user_id = (select auth.uid())) with check (user_id = (select auth.uid()));
drop policy if exists recent_searches_all_self on public.recent_searches;
create policy recent_searches_all_self on public.recent_searches for all to authenticated
  using (user_id = (select auth.uid())) with check (user_id = (select auth.uid()));
