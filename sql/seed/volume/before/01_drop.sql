-- Maintaining indexes while loading costs more than the rows, so they are dropped, and recreated after the last part.
-- Those of constraints are kept, and the one with which search documents find services. The definitions are stored in a
-- table, so that a killed run loses none.
create table if not exists private.volume_indexes (name text primary key, definition text not null);

insert into private.volume_indexes (name, definition)
select i.indexrelid::regclass::text, pg_get_indexdef(i.indexrelid)
from pg_index i
where i.indrelid in ('public.businesses'::regclass, 'public.services'::regclass)
  and i.indexrelid <> 'public.services_business_name_idx'::regclass
  and not exists (select from pg_constraint c where c.conindid = i.indexrelid)
on conflict do nothing;

do $$
declare
  index text;
begin
  for index in select name from private.volume_indexes loop
    execute format('drop index if exists %s', index);
  end loop;
end
$$;
