-- Listing by name reads rows of the index, or steps from folder to folder, whichever is
-- less work for what is there.
set local role supabase_storage_admin;

-- search in order of time.
create function storage.search_by_time(prefix text, bucketname text, limits int, offsets int, search text, sortcolumn text, descending boolean)
  returns table (name text, id uuid, updated_at timestamptz, created_at timestamptz, last_accessed_at timestamptz, metadata jsonb)
  language plpgsql stable
  set enable_sort = on -- the callers turn it off
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
  set enable_sort = on -- the callers turn it off
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

-- search, list_objects_with_delimiter and search_v2 by name. What they give stands at
-- 0014_storage.sql. They share the text of a walk along an index, which is made for each
-- direction, for names in lower case and for names as they are. Its inputs are variables:
-- bucket; wanted, the prefix; delimiter, the end of a folder; after, the entry behind which
-- it begins (empty: at the first; a folder is passed whole); skip, entries to leave out;
-- most, entries to return.
do $make$
declare
  walk constant text := $walk$
    low := <low>;
    high := low || chr(1114111);
    base := length(low) + 1;
    inside := length(low) + length(delimiter) - 1;
    seek := <first>;
    if after <> '' then
      select <further>(seek, <behind>) into seek from (select <after> as key, position(delimiter in substr(<after>, base)) as at) k;
    end if;
    <<walk>>
    while most > 0 loop
      if stepping then
        -- Folders are large: from each to the next, without what is in them, up to a file.
        -- After so many of them rows are read, which shows whether they still are large.
        entries := 0;
        size := least(stride, skip + most);
        for entry, behind, at in
          with recursive steps as (
            (select o.name, <value> as key, position(delimiter in substr(<value>, base)) as at from storage.objects o
              where o.bucket_id = bucket and <key> <from> seek and <key> <until> order by <key> <order> limit 1)
            union all
            select next.* from steps k, lateral (select o.name, <value> as key, position(delimiter in substr(<value>, base)) as at from storage.objects o
              where o.bucket_id = bucket and <key> <from> <behind> and <key> <until> order by <key> <order> limit 1) next where k.at > 0
          )
          select k.name, <behind>, k.at from steps k limit size
        loop
          exit when at = 0;
          entries := entries + 1;
          seek := behind;
          if skip > 0 then
            skip := skip - 1;
          else
            <folder>
            return next;
            most := most - 1;
          end if;
        end loop;
        if entries < size then
          exit walk when at > 0 or at is null; -- nothing is left
        end if;
        stepping := false;

      elsif counting and skip > 64 then
        -- Rows are counted in chunks for as long as most of them are entries.
        size := least(skip, chunk);
        select count(*), count(*) filter (where begins), <last>(c.behind) into rows_read, entries, behind from (<chunk>) c;
        exit walk when rows_read < size;
        counting := entries * 2 > size and entries <= skip; -- more than were to be skipped: names that differ by case alone
        continue when entries > skip;
        skip := skip - entries;
        seek := behind;
        chunk := least(chunk * 8, 8192);

      else
        -- Row by row, until a folder turns out to be large.
        at := 0;
        rows_inside := 0;
        entries := 0;
        for entry, entry_key, <targets>, id, updated_at, created_at, last_accessed_at, metadata in
          select o.name, <value>, <values>, o.id, o.updated_at, o.created_at, o.last_accessed_at, o.metadata from storage.objects o
          where o.bucket_id = bucket and <key> <from> seek and <key> <until> order by <key> <order>
        loop
          if at > 0 and not entry_key <from> seek then
            rows_inside := rows_inside + 1;
            stepping := rows_inside = 5;
            exit when stepping;
            continue;
          end if;
          at := position(delimiter in substr(entry_key, base));
          if at > 0 then
            seek := left(entry_key, inside + at)<within>;
            rows_inside := 0;
          end if;
          if skip > 0 then
            skip := skip - 1;
            continue;
          end if;
          if at > 0 then
            <folder> id := null; updated_at := null; created_at := null; last_accessed_at := null; metadata := null;
          end if;
          return next;
          entries := entries + 1;
          most := most - 1;
          exit walk when most = 0;
        end loop;
        exit walk when not stepping;
        id := null; updated_at := null; created_at := null; last_accessed_at := null; metadata := null;
        stepping := entries < 2;
        stride := case when stepping then least(stride * 4, 1024) else stride end;
      end if;
    end loop;
$walk$;
  variables constant text := $variables$
    low text collate "C";
    high text collate "C";
    base int;
    inside int; -- of a folder's key, before the place of its delimiter
    shown constant int := length(wanted) + length(delimiter) - 1; -- the same of its name, whose length may be another in lower case
    seek text collate "C";
    behind text collate "C";
    entry text;
    entry_key text collate "C";
    at int;
    stepping boolean := true;
    stride int := 32; -- steps before rows are read again
    counting boolean := true;
    chunk int := 256;
    size int;
    rows_read int;
    rows_inside int; -- of a folder, behind its first
    entries int;
$variables$;
  -- Where the walk goes on: behind the file, or behind all of the folder.
  behind constant text := 'case when k.at = 0 then k.key<file> else left(k.key, inside + k.at)<within> end';
  -- Names that differ by case alone are in one chunk.
  chunk constant text := $chunk$select *, at = 0 or behind is distinct from lag(behind) over () as begins from (
          select *, <behind> as behind from (
            select key, position(delimiter in substr(key, base)) as at from (
              select <value> as key from storage.objects o
              where o.bucket_id = bucket and <key> <from> seek and <key> <until> order by <key> <order> fetch first size rows with ties
            ) s) k) q$chunk$;
  search constant text := $search$
create or replace function storage.search(
  prefix text, bucketname text, limits int default 100, levels int default 1, offsets int default 0,
  search text default '', sortcolumn text default 'name', sortorder text default 'asc'
) returns table (name text, id uuid, updated_at timestamptz, created_at timestamptz, last_accessed_at timestamptz, metadata jsonb)
  <settings>
  declare
    bucket constant text := bucketname;
    wanted constant text := concat(prefix, search);
    delimiter constant text := '/';
    after constant text := '';
    skip int := least(greatest(coalesce(offsets, 0), 0), 2000000000); -- what is added to it stays an integer
    most int := least(coalesce(limits, 100), 1500);
    cut constant int := length(coalesce(prefix, '')) + 1;
    <variables>
  begin
    if lower(sortcolumn) in ('updated_at', 'created_at', 'last_accessed_at') then
      return query select * from storage.search_by_time(coalesce(prefix, ''), bucketname, most, skip, coalesce(search, ''), lower(sortcolumn), lower(sortorder) is not distinct from 'desc');
    elsif lower(sortorder) = 'desc' then <down>
    else <up>
    end if;
  end
  $body$ $search$;
  list constant text := $list$
create or replace function storage.list_objects_with_delimiter(
  _bucket_id text, prefix_param text, delimiter_param text, max_keys int default 100,
  start_after text default '', next_token text default '', sort_order text default 'asc'
) returns table (name text, id uuid, metadata jsonb, updated_at timestamptz, created_at timestamptz, last_accessed_at timestamptz)
  <settings>
  declare
    bucket constant text := _bucket_id;
    wanted constant text := coalesce(prefix_param, '');
    delimiter constant text := delimiter_param;
    after constant text := coalesce(nullif(next_token, ''), start_after, '');
    skip int := 0;
    most int := max_keys;
    <variables>
  begin
    if lower(sort_order) = 'desc' then <down>
    else <up>
    end if;
  end
  $body$ $list$;
  search_v2 constant text := $v2$
create or replace function storage.search_v2(
  prefix text, bucket_name text, limits int default 100, levels int default 1, start_after text default '',
  sort_order text default 'asc', sort_column text default 'name', sort_column_after text default ''
) returns table (key text, name text, id uuid, updated_at timestamptz, created_at timestamptz, last_accessed_at timestamptz, metadata jsonb)
  <settings>
  declare
    bucket constant text := bucket_name;
    wanted constant text := coalesce(prefix, '');
    delimiter constant text := '/';
    after constant text := coalesce(start_after, '');
    skip int := 0;
    most int := least(coalesce(limits, 100), 1500);
    <variables>
  begin
    if lower(sort_column) in ('updated_at', 'created_at') then
      return query select * from storage.search_v2_by_time(wanted, bucket, most, levels, after,
        lower(sort_order) is not distinct from 'desc', lower(sort_column), coalesce(nullif(sort_column_after, '')::timestamptz, 'epoch'));
    elsif lower(sort_order) = 'desc' then <down>
    else <up>
    end if;
  end
  $body$ $v2$;
  settings constant text := $settings$language plpgsql stable
  -- The index has the order, whatever the arguments are, also of names that differ by case alone.
  set enable_sort = off
  set plan_cache_mode = force_generic_plan
  as $body$
  #variable_conflict use_column$settings$;
  made text;
  loop_made text;
  listing record;
  direction record;
  part record;
begin
  for listing in
    -- value is key, but by lower itself: lower_name is looked up by its name in each statement.
    select * from (values
      (search, 'storage.lower_name(o.name) collate "C"', 'lower(o.name) collate "C"', 'storage.lower_name(wanted)', 'storage.lower_name(after)',
        'name', 'substr(o.name, cut)', 'name := substr(left(entry, shown + at - 1), cut);'),
      (list, 'o.name collate "C"', 'o.name collate "C"', 'wanted', 'after',
        'name', 'o.name', 'name := left(entry, shown + at);'),
      (search_v2, 'o.name collate "C"', 'o.name collate "C"', 'wanted', 'after',
        'key, name', 'split_part(o.name, ''/'', levels), o.name', 'name := left(entry, shown + at); key := split_part(name, ''/'', levels);')
    ) l (makes, key, value, low, after, targets, values, folder)
  loop
    made := replace(replace(listing.makes, '<settings>', settings), '<variables>', variables);
    for direction in
      select * from (values
        ('up', '>=', '< high', '', 'low', 'greatest', 'max', ' || chr(1)', ' || chr(1114111)'),
        ('down', '<', '>= low', 'desc', 'high', 'least', 'min', '', '')
      ) d (makes, "from", until, "order", first, further, last, file, within)
    loop
      loop_made := replace(replace(walk, '<chunk>', chunk), '<behind>', behind);
      for part in select * from json_each_text(to_json(listing)) where key <> 'makes' union all select * from json_each_text(to_json(direction)) where key <> 'makes' loop
        loop_made := replace(loop_made, '<' || part.key || '>', part.value);
      end loop;
      made := replace(made, '<' || direction.makes || '>', loop_made);
    end loop;
    execute made;
  end loop;
end
$make$;

reset role;
