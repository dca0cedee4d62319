-- Listing by name reads the index in chunks. What lies below a folder is passed by
-- seeking behind it, and what an offset skips is counted within one statement.
set local role supabase_storage_admin;

-- Entries right below a prefix, by name in lower case. first_seek is where it begins;
-- null: at the beginning. delimiter ends a folder.
create function storage.walk_names(bucket text, wanted text, delimiter text, first_seek text, skip int, most int)
  returns table (name text, id uuid, updated_at timestamptz, created_at timestamptz, last_accessed_at timestamptz, metadata jsonb)
  language plpgsql stable
  set search_path = ''
  set enable_sort = off
  set enable_bitmapscan = off
  set enable_seqscan = off
  as $$
  #variable_conflict use_column
  declare
    low constant text collate "C" := storage.lower_name(wanted);
    high constant text collate "C" := low || chr(1114111);
    base constant int := length(low) + 1;
    after constant int := length(low) + length(delimiter) - 1;
    seek text collate "C" := coalesce(first_seek, low);
    todo int := greatest(coalesce(skip, 0), 0);
    remaining int := most;
    chunk int := 256;
    size int;
    entries int;
    rows_read int;
    last_key text collate "C";
    folder text collate "C";
    entry record;
  begin
    -- Whole chunks that are skipped are only counted.
    while todo >= 64 loop
      size := least(todo, chunk);
      select count(*), count(*) filter (where begins), (array_agg(name))[count(*)] into rows_read, entries, last_key
        from (select name, inside is null or inside is distinct from lag(inside) over () as begins from (
          select name, case when at > 0 then storage.lower_name(left(name, length(wanted) + at + length(delimiter) - 1)) end as inside
          from (select name, position(delimiter in substr(name, length(wanted) + 1)) as at
            from (select o.name from storage.objects o where o.bucket_id = bucket and storage.lower_name(o.name) collate "C" >= seek and storage.lower_name(o.name) collate "C" < high order by storage.lower_name(o.name) collate "C" limit size) scanned) placed
        ) names) marked;
      if rows_read < size then
        return;
      end if;
      last_key := storage.lower_name(last_key collate "default");
      folder := storage.get_common_prefix(last_key, low, delimiter);
      if folder is null and (select count(*) from storage.objects o where o.bucket_id = bucket and storage.lower_name(o.name) collate "C" = last_key) > 1 then
        exit; -- files whose names differ by case alone are told apart below
      end if;
      todo := todo - entries;
      seek := case when folder is null then last_key || chr(1) else folder || chr(1114111) end;
      chunk := case when entries * 8 < size then 32 else least(chunk * 4, 8192) end;
    end loop;
    chunk := 128;
    while remaining > 0 loop
      size := least(todo + remaining + 1, chunk);
      rows_read := 0;
      entries := 0;
      for entry in
        select *, max(key) over () as last, count(*) over () as total, inside is null or inside is distinct from lag(inside) over () as begins
        from (
          select *, case when at > 0 then left(key, after + at) end as inside
          from (select *, position(delimiter in substr(key, base)) as at
            from (select storage.lower_name(o.name) collate "C" as key, o.name, o.id, o.updated_at, o.created_at, o.last_accessed_at, o.metadata from storage.objects o
              where o.bucket_id = bucket and storage.lower_name(o.name) collate "C" >= seek and storage.lower_name(o.name) collate "C" < high order by storage.lower_name(o.name) collate "C" limit size) scanned) placed
        ) keys
      loop
        rows_read := rows_read + 1;
        last_key := entry.last;
        -- A file at the end of a full chunk is read again: others may have its key.
        continue when not entry.begins or entry.inside is null and entry.key = entry.last and entry.total = size;
        entries := entries + 1;
        if todo > 0 then
          todo := todo - 1;
          continue;
        end if;
        if entry.inside is null then
          name := entry.name;
          id := entry.id;
          updated_at := entry.updated_at;
          created_at := entry.created_at;
          last_accessed_at := entry.last_accessed_at;
          metadata := entry.metadata;
        else
          name := storage.get_common_prefix(entry.name, wanted, delimiter);
          id := null;
          updated_at := null;
          created_at := null;
          last_accessed_at := null;
          metadata := null;
        end if;
        return next;
        remaining := remaining - 1;
        exit when remaining = 0;
      end loop;
      exit when rows_read < size;
      folder := storage.get_common_prefix(last_key, low, delimiter);
      if entries > 0 then
        seek := case when folder is null then last_key else folder || chr(1114111) end;
      end if;
      chunk := case when entries * 4 < size and entries > 0 then 32 else least(chunk * 4, 4096) end;
    end loop;
  end
  $$;

-- As walk_names, from the end.
create function storage.walk_names_down(bucket text, wanted text, delimiter text, first_seek text, skip int, most int)
  returns table (name text, id uuid, updated_at timestamptz, created_at timestamptz, last_accessed_at timestamptz, metadata jsonb)
  language plpgsql stable
  set search_path = ''
  set enable_sort = off
  set enable_bitmapscan = off
  set enable_seqscan = off
  as $$
  #variable_conflict use_column
  declare
    low constant text collate "C" := storage.lower_name(wanted);
    high constant text collate "C" := low || chr(1114111);
    base constant int := length(low) + 1;
    after constant int := length(low) + length(delimiter) - 1;
    seek text collate "C" := coalesce(first_seek, high);
    todo int := greatest(coalesce(skip, 0), 0);
    remaining int := most;
    chunk int := 256;
    size int;
    entries int;
    rows_read int;
    last_key text collate "C";
    folder text collate "C";
    entry record;
  begin
    -- Whole chunks that are skipped are only counted.
    while todo >= 64 loop
      size := least(todo, chunk);
      select count(*), count(*) filter (where begins), (array_agg(name))[count(*)] into rows_read, entries, last_key
        from (select name, inside is null or inside is distinct from lag(inside) over () as begins from (
          select name, case when at > 0 then storage.lower_name(left(name, length(wanted) + at + length(delimiter) - 1)) end as inside
          from (select name, position(delimiter in substr(name, length(wanted) + 1)) as at
            from (select o.name from storage.objects o where o.bucket_id = bucket and storage.lower_name(o.name) collate "C" < seek and storage.lower_name(o.name) collate "C" >= low order by storage.lower_name(o.name) collate "C" desc limit size) scanned) placed
        ) names) marked;
      if rows_read < size then
        return;
      end if;
      last_key := storage.lower_name(last_key collate "default");
      folder := storage.get_common_prefix(last_key, low, delimiter);
      if folder is null and (select count(*) from storage.objects o where o.bucket_id = bucket and storage.lower_name(o.name) collate "C" = last_key) > 1 then
        exit; -- files whose names differ by case alone are told apart below
      end if;
      todo := todo - entries;
      seek := case when folder is null then last_key else folder end;
      chunk := case when entries * 8 < size then 32 else least(chunk * 4, 8192) end;
    end loop;
    chunk := 128;
    while remaining > 0 loop
      size := least(todo + remaining + 1, chunk);
      rows_read := 0;
      entries := 0;
      for entry in
        select *, min(key) over () as last, count(*) over () as total, inside is null or inside is distinct from lag(inside) over () as begins
        from (
          select *, case when at > 0 then left(key, after + at) end as inside
          from (select *, position(delimiter in substr(key, base)) as at
            from (select storage.lower_name(o.name) collate "C" as key, o.name, o.id, o.updated_at, o.created_at, o.last_accessed_at, o.metadata from storage.objects o
              where o.bucket_id = bucket and storage.lower_name(o.name) collate "C" < seek and storage.lower_name(o.name) collate "C" >= low order by storage.lower_name(o.name) collate "C" desc limit size) scanned) placed
        ) keys
      loop
        rows_read := rows_read + 1;
        last_key := entry.last;
        -- A file at the end of a full chunk is read again: others may have its key.
        continue when not entry.begins or entry.inside is null and entry.key = entry.last and entry.total = size;
        entries := entries + 1;
        if todo > 0 then
          todo := todo - 1;
          continue;
        end if;
        if entry.inside is null then
          name := entry.name;
          id := entry.id;
          updated_at := entry.updated_at;
          created_at := entry.created_at;
          last_accessed_at := entry.last_accessed_at;
          metadata := entry.metadata;
        else
          name := storage.get_common_prefix(entry.name, wanted, delimiter);
          id := null;
          updated_at := null;
          created_at := null;
          last_accessed_at := null;
          metadata := null;
        end if;
        return next;
        remaining := remaining - 1;
        exit when remaining = 0;
      end loop;
      exit when rows_read < size;
      folder := storage.get_common_prefix(last_key, low, delimiter);
      if entries > 0 then
        seek := case when folder is null then last_key || chr(1) else folder end;
      end if;
      chunk := case when entries * 4 < size and entries > 0 then 32 else least(chunk * 4, 4096) end;
    end loop;
  end
  $$;

-- As walk_names, by bytes.
create function storage.walk_keys(bucket text, wanted text, delimiter text, first_seek text, skip int, most int)
  returns table (name text, id uuid, updated_at timestamptz, created_at timestamptz, last_accessed_at timestamptz, metadata jsonb)
  language plpgsql stable
  set search_path = ''
  set enable_sort = off
  set enable_bitmapscan = off
  set enable_seqscan = off
  as $$
  #variable_conflict use_column
  declare
    low constant text collate "C" := wanted;
    high constant text collate "C" := low || chr(1114111);
    base constant int := length(low) + 1;
    after constant int := length(low) + length(delimiter) - 1;
    seek text collate "C" := coalesce(first_seek, low);
    todo int := greatest(coalesce(skip, 0), 0);
    remaining int := most;
    chunk int := 256;
    size int;
    entries int;
    rows_read int;
    last_key text collate "C";
    folder text collate "C";
    entry record;
  begin
    -- Whole chunks that are skipped are only counted.
    while todo >= 64 loop
      size := least(todo, chunk);
      select count(*), count(*) filter (where begins), (array_agg(name))[count(*)] into rows_read, entries, last_key
        from (select name, inside is null or inside is distinct from lag(inside) over () as begins from (
          select name, case when at > 0 then left(name, length(wanted) + at + length(delimiter) - 1) end as inside
          from (select name, position(delimiter in substr(name, length(wanted) + 1)) as at
            from (select o.name from storage.objects o where o.bucket_id = bucket and o.name collate "C" >= seek and o.name collate "C" < high order by o.name collate "C" limit size) scanned) placed
        ) names) marked;
      if rows_read < size then
        return;
      end if;
      last_key := last_key;
      folder := storage.get_common_prefix(last_key, low, delimiter);
      if folder is null and (select count(*) from storage.objects o where o.bucket_id = bucket and o.name collate "C" = last_key) > 1 then
        exit; -- files whose names differ by case alone are told apart below
      end if;
      todo := todo - entries;
      seek := case when folder is null then last_key || chr(1) else folder || chr(1114111) end;
      chunk := case when entries * 8 < size then 32 else least(chunk * 4, 8192) end;
    end loop;
    chunk := 128;
    while remaining > 0 loop
      size := least(todo + remaining + 1, chunk);
      rows_read := 0;
      entries := 0;
      for entry in
        select *, max(key) over () as last, count(*) over () as total, inside is null or inside is distinct from lag(inside) over () as begins
        from (
          select *, case when at > 0 then left(key, after + at) end as inside
          from (select *, position(delimiter in substr(key, base)) as at
            from (select o.name collate "C" as key, o.name, o.id, o.updated_at, o.created_at, o.last_accessed_at, o.metadata from storage.objects o
              where o.bucket_id = bucket and o.name collate "C" >= seek and o.name collate "C" < high order by o.name collate "C" limit size) scanned) placed
        ) keys
      loop
        rows_read := rows_read + 1;
        last_key := entry.last;
        -- A file at the end of a full chunk is read again: others may have its key.
        continue when not entry.begins or entry.inside is null and entry.key = entry.last and entry.total = size;
        entries := entries + 1;
        if todo > 0 then
          todo := todo - 1;
          continue;
        end if;
        if entry.inside is null then
          name := entry.name;
          id := entry.id;
          updated_at := entry.updated_at;
          created_at := entry.created_at;
          last_accessed_at := entry.last_accessed_at;
          metadata := entry.metadata;
        else
          name := storage.get_common_prefix(entry.name, wanted, delimiter);
          id := null;
          updated_at := null;
          created_at := null;
          last_accessed_at := null;
          metadata := null;
        end if;
        return next;
        remaining := remaining - 1;
        exit when remaining = 0;
      end loop;
      exit when rows_read < size;
      folder := storage.get_common_prefix(last_key, low, delimiter);
      if entries > 0 then
        seek := case when folder is null then last_key else folder || chr(1114111) end;
      end if;
      chunk := case when entries * 4 < size and entries > 0 then 32 else least(chunk * 4, 4096) end;
    end loop;
  end
  $$;

-- As walk_keys, from the end.
create function storage.walk_keys_down(bucket text, wanted text, delimiter text, first_seek text, skip int, most int)
  returns table (name text, id uuid, updated_at timestamptz, created_at timestamptz, last_accessed_at timestamptz, metadata jsonb)
  language plpgsql stable
  set search_path = ''
  set enable_sort = off
  set enable_bitmapscan = off
  set enable_seqscan = off
  as $$
  #variable_conflict use_column
  declare
    low constant text collate "C" := wanted;
    high constant text collate "C" := low || chr(1114111);
    base constant int := length(low) + 1;
    after constant int := length(low) + length(delimiter) - 1;
    seek text collate "C" := coalesce(first_seek, high);
    todo int := greatest(coalesce(skip, 0), 0);
    remaining int := most;
    chunk int := 256;
    size int;
    entries int;
    rows_read int;
    last_key text collate "C";
    folder text collate "C";
    entry record;
  begin
    -- Whole chunks that are skipped are only counted.
    while todo >= 64 loop
      size := least(todo, chunk);
      select count(*), count(*) filter (where begins), (array_agg(name))[count(*)] into rows_read, entries, last_key
        from (select name, inside is null or inside is distinct from lag(inside) over () as begins from (
          select name, case when at > 0 then left(name, length(wanted) + at + length(delimiter) - 1) end as inside
          from (select name, position(delimiter in substr(name, length(wanted) + 1)) as at
            from (select o.name from storage.objects o where o.bucket_id = bucket and o.name collate "C" < seek and o.name collate "C" >= low order by o.name collate "C" desc limit size) scanned) placed
        ) names) marked;
      if rows_read < size then
        return;
      end if;
      last_key := last_key;
      folder := storage.get_common_prefix(last_key, low, delimiter);
      if folder is null and (select count(*) from storage.objects o where o.bucket_id = bucket and o.name collate "C" = last_key) > 1 then
        exit; -- files whose names differ by case alone are told apart below
      end if;
      todo := todo - entries;
      seek := case when folder is null then last_key else folder end;
      chunk := case when entries * 8 < size then 32 else least(chunk * 4, 8192) end;
    end loop;
    chunk := 128;
    while remaining > 0 loop
      size := least(todo + remaining + 1, chunk);
      rows_read := 0;
      entries := 0;
      for entry in
        select *, min(key) over () as last, count(*) over () as total, inside is null or inside is distinct from lag(inside) over () as begins
        from (
          select *, case when at > 0 then left(key, after + at) end as inside
          from (select *, position(delimiter in substr(key, base)) as at
            from (select o.name collate "C" as key, o.name, o.id, o.updated_at, o.created_at, o.last_accessed_at, o.metadata from storage.objects o
              where o.bucket_id = bucket and o.name collate "C" < seek and o.name collate "C" >= low order by o.name collate "C" desc limit size) scanned) placed
        ) keys
      loop
        rows_read := rows_read + 1;
        last_key := entry.last;
        -- A file at the end of a full chunk is read again: others may have its key.
        continue when not entry.begins or entry.inside is null and entry.key = entry.last and entry.total = size;
        entries := entries + 1;
        if todo > 0 then
          todo := todo - 1;
          continue;
        end if;
        if entry.inside is null then
          name := entry.name;
          id := entry.id;
          updated_at := entry.updated_at;
          created_at := entry.created_at;
          last_accessed_at := entry.last_accessed_at;
          metadata := entry.metadata;
        else
          name := storage.get_common_prefix(entry.name, wanted, delimiter);
          id := null;
          updated_at := null;
          created_at := null;
          last_accessed_at := null;
          metadata := null;
        end if;
        return next;
        remaining := remaining - 1;
        exit when remaining = 0;
      end loop;
      exit when rows_read < size;
      folder := storage.get_common_prefix(last_key, low, delimiter);
      if entries > 0 then
        seek := case when folder is null then last_key || chr(1) else folder end;
      end if;
      chunk := case when entries * 4 < size and entries > 0 then 32 else least(chunk * 4, 4096) end;
    end loop;
  end
  $$;

-- What lies right below a folder, as a file manager shows it: see 0014_storage.sql.
create or replace function storage.search(
  prefix text, bucketname text, limits int default 100, levels int default 1, offsets int default 0,
  search text default '', sortcolumn text default 'name', sortorder text default 'asc'
) returns table (name text, id uuid, updated_at timestamptz, created_at timestamptz, last_accessed_at timestamptz, metadata jsonb)
  language plpgsql stable
  as $$
  #variable_conflict use_column
  declare
    base constant int := length(coalesce(prefix, ''));
    wanted constant text := coalesce(prefix, '') || coalesce(search, '');
    low constant text := lower(wanted);
    wanted_rows constant int := least(coalesce(limits, 100), 1500);
    descending constant boolean := lower(sortorder) = 'desc';
  begin
    if lower(sortcolumn) in ('updated_at', 'created_at', 'last_accessed_at') then
      return query
        with hits as (
          select o.name, o.id, o.updated_at, o.created_at, o.last_accessed_at, o.metadata,
            position('/' in substr(o.name, length(wanted) + 1)) as at
          from storage.objects o
          where o.bucket_id = bucketname and storage.lower_name(o.name) collate "C" >= low and storage.lower_name(o.name) collate "C" < low || chr(1114111)
        ), entries as (
          select 0 as rank, substr(rtrim(inside, '/'), base + 1) as name, null::uuid as id, null::timestamptz as updated_at,
              null::timestamptz as created_at, null::timestamptz as last_accessed_at, null::jsonb as metadata
            from (select distinct left(name, length(wanted) + at) as inside from hits where at > 0) folders
          union all
          select 1, substr(name, base + 1), id, updated_at, created_at, last_accessed_at, metadata from hits where at = 0
        ), ranked as (
          select *, case lower(sortcolumn) when 'updated_at' then updated_at when 'created_at' then created_at else last_accessed_at end as moment
          from entries
        )
        select name, id, updated_at, created_at, last_accessed_at, metadata from ranked
        order by rank, case when not descending then moment end, case when descending then moment end desc,
          case when not descending then name end, case when descending then name end desc
        limit wanted_rows offset coalesce(offsets, 0);
    elsif descending then
      return query select substr(case when id is null then rtrim(name, '/') else name end, base + 1), id, updated_at, created_at, last_accessed_at, metadata
        from storage.walk_names_down(bucketname, wanted, '/', null, offsets, wanted_rows);
    else
      return query select substr(case when id is null then rtrim(name, '/') else name end, base + 1), id, updated_at, created_at, last_accessed_at, metadata
        from storage.walk_names(bucketname, wanted, '/', null, offsets, wanted_rows);
    end if;
  end
  $$;

-- Keys in order of bytes, with folders: see 0014_storage.sql.
create or replace function storage.list_objects_with_delimiter(
  _bucket_id text, prefix_param text, delimiter_param text, max_keys int default 100,
  start_after text default '', next_token text default '', sort_order text default 'asc'
) returns table (name text, id uuid, metadata jsonb, updated_at timestamptz, created_at timestamptz, last_accessed_at timestamptz)
  language plpgsql stable
  as $$
  #variable_conflict use_column
  declare
    wanted constant text := coalesce(prefix_param, '');
    descending constant boolean := lower(sort_order) = 'desc';
    after constant text := coalesce(nullif(next_token, ''), start_after, '');
    folder constant text := storage.get_common_prefix(after, wanted, delimiter_param);
    seek text := case when after = '' and descending then wanted || chr(1114111) when after = '' or not descending and after < wanted collate "C" then wanted
      when descending then after else after || ' ' end;
  begin
    if folder is not null then
      seek := case when descending then folder else folder || chr(1114111) end;
    end if;
    if descending then
      return query select name, id, metadata, updated_at, created_at, last_accessed_at
        from storage.walk_keys_down(_bucket_id, wanted, delimiter_param, seek, 0, max_keys);
    else
      return query select name, id, metadata, updated_at, created_at, last_accessed_at
        from storage.walk_keys(_bucket_id, wanted, delimiter_param, seek, 0, max_keys);
    end if;
  end
  $$;

grant execute on function storage.walk_names(text, text, text, text, int, int), storage.walk_names_down(text, text, text, text, int, int),
  storage.walk_keys(text, text, text, text, int, int), storage.walk_keys_down(text, text, text, text, int, int) to anon, authenticated, service_role;

reset role;
