-- /{location}/{category}/{id}/{company} (RULE-25, RULE-26).
create or replace function public.build_business_url(location text, category text, id text, company_name text) returns text
  language plpgsql immutable
  set search_path = ''
  as $$
  begin
    if coalesce(btrim(location), '') = '' or coalesce(btrim(category), '') = ''
        or coalesce(btrim(id), '') = '' or coalesce(btrim(company_name), '') = '' then
      perform private.fail(422, 'missing_url_parts', 'Missing required parameters: location, category, id, companyName');
    end if;
    return format('/%s/%s/%s/%s', private.slugify(location), private.slugify(category), id, private.company_slug(company_name));
  end
  $$;

-- The URL of a business in four parts; its current one if its name or place cannot be part of a URL.
create or replace function private.path_of(business public.businesses) returns text
  language sql stable
  set search_path = ''
  as $$
    select case when path ~ '^(/[a-z0-9-]+){4}$' and char_length(path) <= 300 then path else business.url_path end
    from public.build_business_url(
      coalesce((select c.name from public.cities c where c.slug = business.city_slug), business.location),
      coalesce(business.category_code, 'localservices'), business.id::text, business.name) as path
  $$;

-- Migrates up to p_limit businesses to a url_path, with a redirect from the old URL (S-53). Another call continues
-- where it stopped; returns how many it migrated.
create or replace function public.admin_migrate_urls(p_limit integer default 500) returns integer
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    migrated integer;
  begin
    perform private.require_admin();
    with chosen as (
      select b.id, b.slug, public.build_business_url(
          coalesce(c.name, b.location), coalesce(b.category_code, 'localservices'), b.id::text, b.name) as path
      from public.businesses b left join public.cities c on c.slug = b.city_slug
      where not b.migrated_url
      order by b.created_at
      limit least(greatest(p_limit, 1), 5000)
      for update of b skip locked
    ), redirected as (
      insert into public.url_redirects (old_url, new_url, business_id)
      select '/business/' || slug, path, id from chosen
      on conflict (old_url) do nothing
    )
    update public.businesses b
    set url_path = chosen.path, old_slug = coalesce(b.old_slug, b.slug), migrated_url = true
    from chosen where chosen.id = b.id;
    get diagnostics migrated = row_count;
    return migrated;
  end
  $$;
revoke execute on function public.admin_migrate_urls(integer) from public, anon;

-- Refuses a redirect that would lead back to itself (S-52).
create or replace function private.before_redirect() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    if new.is_active and exists (
      with recursive way (url, steps) as (
        select new.new_url, 1
        union all
        select r.new_url, way.steps + 1
        from way join public.url_redirects r on r.old_url = way.url and r.is_active and r.id <> new.id
        where way.steps < 20
      )
      select from way where url = new.old_url or steps >= 20
    ) then
      perform private.fail(422, 'redirect_loop', 'This redirect would lead back to itself');
    end if;
    return new;
  end
  $$;
create or replace trigger write before insert or update on public.url_redirects
  for each row execute function private.before_redirect();

-- Generates the slug of a mapping without one from its name (ADMIN-LOC-05; accents kept as letters, C-54).
create or replace function private.before_mapping() returns trigger
  language plpgsql
  set search_path = ''
  as $$
  begin
    new.original := btrim(new.original);
    new.slug := coalesce(nullif(btrim(new.slug), ''), private.slugify(new.original));
    return new;
  end
  $$;
create or replace trigger write before insert or update on public.url_mappings
  for each row execute function private.before_mapping();
