-- What costs more than the rows is dropped while they are loaded, and restored after the last part: indexes (but those of
-- constraints, and the one with which search documents find services), constraints between tables and rows, and
-- triggers for what the parts write themselves. The statements are stored in a table, so that a killed run loses none.
create table if not exists private.volume_dropped (name text primary key, drops text not null, restores text not null);

insert into private.volume_dropped (name, drops, restores)
select 'index ' || i.indexrelid::regclass, format('drop index if exists %s', i.indexrelid::regclass), pg_get_indexdef(i.indexrelid)
from pg_index i
where i.indrelid in ('public.businesses'::regclass, 'public.services'::regclass, 'public.bookings'::regclass)
  and i.indexrelid <> 'public.services_business_name_idx'::regclass
  and not exists (select from pg_constraint c where c.conindid = i.indexrelid)
union all
select 'constraint ' || c.conname, format('alter table %s drop constraint if exists %I', c.conrelid::regclass, c.conname),
  format('alter table %s add constraint %I %s', c.conrelid::regclass, c.conname, pg_get_constraintdef(c.oid))
from pg_constraint c
where c.conrelid in ('public.services'::regclass, 'public.bookings'::regclass) and c.contype in ('f', 'x')
union all
select 'trigger ' || t.tgname || ' of ' || t.tgrelid::regclass, format('alter table %s disable trigger %I', t.tgrelid::regclass, t.tgname),
  format('alter table %s enable trigger %I', t.tgrelid::regclass, t.tgname)
from pg_trigger t
where not t.tgisinternal
  and (t.tgrelid = 'public.bookings'::regclass or t.tgrelid = 'public.services'::regclass and t.tgname = 'document_added')
on conflict do nothing;

do $$
declare
  dropped text;
begin
  for dropped in select drops from private.volume_dropped loop
    execute dropped;
  end loop;
end
$$;
