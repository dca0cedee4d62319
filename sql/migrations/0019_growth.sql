-- Who has made how many audited changes lately.
create index audit_logs_user_idx on public.audit_logs (user_id, created_at desc);
