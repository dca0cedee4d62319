insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
values ('photos', 'photos', true, 5242880, array['image/png', 'image/jpeg']), ('papers', 'papers', false, null, null)
on conflict (id) do nothing;

create policy "Photos are public." on storage.objects for select using (bucket_id = 'photos');
create policy "Members upload into their folder." on storage.objects for insert to authenticated
  with check (bucket_id = 'photos' and (storage.foldername(name))[1] = (select auth.uid()::text) and storage.extension(name) in ('png', 'jpg'));
create policy "Owners remove their files." on storage.objects for delete to authenticated using ((select auth.uid()) = owner);

create policy "Members listen to the garden." on realtime.messages for select to authenticated
  using (realtime.topic() = 'garden' and extension in ('broadcast', 'presence'));

-- As a diff of the storage schema leaves it.
grant delete on table "storage"."s3_multipart_uploads" to "postgres";
grant insert on table "storage"."s3_multipart_uploads_parts" to "postgres";
grant select on table "storage"."prefixes" to "anon";
CREATE TRIGGER objects_delete_delete_prefix AFTER DELETE ON storage.objects FOR EACH ROW EXECUTE FUNCTION storage.delete_prefix_hierarchy_trigger();
CREATE TRIGGER objects_insert_create_prefix BEFORE INSERT ON storage.objects FOR EACH ROW EXECUTE FUNCTION storage.objects_insert_prefix_trigger();
