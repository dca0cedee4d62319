-- Repairs of integrity findings that lose nothing: values that follow from others are computed again, and what expires by
-- itself is ended.

create or replace function private.repair_rating(p_id text) returns void
  language plpgsql
  set search_path = ''
  as $$
  begin
    perform private.refresh_rating(p_id::uuid);
  end
  $$;

-- As private.expire_booking ends it: both sides are notified.
create or replace function private.repair_past_pending(p_id text) returns void
  language plpgsql
  set search_path = ''
  as $$
  declare
    due record;
  begin
    select k.business_id, k.user_id into due from public.bookings k where k.id = p_id::uuid;
    perform private.lock_bookings(due.business_id, due.user_id);
    update public.bookings k
    set status = 'cancelled', cancel_kind = 'expired', proposed_date = null, proposed_start = null, proposed_by = null
    where k.id = p_id::uuid and k.status = 'pending';
  end
  $$;

create or replace function private.repair_duplicate_categories(p_id text) returns void
  language sql
  set search_path = ''
  as $$
    delete from public.business_categories extra
    where extra.business_id = split_part(p_id, '/', 1)::uuid and extra.category_id = split_part(p_id, '/', 2)::uuid
      and exists (
        select from public.business_categories kept
        where (kept.business_id, kept.category_id) = (extra.business_id, extra.category_id) and kept.ctid < extra.ctid)
  $$;

-- Counted while nobody adds a business, who would be counted twice or not at all.
create or replace function private.repair_directory_counts(p_id text) returns void
  language plpgsql
  set search_path = ''
  as $$
  declare
    city constant text := split_part(p_id, '/', 1);
    category constant text := split_part(p_id, '/', 2);
  begin
    lock table public.businesses in share row exclusive mode;
    insert into public.directory_counts (city_slug, category_code, businesses)
    select city, category, count(*) from public.businesses b
    where coalesce(b.city_slug, '') = city and coalesce(b.category_code, '') = category
    on conflict (city_slug, category_code) do update set businesses = excluded.businesses;
  end
  $$;

create or replace function private.repair_lowest_prices(p_id text) returns void
  language sql
  set search_path = ''
  as $$
    update public.businesses b set price_from = (select min(s.price) from public.services s where s.business_id = b.id)
    where b.id = p_id::uuid
  $$;

create or replace function private.repair_claimed_state(p_id text) returns void
  language sql
  set search_path = ''
  as $$
    update public.businesses b set is_claimed = b.owner_id is not null where b.id = p_id::uuid
  $$;

create or replace function private.repair_stale_addresses(p_id text) returns void
  language plpgsql
  set search_path = ''
  as $$
  begin
    update public.businesses b set url_path = coalesce(private.migrated_path(b), b.url_path) where b.id = p_id::uuid;
  end
  $$;
revoke execute on function private.repair_rating(text), private.repair_past_pending(text), private.repair_duplicate_categories(text),
  private.repair_directory_counts(text), private.repair_lowest_prices(text), private.repair_claimed_state(text),
  private.repair_stale_addresses(text) from public, anon, authenticated;

-- The ids of those that a check finds now.
create or replace function private.still_found(p_check text, p_ids text[]) returns text[]
  language plpgsql
  set search_path = ''
  as $$
  declare
    ids text[];
  begin
    execute format('select coalesce(array_agg(f.id), ''{}'') from private.%I() f where f.id = any ($1)', 'find_' || p_check)
    into ids using p_ids;
    return ids;
  end
  $$;
revoke execute on function private.still_found(text, text[]) from public, anon, authenticated;

-- Repairs findings, each by itself, and checks the result of each: 'repaired'; 'unchanged' if it was no finding any more;
-- 'failed' if the repair was refused or did not help.
create or replace function public.admin_repair_integrity(p_check text, p_ids text[]) returns table (id text, result text)
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    most constant integer := 100;
    repair constant text := case when p_check in ('rating_range', 'rating_deviates', 'review_counts') then 'repair_rating' else 'repair_' || p_check end;
    before text[];
    refused text[] := '{}';
    one text;
  begin
    perform private.require_admin();
    if not exists (select from private.integrity_kinds() k where k.key = p_check and k.is_repairable) then
      perform private.fail(422, 'not_repairable', 'What this check finds cannot be repaired here');
    elsif cardinality(p_ids) > most then
      perform private.fail(422, 'too_many_rows', format('At most %s rows are repaired at once', most));
    end if;
    before := private.still_found(p_check, p_ids);
    foreach one in array before loop
      begin
        execute format('select private.%I($1)', repair) using one;
      exception when others then
        raise log 'integrity repair % of % failed: % %', p_check, one, sqlstate, sqlerrm;
        refused := refused || one;
      end;
    end loop;
    refused := refused || private.still_found(p_check, before);
    return query
      select asked.one, case when asked.one = any (refused) then 'failed' when asked.one = any (before) then 'repaired' else 'unchanged' end
      from (select distinct unnest(p_ids) as one) asked;
  end
  $$;
revoke execute on function public.admin_repair_integrity(text, text[]) from public, anon;
