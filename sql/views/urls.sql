-- What the URL migration would do to each business that it has not migrated yet, for admins (ADMIN-MIGR-02).
create or replace view public.url_migration_preview with (security_invoker) as
  select b.id, b.name, '/business/' || b.slug as old_url, private.migrated_path(b) as new_url,
    -- Cheaper than the path, so that those which cannot be migrated are found.
    case when c.slug is null and coalesce(private.slugify(b.location), '') = '' then private.missing_parts() end as error
  from public.businesses b left join public.cities c on c.slug = b.city_slug
  where not b.migrated_url and (select public.is_admin());
