alter table public.reviews enable row level security;
alter table public.review_responses enable row level security;
revoke all on public.reviews, public.review_responses from anon, authenticated;
grant select on public.reviews, public.review_responses to anon, authenticated;
grant insert (business_id, user_id, rating, comment), update (rating, comment), delete on public.reviews to authenticated;
grant insert (review_id, content), update (content), delete on public.review_responses to authenticated;

drop policy if exists reviews_select_all on public.reviews;
create policy reviews_select_all on public.reviews for select to anon, authenticated using (true);
drop policy if exists reviews_insert_user on public.reviews;
create policy reviews_insert_user on public.reviews
  for insert to authenticated with check (user_id = (select auth.uid()));
drop policy if exists reviews_update_user on public.reviews;
create policy reviews_update_user on public.reviews
  for update to authenticated using (user_id = (select auth.uid())) with check (user_id = (select auth.uid()));
drop policy if exists reviews_delete_user on public.reviews;
create policy reviews_delete_user on public.reviews
  for delete to authenticated using (user_id = (select auth.uid()) or (select public.is_admin()));

-- Only the owner of the reviewed business may respond (S-44).
drop policy if exists review_responses_select_all on public.review_responses;
create policy review_responses_select_all on public.review_responses for select to anon, authenticated using (true);
drop policy if exists review_responses_write_owner on public.review_responses;
create policy review_responses_write_owner on public.review_responses for all to authenticated
  using (exists (
    select from public.reviews r join public.businesses b on b.id = r.business_id
    where r.id = review_responses.review_id and b.owner_id = (select auth.uid())))
  with check (exists (
    select from public.reviews r join public.businesses b on b.id = r.business_id
    where r.id = review_responses.review_id and b.owner_id = (select auth.uid())));
