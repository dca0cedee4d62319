alter table public.seller_applications enable row level security;
alter table public.claim_requests enable row level security;
alter table public.reports enable row level security;
alter table public.audit_logs enable row level security;
revoke all on public.seller_applications, public.claim_requests, public.reports, public.audit_logs from anon, authenticated;
grant select, insert (user_id, business_name, business_type, business_description, location, status),
  update (status), delete on public.seller_applications to authenticated;
grant select, insert (user_id, business_id, full_name, business_email, business_phone, role_at_company,
    verification_method, document_path, status),
  update (status, reviewed_at, reviewed_by, admin_notes) on public.claim_requests to authenticated;
grant select, insert (reporter_id, reported_id, type, reason, details, status), update (status), delete
  on public.reports to authenticated;
revoke all on public.reports_with_entity, public.audit_logs_with_actor from anon, authenticated;
grant select on public.reports_with_entity, public.audit_logs_with_actor to authenticated;
grant select on public.audit_logs to authenticated;

-- A user sees only the latest application: the requirements read it as a single row (API-29).
drop policy if exists seller_applications_select_self on public.seller_applications;
create policy seller_applications_select_self on public.seller_applications
  for select to authenticated
  using ((user_id = (select auth.uid()) and superseded_at is null) or (select public.is_admin()));
drop policy if exists seller_applications_insert_self on public.seller_applications;
create policy seller_applications_insert_self on public.seller_applications
  for insert to authenticated with check (user_id = (select auth.uid()));
drop policy if exists seller_applications_update_admin on public.seller_applications;
create policy seller_applications_update_admin on public.seller_applications
  for update to authenticated using ((select public.is_admin())) with check ((select public.is_admin()));
drop policy if exists seller_applications_delete_admin on public.seller_applications;
create policy seller_applications_delete_admin on public.seller_applications
  for delete to authenticated using ((select public.is_admin()));

drop policy if exists claim_requests_select_self on public.claim_requests;
create policy claim_requests_select_self on public.claim_requests
  for select to authenticated using (user_id = (select auth.uid()) or (select public.is_admin()));
drop policy if exists claim_requests_insert_self on public.claim_requests;
create policy claim_requests_insert_self on public.claim_requests
  for insert to authenticated with check (user_id = (select auth.uid()));
drop policy if exists claim_requests_update_admin on public.claim_requests;
create policy claim_requests_update_admin on public.claim_requests
  for update to authenticated using ((select public.is_admin())) with check ((select public.is_admin()));

drop policy if exists reports_select_self on public.reports;
create policy reports_select_self on public.reports
  for select to authenticated using (reporter_id = (select auth.uid()) or (select public.is_admin()));
drop policy if exists reports_insert_self on public.reports;
create policy reports_insert_self on public.reports
  for insert to authenticated with check (reporter_id = (select auth.uid()));
drop policy if exists reports_update_admin on public.reports;
create policy reports_update_admin on public.reports
  for update to authenticated using ((select public.is_admin())) with check ((select public.is_admin()));
drop policy if exists reports_delete_admin on public.reports;
create policy reports_delete_admin on public.reports
  for delete to authenticated using ((select public.is_admin()));

-- Written by triggers, read by admins, changed by nobody (S-50).
drop policy if exists audit_logs_select_admin on public.audit_logs;
create policy audit_logs_select_admin on public.audit_logs
  for select to authenticated using ((select public.is_admin()));
