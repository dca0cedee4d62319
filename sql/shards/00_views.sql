-- Everybody may read Citus's views, which it makes in a schema that the API serves.
alter view public.citus_tables set schema extensions;
alter view public.citus_schemas set schema extensions;
