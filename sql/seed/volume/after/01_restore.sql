-- Recreates the indexes that before/01_indexes.sql dropped.
set local maintenance_work_mem = '512MB';

do $$
declare
  kept record;
begin
  for kept in select name, definition from private.volume_indexes order by name loop
    if to_regclass(kept.name) is null then
      execute kept.definition;
    end if;
  end loop;
end
$$;
drop table private.volume_indexes;

analyze public.businesses, public.services;
