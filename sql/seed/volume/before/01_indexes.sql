-- Indexes of tables that are filled cost more than the rows: they are dropped, and made anew in one go behind the
-- last part. Those of constraints stay, and the one by which search documents find services. The definitions are kept in a table, so that a killed run loses none.
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
