-- What stands in for extensions that PostgreSQL lacks, for clients that create them
-- without a migration, such as psql with a dump. The server offers such an extension to
-- PostgreSQL as an empty one of the version stand-in; when it is created, this makes what
-- stands in for it. Its objects are none of the extension's, as those that migrations make.
create table if not exists plaza.stand_ins (
  extension text primary key,
  schema text not null, -- an expression: the schema that has it, or null
  makes text not null -- @extschema@ in it is the name of its schema
);
alter table plaza.stand_ins add column if not exists as_superuser boolean not null default false;
revoke all on plaza.stand_ins from public;

-- Makes the stand-in of an extension that only a superuser can make.
create or replace function plaza.make_as_superuser(extension text, home text) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
  begin
    perform set_config('search_path', quote_ident(home) || ', pg_temp', true);
    execute (select replace(s.makes, '@extschema@', quote_ident(home)) from plaza.stand_ins s where s.extension = make_as_superuser.extension and s.as_superuser);
  end
  $$;
revoke all on function plaza.make_as_superuser(text, text) from public;

-- Who creates the extension owns what stands in for it.
create or replace function plaza.make_stand_in() returns event_trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
  declare
    wanted record;
    home text;
  begin
    if not has_schema_privilege('plaza', 'usage') or current_setting('plaza.stand_in_is_there', true) = 'on' then
      return; -- a migration has made it
    end if;
    for wanted in
      select s.extension, s.schema, s.makes, s.as_superuser, n.nspname::text as given from pg_event_trigger_ddl_commands() c
      join pg_extension e on c.classid = 'pg_extension'::regclass and e.oid = c.objid and e.extversion = 'stand-in'
      join pg_namespace n on n.oid = e.extnamespace
      join plaza.stand_ins s on s.extension = e.extname
    loop
      execute 'select ' || wanted.schema into home;
      home := coalesce(home, wanted.given);
      if wanted.as_superuser then
        perform plaza.make_as_superuser(wanted.extension, home);
      else
        home := quote_ident(home);
        perform set_config('search_path', home || ', pg_temp', true);
        execute replace(wanted.makes, '@extschema@', home);
        perform set_config('search_path', 'pg_catalog, pg_temp', true);
      end if;
    end loop;
    if has_function_privilege('plaza.share_extensions()', 'execute') then
      perform plaza.share_extensions();
    end if;
  end
  $$;

-- Only a superuser makes event triggers. Elsewhere no such extension is offered.
do $$
begin
  if (select rolsuper from pg_catalog.pg_roles where rolname = current_user) then
    drop event trigger if exists plaza_stand_ins;
    create event trigger plaza_stand_ins on ddl_command_end when tag in ('CREATE EXTENSION') execute function plaza.make_stand_in();
    if exists (select from pg_catalog.pg_roles where rolname = 'postgres' and not rolsuper) then
      grant select on plaza.stand_ins to postgres;
      grant execute on function plaza.make_as_superuser(text, text) to postgres;
    end if;
  end if;
end
$$;
