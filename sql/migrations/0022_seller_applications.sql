-- Whoever was rejected may apply again. Only the latest application says how somebody stands;
-- the earlier ones are kept for the admins (API-29).
alter table public.seller_applications add column superseded_at timestamptz;
comment on column public.seller_applications.superseded_at is 'When the same user applied again; null for the latest application.';

update public.seller_applications a set superseded_at = now()
where exists (
  select from public.seller_applications later
  where later.user_id = a.user_id and (later.created_at, later.id) > (a.created_at, a.id));

create unique index seller_applications_current_key on public.seller_applications (user_id) where superseded_at is null;
