-- Samples of the directory, from which searches choose how they are run.

-- The number of businesses as of the last analysis, at least 1.
create or replace function private.directory_size() returns real
  language sql stable parallel safe
  set search_path = ''
  as $$
    select greatest(1, c.reltuples) from pg_class c where c.oid = 'public.businesses'::regclass
  $$;

-- Whether a business is one of the large sample: one in 64, as ids are random. It has a search index of its own.
create or replace function private.is_sampled(id uuid) returns boolean
  language sql immutable parallel safe
  as $$
    select get_byte(uuid_send(id), 15) & 63 = 0
  $$;

-- The small sample: 1,000 businesses, always the same, so that they are in memory.
create or replace function private.sampled_businesses() returns setof public.businesses
  language sql stable parallel safe rows 1000
  as $$
    select * from public.businesses where id >= '80000000-0000-0000-0000-000000000000' order by id limit 1000
  $$;

-- Whether any business matches a query: usually one of the best or of the sample, otherwise one in the index, of which it
-- takes all. It does not scan the table, which the planner would choose in the hope of finding one soon.
create or replace function private.finds_any(p_query tsquery) returns boolean
  language plpgsql stable parallel safe
  set search_path = '' set enable_seqscan = off set plan_cache_mode = force_custom_plan
  as $$
  declare
    queries constant tsquery[] := private.conjuncts(p_query);
  begin
    return exists (select from (select * from public.businesses order by ranking desc, created_at desc limit 200) b where b.search_document @@ p_query)
      or exists (select from private.sampled_businesses() b where b.search_document @@ p_query)
      or exists (select from public.businesses b where private.matches_all(b.search_document, queries));
  end
  $$;

-- The businesses of a sample that match the queries of a search. Because of the offset, no index of what a filter asks for is
-- used.
create or replace function private.sampled_hits(s private.search, is_large boolean) returns setof public.businesses
  language sql stable parallel safe rows 1000
  as $$
    select b.* from private.sampled_businesses() b where not is_large and private.matches_all(b.search_document, s.queries)
    union all
    select l.*
    from (select * from public.businesses k where is_large and private.is_sampled(k.id) and private.matches_all(k.search_document, s.queries) offset 0) l
  $$;

-- Estimates of what a search matches: hits of its queries, those of them that pass its filters, and, best first, steps of
-- the ranking down to which some, three times as many, and so on are expected, the last one 0. Of frequent words the index
-- of the large sample takes longer than the small sample, which has enough.
create or replace function private.estimated(s private.search, out hits integer, out passing integer, out best_steps integer[])
  language plpgsql immutable parallel safe
  set search_path = '' set plan_cache_mode = force_custom_plan set enable_seqscan = off
  as $$
  declare
    many constant integer := 100;
    most_sampled constant integer := 1000;
    is_large constant boolean := (select count(*) from private.sampled_hits(s, false)) < many;
    each constant real := case when is_large then 64 else private.directory_size() / 1000 end;
    rankings real[];
  begin
    select each * count(*), each * count(*) filter (where b.passes), array_agg(b.ranking order by b.ranking desc) filter (where b.passes)
    into hits, passing, rankings
    from (select b.ranking, private.passes(b, s) is true as passes from private.sampled_hits(s, is_large) b limit most_sampled) b;
    best_steps := array(
      select distinct private.ranking_step(rankings[place]) as step
      from unnest('{1,3,10,30,100,300}'::integer[]) as place where place <= cardinality(rankings)
      order by step desc) || 0;
  end
  $$;

-- Whether so many of a sample match a search that it surely has more than a number of hits: six standard deviations more
-- than so many hits have in the sample.
create or replace function private.has_more_than(s private.search, p_hits integer) returns boolean
  language plpgsql immutable parallel safe
  set search_path = '' set plan_cache_mode = force_custom_plan set enable_seqscan = off
  as $$
  declare
    is_large boolean;
    expected real;
    certain integer;
  begin
    foreach is_large in array array[false, true] loop
      expected := p_hits / case when is_large then 64 else private.directory_size() / 1000 end;
      certain := ceil(expected + 6 * sqrt(expected) + 5);
      if certain = (select count(*) from (select from private.sampled_hits(s, is_large) b where private.passes(b, s) limit certain) found) then
        return true;
      end if;
    end loop;
    return false;
  end
  $$;
