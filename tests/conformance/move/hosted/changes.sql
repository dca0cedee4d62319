create policy "Owners read" on "storage"."objects" as permissive for select to authenticated
using (((bucket_id = 'documents'::text) and ((storage.foldername(name))[1] = (select (auth.uid())::text))));

create policy "Owners write" on "storage"."objects" as permissive for insert to authenticated
with check (((bucket_id = 'documents'::text) and ((storage.foldername(name))[1] = (select (auth.uid())::text))));

create policy "Owners replace" on "storage"."objects" as permissive for update to authenticated
using (((bucket_id = 'documents'::text) and ((storage.foldername(name))[1] = (select (auth.uid())::text))));

CREATE TRIGGER on_auth_user_created AFTER INSERT ON auth.users FOR EACH ROW EXECUTE FUNCTION public.handle_new_user();
