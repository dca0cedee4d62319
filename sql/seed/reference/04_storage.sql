insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types, strip_metadata) values
  -- Under 5 MB, as the documents' text says (RULE-19, C-50).
  ('business-photos', 'business-photos', true, 5242879, array['image/jpeg', 'image/png', 'image/webp'], true),
  ('business-logos', 'business-logos', true, 1048576, array['image/jpeg', 'image/png', 'image/webp'], true),
  ('message-photos', 'message-photos', false, 5242879, array['image/jpeg', 'image/png', 'image/webp'], true),
  ('claim-documents', 'claim-documents', false, 10485760, array['image/jpeg', 'image/png', 'image/webp', 'application/pdf'], false)
on conflict (id) do update set
  public = excluded.public, file_size_limit = excluded.file_size_limit, allowed_mime_types = excluded.allowed_mime_types,
  strip_metadata = excluded.strip_metadata;

-- Storage limits per user: the photos of the largest plan for several businesses, and the documents of some claims.
-- Admins can change the rows; they are not reset.
insert into storage.quotas (bucket_id, max_bytes, max_objects, comment) values
  ('business-photos', 4294967296, 1000, 'per owner, whatever the plan of a business allows'),
  ('business-logos', 67108864, 100, 'per owner'),
  ('message-photos', 536870912, 1000, 'per sender'),
  ('claim-documents', 209715200, 40, 'per claimant')
on conflict (bucket_id, owner_id, each_user) do nothing;
