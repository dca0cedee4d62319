-- A new project begins with the extensions that Supabase has made, and no more:
-- where the others go is for its own migrations to say.
do $$
begin
  if to_regclass('supabase_migrations.schema_migrations') is null then
    drop extension if exists unaccent, pg_trgm, btree_gist, citext;
  end if;
  if exists (select from pg_catalog.pg_available_extensions where name = 'pg_stat_statements') then
    begin
      create extension if not exists pg_stat_statements with schema extensions;
    exception when insufficient_privilege then
      null; -- no superuser, on a server of one's own
    end;
  end if;
end
$$;
