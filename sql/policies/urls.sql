alter table public.url_redirects enable row level security;
revoke all on public.url_redirects, public.url_migration_preview from anon, authenticated;
grant select on public.url_redirects to anon, authenticated;
grant select on public.url_migration_preview to authenticated;
grant insert (old_url, new_url, business_id, redirect_type, is_active),
  update (old_url, new_url, business_id, redirect_type, is_active), delete on public.url_redirects to authenticated;

drop policy if exists url_redirects_select_active on public.url_redirects;
create policy url_redirects_select_active on public.url_redirects
  for select to anon, authenticated using (is_active);
drop policy if exists url_redirects_write_admin on public.url_redirects;
create policy url_redirects_write_admin on public.url_redirects for all to authenticated
  using ((select public.is_admin())) with check ((select public.is_admin()));
