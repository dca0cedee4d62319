-- What stands in for extensions that PostgreSQL lacks, for clients that create them
-- without a migration, such as psql with a dump. The server offers such an extension to
-- PostgreSQL as an empty one of the version stand-in; when it is created, this makes what
-- stands in for it. Its objects are none of the extension's, as those that migrations make.
create table if not exists plaza.stand_ins (
  extension text primary key,
  schema text not null, -- an expression: the schema that has it, or null
  makes text not null -- @extschema@ in it is the name of its schema
);
revoke all on plaza.stand_ins from public;

create or replace function plaza.make_stand_in() returns event_trigger
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
  declare
    wanted record;
    home text;
  begin
    for wanted in
      select s.schema, s.makes, n.nspname::text as given from pg_event_trigger_ddl_commands() c
      join pg_extension e on c.classid = 'pg_extension'::regclass and e.oid = c.objid and e.extversion = 'stand-in'
      join pg_namespace n on n.oid = e.extnamespace
      join plaza.stand_ins s on s.extension = e.extname
    loop
      execute 'select ' || wanted.schema into home;
      home := quote_ident(coalesce(home, wanted.given));
      perform set_config('search_path', home || ', pg_temp', true);
      execute replace(wanted.makes, '@extschema@', home);
      perform set_config('search_path', 'pg_catalog, pg_temp', true);
    end loop;
  end
  $$;
revoke all on function plaza.make_stand_in() from public;

-- Only a superuser makes event triggers. Elsewhere no such extension is offered.
do $$
begin
  if (select rolsuper from pg_catalog.pg_roles where rolname = current_user) then
    drop event trigger if exists plaza_stand_ins;
    create event trigger plaza_stand_ins on ddl_command_end when tag in ('CREATE EXTENSION') execute function plaza.make_stand_in();
  end if;
end
$$;
