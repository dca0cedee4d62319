-- /{location}/{category}/{id}/{company} (RULE-25); null if one of the four is missing, or nothing of it can be part of a
-- URL.
create or replace function private.business_path(location text, category text, id text, company_name text) returns text
  language sql immutable parallel safe
  set search_path = ''
  as $$
    select '/' || nullif(private.slugify(location), '') || '/' || nullif(private.slugify(category), '')
      || '/' || nullif(btrim(id), '') || '/' || case when btrim(company_name) <> '' then private.company_slug(company_name) end
  $$;

-- The message of RULE-26.
create or replace function private.missing_parts() returns text
  language sql immutable parallel safe
  as $$ select 'Missing required parameters: location, category, id, companyName' $$;

create or replace function public.build_business_url(location text, category text, id text, company_name text) returns text
  language plpgsql immutable
  set search_path = ''
  as $$
  declare
    path constant text := private.business_path(location, category, id, company_name);
  begin
    if path is null then
      perform private.fail(422, 'missing_url_parts', private.missing_parts());
    end if;
    return path;
  end
  $$;

-- The path that the migration gives a business, null if it cannot. City and category are those of extract_city_name and
-- map_business_type_to_category: both columns follow name, place and type by trigger (ADMIN-MIGR-03).
create or replace function private.migrated_path(business public.businesses) returns text
  language sql stable
  set search_path = ''
  as $$
    select private.business_path(
      coalesce((select c.name from public.cities c where c.slug = business.city_slug), business.location),
      coalesce(business.category_code, 'localservices'), business.id::text, business.name)
  $$;

-- Migrates the next businesses after p_after in the order of their ids, up to p_limit, each with a redirect from its old
-- URL (S-53, ADMIN-MIGR-05, ADMIN-MIGR-06). Returns one row for each in that order; the last id is the next call's
-- p_after. A row with an error was not changed, and did not stop the others.
create or replace function public.admin_migrate_urls(p_after uuid default null, p_limit integer default 200)
  returns table (business_id uuid, name text, old_url text, new_url text, error text)
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    least_id constant uuid := '00000000-0000-0000-0000-000000000000';
    business public.businesses;
  begin
    perform private.require_admin();
    for business in
      select b.* from public.businesses b
      where not b.migrated_url and b.id > coalesce(p_after, least_id)
      order by b.id
      limit least(greatest(p_limit, 1), 1000)
      for update
    loop
      business_id := business.id;
      name := business.name;
      old_url := '/business/' || business.slug;
      new_url := private.migrated_path(business);
      error := case when new_url is null then private.missing_parts() end;
      if error is null then
        begin
          insert into public.url_redirects as r (old_url, new_url, business_id)
          values (admin_migrate_urls.old_url, admin_migrate_urls.new_url, business.id)
          on conflict on constraint url_redirects_old_url_key do nothing;
          update public.businesses b
          set url_path = admin_migrate_urls.new_url, old_slug = coalesce(b.old_slug, b.slug), migrated_url = true
          where b.id = business.id;
        exception
          when sqlstate 'PT422' then
            -- Such as a redirect by hand that the new one would make a loop of.
            error := sqlerrm;
          when others then
            raise log 'the URL of business % was not migrated: % %', business.id, sqlstate, sqlerrm;
            error := 'Something went wrong. Please try again.';
        end;
      end if;
      return next;
    end loop;
  end
  $$;
revoke execute on function public.admin_migrate_urls(uuid, integer) from public, anon;

-- The number of businesses and of those that have their new URL (ADMIN-MIGR-01).
create or replace function public.admin_url_totals() returns table (total bigint, migrated bigint, remaining bigint)
  language plpgsql stable security definer
  set search_path = ''
  as $$
  begin
    perform private.require_admin();
    return query select everything, everything - left_over, left_over
      from (select (select count(*) from public.businesses) as everything,
        (select count(*) from public.businesses b where not b.migrated_url) as left_over) counted;
  end
  $$;
revoke execute on function public.admin_url_totals() from public, anon;

-- Redirects to a migrated URL follow it to the next one, so that an old URL needs one step. The former URL in four parts
-- needs none: it names the id.
create or replace function private.after_url_path() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    update public.url_redirects r set new_url = new.url_path
    where r.new_url = old.url_path and r.business_id = new.id and r.old_url <> new.url_path;
    return null;
  exception when sqlstate 'PT422' then
    -- A loop: the redirects stay, and lead to the business by its id.
    return null;
  end
  $$;
create or replace trigger redirect after update on public.businesses
  for each row when (old.url_path is not null and new.url_path is not null and new.url_path <> old.url_path)
  execute function private.after_url_path();

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
