-- What accounts that were deleted before have left (sql/functions/profiles.sql), and the ratings of imported businesses,
-- which the first review would have replaced (sql/functions/imports.sql).

do $$
declare
  former constant text := current_setting('storage.allow_delete_query', true);
begin
  perform set_config('storage.allow_delete_query', 'true', true);
  delete from storage.objects o
  where o.bucket_id = 'claim-documents' and not exists (select from private.profiles p where p.id::text = o.owner_id);
  perform set_config('storage.allow_delete_query', coalesce(former, ''), true);
end
$$;

update public.bookings set notes = null where user_id is null and source = 'online' and notes is not null;

update public.businesses b
set combined_rating = b.rating,
  rating_sources = jsonb_build_array(jsonb_build_object('source', b.source, 'rating', b.rating, 'count', b.user_ratings_total))
where b.source = 'CSV-upload' and b.rating is not null and b.user_ratings_total between 1 and 10000000 and b.rating_sources is null
  and not exists (select from public.reviews r where r.business_id = b.id);
