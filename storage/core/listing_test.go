package core_test

import "testing"

// randomKeys inserts 6000 nested keys that differ by case and contain wildcards of LIKE and
// multi-byte characters. One folder also has runs of up to 20 files between folders of up to
// 300 files, and another one has 4000 files without subfolders.
const randomKeys = `
	select setseed(0.4);
	insert into storage.objects (bucket_id, name, version, metadata, created_at)
	select distinct on (n) 'own', n, gen_random_uuid()::text, '{"size":1}'::jsonb, now() - random() * interval '2 seconds' from (
		select string_agg((array['a','B','b','ñ','Ñ','%','_','é','中','0','-','.','Σ','ß',' '])[1 + floor(random() * 15)::int]
			|| case when random() < 0.35 and k < 5 then '/' else '' end, '') as n
		from generate_series(1, 6000) i, generate_series(1, 5) k group by i) made
	where n !~ '(//|^/|/$)';
	insert into storage.objects (bucket_id, name, version)
	select 'own', 'a/mixed' || i || case when large then '/' || k else '_' || k end, gen_random_uuid()::text
		from (select i, i % 3 = 0 as large, floor(random() ^ 3 * case when i % 3 = 0 then 300 else 20 end)::int as size from generate_series(1, 150) i) r, generate_series(0, size) k;
	insert into storage.objects (bucket_id, name, version) select 'own', 'B/' || i, gen_random_uuid()::text from generate_series(1, 4000) i`

// checkSearch raises an error if storage.search differs from a naive query.
const checkSearch = `
do $$
declare p text; s text; o text; off int; l int; a text; b text; bad int := 0; n int := 0;
begin
  foreach p in array array['','a/','B/','ñ/','%/','_/'] loop
   foreach s in array array['','a','%','Ñ'] loop
    foreach o in array array['asc','desc'] loop
     foreach off in array array[0,1,64,65,700,2000] loop
      foreach l in array array[7,1500] loop
       n := n+1;
       with q as (select name, id is null as f, storage.lower_name(name) as k, row_number() over () as r from storage.search(p,'own',l,1,off,s,'name',o))
         select md5(string_agg(coalesce(k,'')||f, ',' order by r)), count(*) from q into a, bad;
       with q as (select lname as k, f from (
            select distinct on (storage.lower_name(case when at>0 then left(name, length(p||s)+at) else name || chr(1) || id::text end))
              storage.lower_name(substr(case when at>0 then left(name, length(p||s)+at-1) else name end, length(p)+1)) as lname,
              storage.lower_name(case when at>0 then left(name, length(p||s)+at) else name end) collate "C" as ord, at>0 as f
            from (select name, id, position('/' in substr(name, length(p||s)+1)) as at from storage.objects where bucket_id='own' and starts_with(storage.lower_name(name), storage.lower_name(p||s))) x) y
          order by case when o='asc' then ord end, case when o='desc' then ord end desc limit l offset off)
         select md5(string_agg(coalesce(k,'')||f, ',')) from q into b;
       if a is distinct from b then raise exception 'prefix %, search %, %, offset %, limit %: not what the definition says', p, s, o, off, l; end if;
      end loop;
     end loop;
    end loop;
   end loop;
  end loop;
end $$`

// checkPages raises an error if the concatenated pages of list_objects_with_delimiter differ
// from a naive query.
const checkPages = `
do $$
declare p text; d text; o text; first text; size int; listed text[]; page text[]; naive text[];
begin
  foreach p in array array['','a/','ñ','%/','nothing'] loop
   foreach d in array array['/','/b','-'] loop
    foreach o in array array['asc','desc'] loop
    foreach first in array array['','0','b/x/y','a/b','中'] loop -- before, within and behind the prefix
     select coalesce(array_agg(n order by case when o = 'asc' then n end, case when o = 'desc' then n end desc), '{}') into naive
       from (select distinct at > 0 as f, case when at > 0 then left(name, length(p) + at + length(d) - 1) else name end collate "C" as n
         from (select name, position(d in substr(name, length(p) + 1)) as at from storage.objects where bucket_id = 'own' and starts_with(name, p)) x) y
       where first = '' or case o when 'asc' then n > first else n < first end and not (f and starts_with(first, n));
     foreach size in array array[3, 200, 10000] loop
      continue when size = 3 and cardinality(naive) > 100;
      listed := '{}';
      loop
       select coalesce(array_agg(name order by r), '{}') into page
         from (select name, row_number() over () as r from storage.list_objects_with_delimiter('own', p, d, size, coalesce(listed[cardinality(listed)], first), '', o)) x;
       exit when page = '{}';
       listed := listed || page;
       if cardinality(page) > size or cardinality(listed) > cardinality(naive) then
        raise exception 'prefix %, delimiter %, % behind %, pages of %: too many', p, d, o, first, size;
       end if;
      end loop;
      if listed <> naive then
       raise exception 'prefix %, delimiter %, % behind %, pages of %: % entries, not the % there are', p, d, o, first, size, cardinality(listed), cardinality(naive);
      end if;
     end loop;
    end loop;
    end loop;
   end loop;
  end loop;
end $$`

// checkTimeOrder raises an error if pages in order of time differ from a naive query: those of
// search_v2, and those of search by offset.
const checkTimeOrder = `
do $$
declare p text; o text; listed text[]; page text[]; naive text[]; after_name text := ''; after_time text; off int;
begin
  foreach p in array array['','a/','%/','nothing'] loop
   foreach o in array array['asc','desc'] loop
    select coalesce(array_agg(n order by case when o = 'asc' then t end, case when o = 'desc' then t end desc, case when o = 'asc' then n end, case when o = 'desc' then n end desc), '{}') into naive
      from (select n, date_trunc('milliseconds', min(t)) as t from (
        select case when at > 0 then left(name, length(p) + at) else name end collate "C" as n, created_at as t
        from (select name, created_at, position('/' in substr(name, length(p) + 1)) as at from storage.objects where bucket_id = 'own' and starts_with(name, p)) x) y group by n) z;
    listed := '{}'; after_name := ''; after_time := '';
    loop
      select coalesce(array_agg(name order by r), '{}'), (array_agg(created_at order by r desc))[1]::text into page, after_time
        from (select name, created_at, row_number() over () as r from storage.search_v2(p, 'own', 100, 1, after_name, o, 'created_at', after_time)) x;
      exit when page = '{}';
      listed := listed || page;
      after_name := page[cardinality(page)];
      after_time := date_trunc('milliseconds', after_time::timestamptz)::text;
      if cardinality(listed) > cardinality(naive) then
        raise exception 'prefix %, %: too many', p, o;
      end if;
    end loop;
    if listed <> naive then
      raise exception 'prefix %, %: % entries, not the % there are', p, o, cardinality(listed), cardinality(naive);
    end if;

    select coalesce(array_agg(n order by f desc, case when o = 'asc' then t end, case when o = 'desc' then t end desc, case when o = 'asc' then n end, case when o = 'desc' then n end desc), '{}') into naive
      from (select distinct case when at > 0 then substr(left(name, length(p) + at - 1), length(p) + 1) else substr(name, length(p) + 1) end as n, at > 0 as f, case when at = 0 then created_at end as t
        from (select name, created_at, position('/' in substr(name, length(p) + 1)) as at from storage.objects where bucket_id = 'own' and starts_with(name, p)) x) y;
    listed := '{}';
    loop
      off := cardinality(listed);
      select listed || coalesce(array_agg(name order by r), '{}') into listed
        from (select name, row_number() over () as r from storage.search(p, 'own', 100, 1, off, '', 'created_at', o)) x;
      exit when cardinality(listed) = off or off > cardinality(naive);
    end loop;
    if listed <> naive then
      raise exception 'search, prefix %, %: % entries, not the % there are', p, o, cardinality(listed), cardinality(naive);
    end if;
   end loop;
  end loop;
end $$`

// checkCases raises an error if pages of names that differ only by case omit or repeat one.
const checkCases = `
insert into storage.objects (bucket_id, name, version)
  select 'open', f || string_agg(case when m >> b & 1 = 1 then 'X' else 'x' end, '' order by b) || k, gen_random_uuid()::text
  from generate_series(0, 9) k, generate_series(0, 63) m, generate_series(0, 5) b, unnest(array['', 'f/']) f group by k, m, f;
do $$
declare p text; o text; size int; off int; listed text[]; page text[];
begin
  foreach p in array array['','f/'] loop
   foreach o in array array['asc','desc'] loop
    foreach size in array array[7, 100] loop
     listed := '{}';
     for off in select generate_series(0, 641, size) loop
      select listed || coalesce(array_agg(name), '{}') into listed from storage.search(p, 'open', size, 1, off, '', 'name', o) where id is not null;
     end loop;
     if (select count(*) <> 640 or count(distinct n) <> 640 from unnest(listed) n) then
      raise exception '%, %, pages of %: % names, % different', p, o, size, cardinality(listed), (select count(distinct n) from unnest(listed) n);
     end if;
    end loop;
   end loop;
  end loop;
end $$`

// checkLargeOffset raises an error if a page at the largest offset is not empty.
const checkLargeOffset = `
do $$
begin
  if exists (select from storage.search('', 'own', 100, 1, 2147483647)) then
    raise exception 'something is there';
  end if;
end $$`

func TestListingsMatchNaiveQuery(t *testing.T) {
	t.Parallel()
	k := start(t)
	k.exec(`insert into storage.objects (bucket_id, name, version) values ('own', 'A', '1')`)
	for _, sql := range []string{randomKeys, checkSearch, checkPages, checkTimeOrder, checkCases, checkLargeOffset} {
		if _, err := k.db.Exec(t.Context(), sql); err != nil {
			t.Fatal(err)
		}
	}
}
