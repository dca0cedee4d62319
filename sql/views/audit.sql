-- The audit log with the name of who acted; null for the server, and for accounts that no longer exist.
create or replace view public.audit_logs_with_actor with (security_invoker) as
  select l.id, l.user_id, l.table_name, l.action, l.record_id, l.changed_fields, l.old_data, l.new_data, l.created_at,
    p.full_name as actor_name, p.display_id as actor_display_id
  from public.audit_logs l
  left join public.profiles p on p.id = l.user_id;
