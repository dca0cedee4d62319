-- pg_graphql, and the function of Supabase's that the data API reaches it by.
do $$
begin
  if not exists (select from pg_catalog.pg_extension where extname = 'pg_graphql') then
    create schema if not exists graphql;
    create extension pg_graphql with schema graphql cascade;
    grant usage on schema graphql to anon, authenticated, service_role;
    grant execute on all functions in schema graphql to anon, authenticated, service_role;
  end if;
end
$$;
create schema if not exists graphql_public;
grant usage on schema graphql_public to anon, authenticated, service_role;
create or replace function graphql_public.graphql("operationName" text default null, query text default null, variables jsonb default null, extensions jsonb default null) returns jsonb
  language sql
  as $$
    select graphql.resolve(query := query, variables := coalesce(variables, '{}'), "operationName" := "operationName", extensions := extensions)
  $$;
