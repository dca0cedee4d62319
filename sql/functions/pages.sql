-- Servers keep the pages that visitors see for up to a minute (functions/pages); these notifications tell them what to
-- drop. A payload has a line for each: "b:<id>" pages of a business, "l:<slug>" lists of a place, "l:" lists of all places,
-- "p:<path>" a path; "all" drops everything.

-- Notifies about some businesses and the places they are or were in.
create or replace function private.notify_pages(changed uuid[], places text[]) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    if cardinality(changed) = 0 then
      return;
    end if;
    -- Forty take less than half of the 8,000 bytes that a notification may have.
    perform pg_catalog.pg_notify('plaza_pages', case when cardinality(changed) > 40 then 'all' else (
      select string_agg(distinct word, e'\n') from (
        select 'b:' || id from unnest(changed) as id
        union all
        select 'l:'
        union all
        select 'l:' || slug from unnest(places) as slug
        union all
        select 'l:' || c.part_of from public.cities c where c.slug = any (places)
      ) as words (word)) end);
  end
  $$;
revoke execute on function private.notify_pages(uuid[], text[]) from public;

create or replace function private.note_businesses() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    if tg_op = 'INSERT' then
      perform private.notify_pages(array(select id from added limit 41), array(select distinct city_slug from added));
    elsif tg_op = 'DELETE' then
      perform private.notify_pages(array(select id from removed limit 41), array(select distinct city_slug from removed));
    else
      perform private.notify_pages(array(select id from added limit 41),
        array(select city_slug from added union select city_slug from removed));
    end if;
    return null;
  end
  $$;
create or replace trigger note_added after insert on public.businesses
  referencing new table as added for each statement execute function private.note_businesses();
create or replace trigger note_removed after delete on public.businesses
  referencing old table as removed for each statement execute function private.note_businesses();
create or replace trigger note_changed after update on public.businesses
  referencing old table as removed new table as added for each statement execute function private.note_businesses();

-- What belongs to businesses: services and photos. Reviews change the rating of their business.
create or replace function private.note_parts() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    changed uuid[];
  begin
    if tg_op = 'DELETE' then
      changed := array(select distinct business_id from removed limit 41);
    else
      changed := array(select distinct business_id from added limit 41);
    end if;
    perform private.notify_pages(changed, array(select distinct b.city_slug from public.businesses b where b.id = any (changed)));
    return null;
  end
  $$;
create or replace trigger note_added after insert on public.services
  referencing new table as added for each statement execute function private.note_parts();
create or replace trigger note_removed after delete on public.services
  referencing old table as removed for each statement execute function private.note_parts();
create or replace trigger note_changed after update on public.services
  referencing new table as added for each statement execute function private.note_parts();
create or replace trigger note_added after insert on public.business_photos
  referencing new table as added for each statement execute function private.note_parts();
create or replace trigger note_removed after delete on public.business_photos
  referencing old table as removed for each statement execute function private.note_parts();
create or replace trigger note_changed after update on public.business_photos
  referencing new table as added for each statement execute function private.note_parts();

-- Redirects concern the path that they begin at.
create or replace function private.note_redirects() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    words text[];
  begin
    if tg_op = 'INSERT' then
      words := array(select 'p:' || old_url from added limit 41);
    elsif tg_op = 'DELETE' then
      words := array(select 'p:' || old_url from removed limit 41);
    else
      words := array(select 'p:' || old_url from added union select 'p:' || old_url from removed limit 41);
    end if;
    if cardinality(words) > 0 then
      perform pg_catalog.pg_notify('plaza_pages', case
        when cardinality(words) > 40 or octet_length(array_to_string(words, e'\n')) > 7500 then 'all'
        else array_to_string(words, e'\n') end);
    end if;
    return null;
  end
  $$;
create or replace trigger note_added after insert on public.url_redirects
  referencing new table as added for each statement execute function private.note_redirects();
create or replace trigger note_removed after delete on public.url_redirects
  referencing old table as removed for each statement execute function private.note_redirects();
create or replace trigger note_changed after update on public.url_redirects
  referencing old table as removed new table as added for each statement execute function private.note_redirects();

-- Categories and places are on most pages.
create or replace function private.note_directory() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    perform pg_catalog.pg_notify('plaza_pages', 'all');
    return null;
  end
  $$;
create or replace trigger note after insert or update or delete on public."categories-plaza"
  for each statement execute function private.note_directory();
create or replace trigger note after insert or update or delete on public.cities
  for each statement execute function private.note_directory();
-- The words of category synonyms are part of what a search finds.
create or replace trigger note after insert or update or delete on public.category_synonyms
  for each statement execute function private.note_directory();
