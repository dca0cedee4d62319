-- pg_graphql's schemas and its one function.
create schema if not exists graphql;
create schema if not exists graphql_public;
grant usage on schema graphql_public to anon, authenticated, service_role;
create or replace function graphql_public.graphql("operationName" text default null, query text default null, variables jsonb default null, extensions jsonb default null) returns jsonb
  language sql
  as $$ select '{"data": null, "errors": [{"message": "pg_graphql is not part of this PostgreSQL."}]}'::jsonb $$;
