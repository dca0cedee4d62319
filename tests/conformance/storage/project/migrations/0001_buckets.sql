-- A public bucket, a private one whose folders belong to their users, one for pictures, one that
-- nobody may access, and one with a small quota per user.
insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types) values
  ('open', 'open', true, null, null),
  ('own', 'own', false, null, null),
  ('photos', 'photos', true, 5242880, array['image/png', 'image/jpeg']),
  ('shut', 'shut', false, null, null),
  ('little', 'little', false, null, null);

insert into storage.quotas (bucket_id, max_bytes, max_objects) values ('little', 1000, 3);

create policy own_select on storage.objects for select to authenticated
  using (bucket_id in ('own', 'little') and (storage.foldername(name))[1] = (select auth.uid())::text);
create policy own_insert on storage.objects for insert to authenticated
  with check (bucket_id in ('own', 'open', 'little') and (storage.foldername(name))[1] = (select auth.uid())::text);
create policy own_update on storage.objects for update to authenticated
  using (bucket_id in ('own', 'little') and (storage.foldername(name))[1] = (select auth.uid())::text);
create policy own_delete on storage.objects for delete to authenticated
  using (bucket_id in ('own', 'little') and (storage.foldername(name))[1] = (select auth.uid())::text);

-- Anonymous callers may upload what policies can check: small texts, and only by uploading.
create policy drop_box_insert on storage.objects for insert to anon
  with check (bucket_id = 'open' and name like 'box/%' and (metadata ->> 'contentLength')::int <= 10
    and metadata ->> 'mimetype' = 'text/plain' and storage.allow_only_operation('object.upload')
    and current_setting('request.method') = 'POST' and current_setting('request.headers')::json ->> 'x-box' = 'yes');
