-- The staged rows of the caller's imports, for admins.
create or replace view public.import_rows with (security_barrier) as
  select r.import_id, r.line, r.state, r.fields ->> 'name' as name, r.fields ->> 'type' as type, r.fields ->> 'location' as location,
    r.fields, r.faults, r.duplicate_line, r.duplicate_business, b.name as duplicate_name, b.slug as duplicate_slug
  from private.import_rows r left join public.businesses b on b.id = r.duplicate_business
  where r.import_id in (select i.id from private.business_imports i where i.created_by = (select auth.uid()) and (select public.is_admin()));
