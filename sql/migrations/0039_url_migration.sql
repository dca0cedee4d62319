-- The migration walks the businesses in the order of their ids, so that one that cannot be migrated does not hold up the
-- others.
drop index public.businesses_unmigrated_idx;
create index businesses_unmigrated_idx on public.businesses (id) where not migrated_url;
drop function if exists public.admin_migrate_urls(integer);
drop function if exists private.path_of(public.businesses);
