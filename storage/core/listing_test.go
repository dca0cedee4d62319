package core_test

import "testing"

// randomKeys are 6000 keys that differ by case, are nested, and hold characters that
// mean something to LIKE or take several bytes.
const randomKeys = `
	select setseed(0.4);
	insert into storage.objects (bucket_id, name, version, metadata)
	select distinct on (n) 'own', n, gen_random_uuid()::text, '{"size":1}'::jsonb from (
		select string_agg((array['a','B','b','ñ','Ñ','%','_','é','中','0','-','.','Σ','ß',' '])[1 + floor(random() * 15)::int]
			|| case when random() < 0.35 and k < 5 then '/' else '' end, '') as n
		from generate_series(1, 6000) i, generate_series(1, 5) k group by i) made
	where n !~ '(//|^/|/$)'`

// searchIsAsDefined raises where storage.search does not list what a naive query does.
const searchIsAsDefined = `
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

func TestSearchListsWhatANaiveQueryLists(t *testing.T) {
	t.Parallel()
	k := start(t)
	k.exec(`insert into storage.objects (bucket_id, name, version) values ('own', 'A', '1')`)
	for _, sql := range []string{randomKeys, searchIsAsDefined} {
		if _, err := k.db.Exec(t.Context(), sql); err != nil {
			t.Fatal(err)
		}
	}
}
