-- The size of the directory, a sample of it, and estimates, from which searches choose how they are run.

-- The number of businesses as of the last analysis, at least 1.
create or replace function private.directory_size() returns real
  language sql stable parallel safe
  set search_path = ''
  as $$
    select greatest(1, c.reltuples) from pg_class c where c.oid = 'public.businesses'::regclass
  $$;

-- A sample of the businesses: the rows of pages at equal distances, so that no other page is considered. It grows like
-- what a page of results costs (private.is_broad).
create or replace function private.sampled_rows() returns setof tid
  language sql stable parallel safe rows 1000
  set search_path = ''
  as $$
    select format('(%s,%s)', page, item)::tid
    from pg_class c, private.directory_size() as size,
      lateral (select ceil(size / greatest(1, c.relpages))::integer as page_rows) density,
      lateral generate_series(0, c.relpages - 1, greatest(1, (c.relpages * page_rows / sqrt(size))::integer)) as page,
      lateral generate_series(1, 2 * page_rows) as item
    where c.oid = 'public.businesses'::regclass
  $$;

-- The planner's estimate of the number of businesses that a query matches; of all for null.
-- Volatile, as only such functions may explain.
create or replace function private.estimated_rows(query tsquery) returns real
  language plpgsql volatile parallel safe
  set search_path = ''
  as $$
  declare
    plan json;
  begin
    execute format('explain (format json) select from public.businesses b where b.search_document @@ %L or %L', query, query is null) into plan;
    return plan -> 0 -> 'Plan' ->> 'Plan Rows';
  end
  $$;
