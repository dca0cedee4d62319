-- Restores what before/01_drop.sql has dropped: the indexes first, with which constraints are checked.
set local maintenance_work_mem = '1GB';

do $$
declare
  dropped record;
begin
  for dropped in select * from private.volume_dropped order by name !~ '^index', name loop
    if dropped.name !~ '^index' or to_regclass(substr(dropped.name, 7)) is null then
      execute dropped.restores;
    end if;
  end loop;
end
$$;
drop table private.volume_dropped;

analyze private.profiles, public.businesses, public.services, public.bookings;
