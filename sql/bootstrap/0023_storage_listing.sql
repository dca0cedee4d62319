-- Listing by name reads the index in chunks, or jumps from folder to folder, whichever
-- is less work for what is there.
set local role supabase_storage_admin;

-- Makes four functions that list what lies right below a prefix, and differ in the index
-- they read and in its direction: walk_names and walk_names_down by name in lower case,
-- walk_keys and walk_keys_down by bytes. delimiter ends a folder, which has no id. They
-- begin behind after (a folder is passed whole; empty: at the first), leave skip entries
-- out and give most.
do $make$
declare
  variant record;
  walk constant text := $walk$
create function storage.<walk>(bucket text, wanted text, delimiter text, after text, skip int, most int)
  returns table (name text, id uuid, updated_at timestamptz, created_at timestamptz, last_accessed_at timestamptz, metadata jsonb)
  language plpgsql stable
  -- The index has the order, whatever the arguments are, also of names that differ by case alone.
  set enable_sort = off
  set plan_cache_mode = force_generic_plan
  as $body$
  #variable_conflict use_column
  declare
    low constant text collate "C" := <low>;
    high constant text collate "C" := low || chr(1114111);
    base constant int := length(low) + 1;
    inside constant int := length(low) + length(delimiter) - 1; -- of a folder's key, before the place of its delimiter
    seek text collate "C" := <first>;
    behind text collate "C";
    todo int := greatest(skip, 0);
    remaining int := most;
    chunk int := 1024;
    size int;
    rows_read int;
    entries int;
    jump boolean;
    batch int := 16;
    entry record;
  begin
    if after <> '' then
      select <further>(seek, <behind>) into seek from (select <after> as key, position(delimiter in substr(<after>, base)) as at) k;
    end if;
    select k.at > 0 into jump from (<keys>) k where key <from> seek and key <until> order by key <order> limit 1;
    while found and remaining > 0 loop
      if jump then
        -- From each entry to the next. Names that differ by case alone come as the index has them.
        size := least(todo + remaining, batch);
        entries := 0;
        for entry in
          with recursive jumps as (
            (select * from (<keys>) k where key <from> seek and key <until> order by key <order> limit 1)
            union all
            select next.* from jumps j, lateral (select * from (<keys>) k where key <from> j.behind and key <until> order by key <order> limit 1) next
          )
          select j.at, j.behind, coalesce(o.name, left(j.name, length(wanted) + j.at + length(delimiter) - 1)) as name,
            o.id, o.updated_at, o.created_at, o.last_accessed_at, o.metadata
          from (select * from jumps limit size) j
          left join lateral (select o.* from storage.objects o where j.at = 0 and o.bucket_id = bucket and <key> >= j.key and <key> < j.key || chr(1) order by <key> <order>) o on true
        loop
          entries := entries + 1;
          seek := entry.behind;
          if todo > 0 then
            todo := todo - 1;
            continue;
          end if;
          name := entry.name;
          id := entry.id;
          updated_at := entry.updated_at;
          created_at := entry.created_at;
          last_accessed_at := entry.last_accessed_at;
          metadata := entry.metadata;
          return next;
          remaining := remaining - 1;
          exit when remaining = 0;
        end loop;
        exit when entries < size;
        jump := false; -- unless a chunk finds again that folders are large
        batch := least(batch * 4, 1024);
        chunk := 32;
      elsif todo > 0 then
        size := least(todo, chunk);
        select count(*), count(*) filter (where begins), <last>(c.behind) into rows_read, entries, behind from (<chunk>) c;
        exit when rows_read < size;
        jump := entries * 8 < size or entries > todo; -- more than were asked for: names that differ by case alone
        continue when entries > todo;
        todo := todo - entries;
        seek := behind;
        batch := case when jump then batch else 16 end;
        chunk := least(chunk * 8, 8192);
      else
        size := least(remaining, chunk);
        return query
          select case when at = 0 then name else left(name, length(wanted) + at + length(delimiter) - 1) end, case when at = 0 then id end,
            case when at = 0 then updated_at end, case when at = 0 then created_at end, case when at = 0 then last_accessed_at end, case when at = 0 then metadata end
          from (<chunk>) c where begins limit remaining;
        get diagnostics entries = row_count;
        remaining := remaining - entries;
        exit when remaining = 0;
        select <behind> into seek from (select key, position(delimiter in substr(key, base)) as at from (
          select <key> as key from storage.objects o
          where o.bucket_id = bucket and <key> <from> seek and <key> <until> order by <key> <order> offset size - 1 limit 1) l) k;
        jump := entries * 4 < size;
        batch := case when jump then batch else 16 end;
        chunk := chunk * 4;
      end if;
    end loop;
  end
  $body$;
grant execute on function storage.<walk>(text, text, text, text, int, int) to anon, authenticated, service_role$walk$;
  -- Where the walk goes on behind an entry: behind the file, or behind all of the folder.
  behind constant text := 'case when k.at = 0 then k.key<file> else left(k.key, inside + k.at)<folder> end';
  keys constant text := $keys$select k.*, <behind> as behind from (
              select <key> as key, o.name, position(delimiter in substr(<key>, base)) as at from storage.objects o where o.bucket_id = bucket) k$keys$;
  -- Names that differ by case alone are in one chunk.
  chunk constant text := $chunk$select *, at = 0 or behind is distinct from lag(behind) over () as begins from (
            select *, <behind> as behind from (
              select *, position(delimiter in substr(key, base)) as at from (
                select <key> as key, o.name, o.id, o.updated_at, o.created_at, o.last_accessed_at, o.metadata from storage.objects o
                where o.bucket_id = bucket and <key> <from> seek and <key> <until> order by <key> <order> fetch first size rows with ties
              ) s) k) q$chunk$;
  made text;
  part record;
begin
  for variant in
    select k.walk || d.suffix as walk, k.key, k.low, k.after, d.* from
      (values ('walk_names', 'storage.lower_name(o.name) collate "C"', 'storage.lower_name(wanted)', 'storage.lower_name(after)'), ('walk_keys', 'o.name collate "C"', 'wanted', 'after')) k (walk, key, low, after),
      (values ('', '>=', '< high', '', 'low', 'greatest', 'max', ' || chr(1)', ' || chr(1114111)'), ('_down', '<', '>= low', 'desc', 'high', 'least', 'min', '', '')) d (suffix, "from", until, "order", first, further, last, file, folder)
  loop
    made := replace(replace(replace(walk, '<keys>', keys), '<chunk>', chunk), '<behind>', behind);
    for part in select * from json_each_text(to_json(variant)) loop
      made := replace(made, '<' || part.key || '>', part.value);
    end loop;
    execute made;
  end loop;
end
$make$;

-- search in order of time.
create function storage.search_by_time(prefix text, bucketname text, limits int, offsets int, search text, sortcolumn text, descending boolean)
  returns table (name text, id uuid, updated_at timestamptz, created_at timestamptz, last_accessed_at timestamptz, metadata jsonb)
  language plpgsql stable
  as $$
  declare
    base constant int := length(prefix);
    wanted constant text := prefix || search;
    low constant text := storage.lower_name(wanted);
  begin
    return query execute format($sql$
      with hits as not materialized (
        select o.*, position('/' in substr(o.name, length($1) + 1)) as at from storage.objects o where o.bucket_id = $2 %s
      ), entries as (
        select 0 as rank, substr(rtrim(inside, '/'), $3 + 1) as name, null::uuid as id, null::timestamptz as updated_at,
            null::timestamptz as created_at, null::timestamptz as last_accessed_at, null::jsonb as metadata
          from (select distinct left(name, length($1) + at) as inside from hits where at > 0) folders
        union all
        select 1, substr(name, $3 + 1), id, updated_at, created_at, last_accessed_at, metadata from hits where at = 0
      )
      select name, id, updated_at, created_at, last_accessed_at, metadata from entries order by rank, %I %3$s, name %3$s limit $4 offset $5
    $sql$, case when low <> '' then 'and storage.lower_name(o.name) collate "C" >= $6 and storage.lower_name(o.name) collate "C" < $6 || chr(1114111)' end, sortcolumn, case when descending then 'desc' end)
      using wanted, bucketname, base, limits, offsets, low;
  end
  $$;

-- search_v2 in order of time.
create function storage.search_v2_by_time(prefix text, bucket_name text, limits int, levels int, start_after text, descending boolean, sort_column text, since timestamptz)
  returns table (key text, name text, id uuid, updated_at timestamptz, created_at timestamptz, last_accessed_at timestamptz, metadata jsonb)
  language plpgsql stable
  as $$
  begin
    return query execute format($sql$
      with hits as not materialized (
        select o.*, position('/' in substr(o.name, length($1) + 1)) as at from storage.objects o
        where o.bucket_id = $2 and o.name collate "C" >= $1 and o.name collate "C" < $1 || chr(1114111)
      ), entries as (
        select left(name, length($1) + at) as name, null::uuid as id, min(created_at) as updated_at, min(created_at) as created_at,
            null::timestamptz as last_accessed_at, null::jsonb as metadata
          from hits where at > 0 group by 1
        union all
        select name, id, updated_at, created_at, last_accessed_at, metadata from hits where at = 0
      ), timed as (
        select *, date_trunc('milliseconds', %I) as moment from entries
      )
      select split_part(name, '/', $3), name, id, updated_at, created_at, last_accessed_at, metadata from timed
      where $4 = '' or (moment, name collate "C") %s ($5, $4)
      order by moment %s, name collate "C" %3$s
      limit $6
    $sql$, sort_column, case when descending then '<' else '>' end, case when descending then 'desc' end)
      using prefix, bucket_name, levels, start_after, since, limits;
  end
  $$;

grant execute on function storage.search_by_time, storage.search_v2_by_time to anon, authenticated, service_role;

-- The functions below are of one statement, which PostgreSQL makes part of the caller's;
-- their branches exclude one another. What they give stands at 0014_storage.sql.

create or replace function storage.search(
  prefix text, bucketname text, limits int default 100, levels int default 1, offsets int default 0,
  search text default '', sortcolumn text default 'name', sortorder text default 'asc'
) returns table (name text, id uuid, updated_at timestamptz, created_at timestamptz, last_accessed_at timestamptz, metadata jsonb)
  language sql stable
  as $$
    select substr(case when id is null then rtrim(name, '/') else name end, length(coalesce(prefix, '')) + 1), id, updated_at, created_at, last_accessed_at, metadata
    from storage.walk_names(bucketname, concat(prefix, search), '/', '', coalesce(offsets, 0), least(coalesce(limits, 100), 1500))
    where lower(sortcolumn) in ('updated_at', 'created_at', 'last_accessed_at') is not true and lower(sortorder) is distinct from 'desc'
    union all
    select substr(case when id is null then rtrim(name, '/') else name end, length(coalesce(prefix, '')) + 1), id, updated_at, created_at, last_accessed_at, metadata
    from storage.walk_names_down(bucketname, concat(prefix, search), '/', '', coalesce(offsets, 0), least(coalesce(limits, 100), 1500))
    where lower(sortcolumn) in ('updated_at', 'created_at', 'last_accessed_at') is not true and lower(sortorder) = 'desc'
    union all
    select * from storage.search_by_time(coalesce(prefix, ''), bucketname, least(coalesce(limits, 100), 1500), coalesce(offsets, 0), coalesce(search, ''), lower(sortcolumn), lower(sortorder) is not distinct from 'desc')
    where lower(sortcolumn) in ('updated_at', 'created_at', 'last_accessed_at')
  $$;

create or replace function storage.list_objects_with_delimiter(
  _bucket_id text, prefix_param text, delimiter_param text, max_keys int default 100,
  start_after text default '', next_token text default '', sort_order text default 'asc'
) returns table (name text, id uuid, metadata jsonb, updated_at timestamptz, created_at timestamptz, last_accessed_at timestamptz)
  language sql stable
  as $$
    select name, id, metadata, updated_at, created_at, last_accessed_at
    from storage.walk_keys(_bucket_id, coalesce(prefix_param, ''), delimiter_param, coalesce(nullif(next_token, ''), start_after, ''), 0, max_keys)
    where lower(sort_order) is distinct from 'desc'
    union all
    select name, id, metadata, updated_at, created_at, last_accessed_at
    from storage.walk_keys_down(_bucket_id, coalesce(prefix_param, ''), delimiter_param, coalesce(nullif(next_token, ''), start_after, ''), 0, max_keys)
    where lower(sort_order) = 'desc'
  $$;

create or replace function storage.search_v2(
  prefix text, bucket_name text, limits int default 100, levels int default 1, start_after text default '',
  sort_order text default 'asc', sort_column text default 'name', sort_column_after text default ''
) returns table (key text, name text, id uuid, updated_at timestamptz, created_at timestamptz, last_accessed_at timestamptz, metadata jsonb)
  language sql stable
  as $$
    select split_part(name, '/', levels), name, id, updated_at, created_at, last_accessed_at, metadata
    from storage.list_objects_with_delimiter(bucket_name, prefix, '/', least(coalesce(limits, 100), 1500), start_after, '', sort_order)
    where lower(sort_column) in ('updated_at', 'created_at') is not true
    union all
    select * from storage.search_v2_by_time(coalesce(prefix, ''), bucket_name, least(coalesce(limits, 100), 1500), levels, coalesce(start_after, ''),
      lower(sort_order) is not distinct from 'desc', lower(sort_column), coalesce(nullif(sort_column_after, '')::timestamptz, 'epoch'))
    where lower(sort_column) in ('updated_at', 'created_at')
  $$;

reset role;
