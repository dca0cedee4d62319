-- Tells the data API that the schema has changed, on every DDL statement that
-- can change an answer. Event triggers need a superuser; where the owner is
-- none, the migrator's own NOTIFY and a manual one remain.
create schema if not exists plaza;

create or replace function plaza.notify_ddl() returns event_trigger
  language plpgsql
  as $$
  declare
    command record;
  begin
    for command in select * from pg_catalog.pg_event_trigger_ddl_commands() loop
      if command.command_tag in (
        'CREATE SCHEMA', 'ALTER SCHEMA',
        'CREATE TABLE', 'CREATE TABLE AS', 'SELECT INTO', 'ALTER TABLE',
        'CREATE FOREIGN TABLE', 'ALTER FOREIGN TABLE',
        'CREATE VIEW', 'ALTER VIEW', 'CREATE MATERIALIZED VIEW', 'ALTER MATERIALIZED VIEW',
        'CREATE FUNCTION', 'ALTER FUNCTION', 'CREATE TRIGGER',
        'CREATE TYPE', 'ALTER TYPE', 'CREATE RULE', 'COMMENT',
        'GRANT', 'REVOKE'
      ) and command.schema_name is distinct from 'pg_temp' then
        notify pgrst, 'reload schema';
        return;
      end if;
    end loop;
  end
  $$;

create or replace function plaza.notify_drop() returns event_trigger
  language plpgsql
  as $$
  begin
    if exists (
      select from pg_catalog.pg_event_trigger_dropped_objects()
      where object_type in ('schema', 'table', 'foreign table', 'view', 'materialized view', 'function', 'trigger', 'type', 'rule')
        and not is_temporary
    ) then
      notify pgrst, 'reload schema';
    end if;
  end
  $$;

do $$
begin
  if (select rolsuper from pg_catalog.pg_roles where rolname = current_user) then
    drop event trigger if exists plaza_ddl;
    drop event trigger if exists plaza_drop;
    create event trigger plaza_ddl on ddl_command_end execute function plaza.notify_ddl();
    create event trigger plaza_drop on sql_drop execute function plaza.notify_drop();
  end if;
end
$$;
