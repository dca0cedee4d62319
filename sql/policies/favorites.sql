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

alter table public.search_alerts enable row level security;
revoke all on public.search_alerts from anon, authenticated;
grant select, insert (user_id, find_desc, find_loc, category), delete on public.search_alerts to authenticated;

drop policy if exists search_alerts_all_self on public.search_alerts;
create policy search_alerts_all_self on public.search_alerts for all to authenticated
  using (user_id = (select auth.uid())) with check (user_id = (select auth.uid()));
