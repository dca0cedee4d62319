-- pg_net, which makes its schema itself.
do $$
begin
  if not exists (select from pg_catalog.pg_extension where extname = 'pg_net') then
    create extension pg_net with schema extensions cascade;
    grant usage on schema net to anon, authenticated, service_role;
  end if;
end
$$;
