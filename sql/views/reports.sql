-- Reports with their reporter and what they are about (ADMIN-REPORT-03), which may no longer exist: named here, instead
-- of with a request per row. The policies of the tables apply.
create or replace view public.reports_with_entity with (security_invoker) as
  select r.id, r.type, r.reason, r.details, r.status, r.created_at, r.reviewed_at, r.reported_id, r.reporter_id,
    reporter.full_name as reporter_name, reporter.avatar_url as reporter_avatar,
    case r.type when 'business' then b.name when 'review' then coalesce(author.full_name, of_review.name) else person.full_name end as entity_name,
    case r.type when 'business' then b.image_url when 'review' then author.avatar_url else person.avatar_url end as entity_image,
    left(v.comment, 50) as entity_preview,
    case r.type
      when 'business' then '/business/' || b.id
      when 'review' then '/business/' || v.business_id || '#reviews'
      else '/admin?tab=users&q=' || person.display_id end as entity_link
  from public.reports r
  left join public.profiles reporter on reporter.id = r.reporter_id
  left join public.businesses b on r.type = 'business' and b.id = r.reported_id
  left join public.reviews v on r.type = 'review' and v.id = r.reported_id
  left join public.profiles author on author.id = v.user_id
  left join public.businesses of_review on of_review.id = v.business_id
  left join public.profiles person on r.type = 'user' and person.id = r.reported_id;

-- The audit log with the name of who acted; null for the server, and for accounts that no longer exist.
create or replace view public.audit_logs_with_actor with (security_invoker) as
  select l.id, l.user_id, l.table_name, l.action, l.record_id, l.changed_fields, l.old_data, l.new_data, l.created_at,
    p.full_name as actor_name, p.display_id as actor_display_id
  from public.audit_logs l
  left join public.profiles p on p.id = l.user_id;
