-- Normalizes a written business: empty texts become null, dependent columns are derived, and a browser's user can only
-- change what the rules allow. Runs as the caller, so current_user distinguishes a direct write from one of our own
-- functions.
create or replace function private.before_business() returns trigger
  language plpgsql
  set search_path = ''
  as $$
  declare
    direct constant boolean := current_user in ('anon', 'authenticated');
  begin
    new.name := btrim(new.name);
    new.type := btrim(new.type);
    new.location := btrim(new.location);
    new.phone := nullif(btrim(new.phone), '');
    new.website := nullif(btrim(new.website), '');
    new.image_url := nullif(btrim(new.image_url), '');
    new.address := nullif(btrim(new.address), '');
    new.logo_url := nullif(btrim(new.logo_url), '');

    if tg_op = 'INSERT' then
      if direct then
        new.owner_id := auth.uid(); -- S-36
        new.is_claimed := true;
      end if;
    else
      if direct then
        if not public.is_admin() then
          new.owner_id := old.owner_id; -- S-36
          new.is_claimed := old.is_claimed;
          new.verification_status := old.verification_status;
          new.url_path := old.url_path;
          new.old_slug := old.old_slug;
          new.migrated_url := old.migrated_url;
        end if;
      end if;
      if old.owner_id is not null and new.owner_id is null then
        new.is_claimed := false;
        new.verification_status := 'unverified';
      elsif old.owner_id is null and new.owner_id is not null then
        new.is_claimed := true;
      end if;
      new.updated_at := now();
    end if;

    if direct then
      perform private.check_plan(new.owner_id, new.description,
        case when tg_op = 'UPDATE' then old.description end, tg_op = 'INSERT');
      if new.is_promoted and not (tg_op = 'UPDATE' and old.is_promoted) and not private.plan_allows(new.owner_id, 'promoted') then
        perform private.fail(403, 'plan_promoted', 'Your plan has no promoted listings', 'Upgrade your plan to promote a business.');
      elsif new.logo_url is not null and tg_op = 'UPDATE' and new.logo_url is distinct from old.logo_url then
        if not private.plan_allows(new.owner_id, 'logo') then
          perform private.fail(403, 'plan_logo', 'Your plan has no logo', 'Upgrade your plan to show a logo.');
        elsif (storage.foldername(private.logo_object(new.logo_url)))[2] is distinct from new.id::text then
          perform private.fail(422, 'not_a_logo', 'That is no logo of this business');
        end if;
      end if;
    end if;
    return private.derive_business(new, case when tg_op = 'UPDATE' then old end);
  end
  $$;

-- Whoever gets a business may manage it.
create or replace function private.after_business_given() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    perform private.make_owner(new.owner_id);
    return null;
  end
  $$;
create or replace trigger given after update of owner_id on public.businesses
  for each row when (new.owner_id is not null and new.owner_id is distinct from old.owner_id)
  execute function private.after_business_given();

-- Derives place, zone, category, slug, opening week and search document of a business from its own changed fields.
create or replace function private.derive_business(written public.businesses, earlier public.businesses) returns public.businesses
  language plpgsql
  set search_path = ''
  as $$
  begin
    if (case when earlier.id is null then written.city_slug is null
        else (written.location, written.address) is distinct from (earlier.location, earlier.address) end) then
      written.city_slug := private.city_of(concat_ws(', ', written.address, written.location));
      select c.time_zone into written.time_zone from public.cities c where c.slug = written.city_slug;
      written.time_zone := coalesce(written.time_zone, 'Europe/Madrid');
    end if;
    if (case when earlier.id is null then written.category_code is null else written.type is distinct from earlier.type end) then
      written.category_code := public.map_business_type_to_category(written.type);
    end if;
    if earlier.id is not null and private.company_slug(written.name) is distinct from private.company_slug(earlier.name) then
      written.old_slug := earlier.slug;
      written.slug := '';
    end if;
    if written.slug = '' then
      written.slug := private.free_business_slug(written.name, written.display_id);
    end if;
    -- A migrated address follows, too. The former ones name the id, by which they are still found.
    if earlier.url_path is not null and written.migrated_url and written.url_path = earlier.url_path
        and (written.name, written.city_slug, written.category_code) is distinct from (earlier.name, earlier.city_slug, earlier.category_code) then
      written.url_path := coalesce(private.migrated_path(written), written.url_path);
    end if;
    -- An import has made it already.
    if (case when earlier.id is null then written.open_week is null or not private.is_seeding()
        else written.hours is distinct from earlier.hours end) then
      written.open_week := private.open_week(written.hours);
    end if;
    if earlier.id is null or (written.open_week, written.owner_id) is distinct from (earlier.open_week, earlier.owner_id) then
      written.last_slots := private.last_slots(written);
    end if;
    -- An import has made the document already.
    if earlier.id is null and written.search_document = ''
        or earlier.id is not null and (written.name, written.type, written.location, written.address, written.amenities, written.category_code, written.city_slug,
            written.latitude, written.longitude, written.time_zone, written.open_week, written.last_slots)
          is distinct from
          (earlier.name, earlier.type, earlier.location, earlier.address, earlier.amenities, earlier.category_code, earlier.city_slug,
            earlier.latitude, earlier.longitude, earlier.time_zone, earlier.open_week, earlier.last_slots) then
      written.search_document := private.search_document(written);
    end if;
    return written;
  end
  $$;

-- Stores every slug that a business gives up, so that its former URLs redirect to it.
create or replace function private.keep_former_slugs() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    most constant integer := 100;
  begin
    if new.slug <> old.slug and private.is_client()
        and (select count(*) from public.business_former_slugs f where f.business_id = new.id) >= most then
      perform private.fail(422, 'too_many_renames', format('A business can change its address %s times', most), 'Keep the name that it has.');
    end if;
    insert into public.business_former_slugs (slug, business_id)
    select distinct former, new.id from unnest(array[old.slug, new.old_slug]) as former
    where former <> new.slug and former ~ '^[a-z0-9]+(-[a-z0-9]+)*$'
    on conflict (slug) do nothing;
    return null;
  end
  $$;
create or replace trigger keep_former_slugs after update on public.businesses
  for each row when (new.slug <> old.slug or new.old_slug is distinct from old.old_slug)
  execute function private.keep_former_slugs();

-- Returns the company's slug, with the display number appended if another business has it or had it: former URLs keep
-- their targets. Two equal names at once wait for each other.
create or replace function private.free_business_slug(name text, display_id text) returns text
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    base constant text := private.company_slug(name);
  begin
    perform pg_advisory_xact_lock(hashtextextended('plaza.slug.' || base, 0));
    if not exists (select from public.businesses b where b.slug = base)
        and not exists (
          select from public.business_former_slugs f join public.businesses b on b.id = f.business_id
          where f.slug = base and b.display_id <> free_business_slug.display_id) then
      return base;
    end if;
    return private.numbered_slug(base, display_id);
  end
  $$;

-- The slug with the number of a display ID appended.
create or replace function private.numbered_slug(slug text, display_id text) returns text
  language sql immutable parallel safe
  set search_path = ''
  as $$
    select rtrim(left(slug, 50 - char_length(suffix)), '-') || suffix
    from (select '-' || ltrim(regexp_replace(display_id, '[^0-9]', '', 'g'), '0')) as made (suffix)
  $$;

-- Enforces the plan's limits (S-37). A listing that already exceeds one can still be edited.
create or replace function private.check_plan(
    p_owner_id uuid, p_description text, p_old_description text, p_is_new boolean) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    limits record;
  begin
    select * into limits from private.plan_limits(coalesce(p_owner_id, auth.uid()));
    if p_is_new then
      perform pg_advisory_xact_lock(hashtextextended('plaza.owner.' || p_owner_id, 0));
      if (select count(*) from public.businesses b where b.owner_id = p_owner_id) >= limits.max_businesses then
        perform private.fail(403, 'plan_limit_businesses',
          format('Your plan allows %s business(es)', limits.max_businesses), 'Upgrade your plan to add another business.');
      end if;
    end if;
    if char_length(p_description) > limits.max_description and p_description is distinct from p_old_description then
      perform private.fail(403, 'plan_limit_description',
        format('Your plan allows a description of %s characters', limits.max_description),
        'Shorten the description or upgrade your plan.');
    end if;
  end
  $$;

create or replace trigger write before insert or update on public.businesses
  for each row execute function private.before_business();

-- Future bookings are cancelled when the business is deleted; past ones are kept (S-41).
create or replace function private.before_business_deleted() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    -- Its row is locked: whoever had begun to book has ended, and nobody else begins. Who deletes all businesses has locked
    -- the table instead: PostgreSQL has room for some thousand locks only.
    if not private.is_seeding() then
      perform private.lock('bookings.' || old.id);
    end if;
    delete from public.booking_notes n using public.bookings b where b.id = n.booking_id and b.business_id = old.id;
    update public.bookings set status = 'cancelled', cancel_kind = 'business', proposed_date = null, proposed_start = null, proposed_by = null
    where business_id = old.id and status in ('pending', 'confirmed');
    return old;
  end
  $$;
-- admin_clear_all_data has deleted all bookings already.
create or replace trigger cancel_bookings before delete on public.businesses
  for each row when (current_setting('plaza.clearing', true) is distinct from 'on') execute function private.before_business_deleted();

-- Counts what is affected by deleting a business: open bookings are cancelled, the rest is deleted.
create or replace function public.admin_business_effects(p_business_id uuid)
  returns table (services bigint, photos bigint, reviews bigint, open_bookings bigint)
  language plpgsql stable security definer
  set search_path = ''
  as $$
  begin
    perform private.require_admin();
    return query select
      (select count(*) from public.services s where s.business_id = p_business_id),
      (select count(*) from public.business_photos p where p.business_id = p_business_id),
      (select count(*) from public.reviews r where r.business_id = p_business_id),
      (select count(*) from public.bookings k where k.business_id = p_business_id and k.status in ('pending', 'confirmed'));
  end
  $$;
revoke execute on function public.admin_business_effects(uuid) from public, anon;

-- Updates directory_counts, once per statement of any size. Rows are written in key order, so that two writers cannot
-- deadlock.
create or replace function private.count_businesses() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    if tg_op = 'INSERT' then
      insert into public.directory_counts as c (city_slug, category_code, businesses)
      select coalesce(city_slug, ''), coalesce(category_code, ''), count(*) from added group by 1, 2 order by 1, 2
      on conflict (city_slug, category_code) do update set businesses = c.businesses + excluded.businesses;
    elsif tg_op = 'DELETE' then
      insert into public.directory_counts as c (city_slug, category_code, businesses)
      select coalesce(city_slug, ''), coalesce(category_code, ''), -count(*) from removed group by 1, 2 order by 1, 2
      on conflict (city_slug, category_code) do update set businesses = c.businesses + excluded.businesses;
    else
      insert into public.directory_counts as c (city_slug, category_code, businesses)
      select city, category, sum(change) from (
        select coalesce(city_slug, '') as city, coalesce(category_code, '') as category, 1 as change from added
        union all
        select coalesce(city_slug, ''), coalesce(category_code, ''), -1 from removed
      ) moved
      group by 1, 2 having sum(change) <> 0 order by 1, 2
      on conflict (city_slug, category_code) do update set businesses = c.businesses + excluded.businesses;
    end if;
    return null;
  end
  $$;
create or replace trigger count_added after insert on public.businesses
  referencing new table as added for each statement execute function private.count_businesses();
create or replace trigger count_removed after delete on public.businesses
  referencing old table as removed for each statement execute function private.count_businesses();
create or replace trigger count_moved after update on public.businesses
  referencing old table as removed new table as added for each statement execute function private.count_businesses();

-- Limits the number of services, so that a business's page stays loadable.
create or replace function private.before_service() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    most constant integer := 100;
  begin
    if private.is_client() then
      perform private.lock('business.' || new.business_id);
      if (select count(*) from public.services s where s.business_id = new.business_id) >= most then
        perform private.fail(422, 'too_many_services', format('A business can have %s services', most), 'Delete one that is no longer offered.');
      end if;
    end if;
    return new;
  end
  $$;
create or replace trigger bound before insert on public.services
  for each row execute function private.before_service();

create or replace trigger touch before update on public.services
  for each row execute function private.touch_updated_at();

-- Services are part of a business's search document, and so is their lowest price. The rows are locked first, so that
-- the documents include the services of all concurrent writers.
create or replace function private.document_services() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    touched uuid[];
  begin
    if tg_op = 'INSERT' then
      touched := array(select distinct business_id from added);
    elsif tg_op = 'DELETE' then
      touched := array(select distinct business_id from removed);
    else
      touched := array(
        select a.business_id from added a join removed r using (id) where (a.business_id, a.name, a.price) is distinct from (r.business_id, r.name, r.price)
        union
        select r.business_id from removed r left join added a using (id) where a.business_id is distinct from r.business_id);
    end if;
    perform from public.businesses b where b.id = any (touched) order by b.id for no key update;
    update public.businesses b set search_document = made.document, price_from = made.price
    from (
      select k.id, private.search_document(k) as document, (select min(s.price) from public.services s where s.business_id = k.id) as price
      from public.businesses k where k.id = any (touched) offset 0
    ) made
    where b.id = made.id and (b.search_document, b.price_from) is distinct from (made.document, made.price);
    return null;
  end
  $$;
create or replace trigger document_added after insert on public.services
  referencing new table as added for each statement execute function private.document_services();
create or replace trigger document_removed after delete on public.services
  referencing old table as removed for each statement execute function private.document_services();
create or replace trigger document_changed after update on public.services
  referencing old table as removed new table as added for each statement execute function private.document_services();

-- Adds the words of new documents to the known words, and marks that search alerts may have a match.
create or replace function private.learn_documents() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    perform private.learn_words(array_agg(lexeme), array_agg(weight))
    from (
      select distinct lexeme, coalesce(weight, 'D') as weight
      from added, unnest(added.search_document) as found left join lateral unnest(weights) as weight on true
      where lexeme !~ '^[^l]/'
    ) as new;
    if tg_op = 'INSERT' then
      insert into private.search_changes default values;
    -- Counted, as the planner would look for the first one row by row.
    elsif (select count(*) from added join removed using (id) where added.search_document <> removed.search_document) > 0 then
      insert into private.search_changes default values;
    end if;
    return null;
  end
  $$;
create or replace trigger learn_added after insert on public.businesses
  referencing new table as added for each statement execute function private.learn_documents();
create or replace trigger learn_changed after update on public.businesses
  referencing old table as removed new table as added for each statement execute function private.learn_documents();

-- Updates service_names, once per statement of any size, in key order like count_businesses.
create or replace function private.count_service_names() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    gained text[];
    lost text[];
  begin
    if tg_op = 'INSERT' then
      gained := array(select name from added);
    elsif tg_op = 'DELETE' then
      lost := array(select name from removed);
    else
      gained := array(select a.name from added a join removed r using (id) where a.name <> r.name);
      lost := array(select r.name from added a join removed r using (id) where a.name <> r.name);
    end if;
    insert into private.service_names as n (normalized_name, name, offered)
    select normalized, min(name), sum(change)
    from (
      select private.normalize(name) as normalized, name, 1 as change from unnest(gained) as name
      union all
      select private.normalize(name), name, -1 from unnest(lost) as name
    ) changed
    where normalized <> ''
    group by 1 having sum(change) <> 0
    order by 1
    on conflict (normalized_name) do update set offered = n.offered + excluded.offered;
    delete from private.service_names n
    where n.offered <= 0 and n.normalized_name in (select private.normalize(name) from unnest(lost) as name);
    return null;
  end
  $$;
create or replace trigger count_names_added after insert on public.services
  referencing new table as added for each statement execute function private.count_service_names();
create or replace trigger count_names_removed after delete on public.services
  referencing old table as removed for each statement execute function private.count_service_names();
create or replace trigger count_names_changed after update on public.services
  referencing old table as removed new table as added for each statement execute function private.count_service_names();
