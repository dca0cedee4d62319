-- A sample of the directory, from which searches choose how they are run.

-- The number of businesses as of the last analysis, at least 1.
create or replace function private.directory_size() returns real
  language sql stable parallel safe
  set search_path = ''
  as $$
    select greatest(1, c.reltuples) from pg_class c where c.oid = 'public.businesses'::regclass
  $$;

-- Whether a business is one of the sample: one in 64, as ids are random. The sample has a search index of its own.
create or replace function private.is_sampled(id uuid) returns boolean
  language sql immutable parallel safe
  as $$
    select get_byte(uuid_send(id), 15) & 63 = 0
  $$;

-- The step of a ranking, 200 for each star, by which the search index gathers the best hits first.
create or replace function private.ranking_step(ranking real) returns integer
  language sql immutable parallel safe
  as $$
    select floor(200 * ranking)::integer
  $$;

-- Estimates of what a search matches: hits of its queries, those of them that pass its filters, and, best first, steps of
-- the ranking down to which a page, three pages, and so on are expected, the last one 0. There are at most as many as 1,000
-- businesses of the sample mean.
create or replace function private.estimated(s private.search, out hits integer, out passing integer, out best_steps integer[])
  language plpgsql immutable parallel safe
  set search_path = '' set plan_cache_mode = force_custom_plan set cpu_index_tuple_cost = 0.1
  as $$
  declare
    one_in constant integer := 64;
    most_sampled constant integer := 1000;
    rankings real[];
  begin
    -- Because of the offset, no index of what a filter asks for is used.
    select one_in * count(*), one_in * count(*) filter (where b.passes), array_agg(b.ranking order by b.ranking desc) filter (where b.passes)
    into hits, passing, rankings
    from (
      select b.ranking, private.passes(b, s) is true as passes
      from (select * from public.businesses k where private.is_sampled(k.id) and private.matches_all(k.search_document, s.queries) offset 0) b
      limit most_sampled
    ) b;
    best_steps := array(
      select distinct private.ranking_step(rankings[place]) as step
      from unnest('{1,3,10,30,100,300}'::integer[]) as place where place <= cardinality(rankings)
      order by step desc) || 0;
  end
  $$;

-- Whether so many of the sample match a search that it surely has more than a number of hits: six standard deviations more
-- than so many hits have in the sample.
create or replace function private.has_more_than(s private.search, p_hits integer) returns boolean
  language plpgsql immutable parallel safe
  set search_path = '' set plan_cache_mode = force_custom_plan set cpu_index_tuple_cost = 0.1
  as $$
  declare
    expected constant real := p_hits / 64.0;
    certain constant integer := ceil(expected + 6 * sqrt(expected) + 5);
  begin
    return certain = (select count(*) from (
      select from (select * from public.businesses k where private.is_sampled(k.id) and private.matches_all(k.search_document, s.queries) offset 0) b
      where private.passes(b, s) limit certain) found);
  end
  $$;
