-- A user of DATABASE_URL who is no superuser switches to the roles of callers, which it has created. Since
-- PostgreSQL 16 that takes a grant to itself.
do $$
begin
  if not (select rolsuper from pg_catalog.pg_roles where rolname = current_user) then
    grant anon, authenticated, service_role to current_user;
  end if;
end
$$;
