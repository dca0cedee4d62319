
SET default_transaction_read_only = off;

SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;

CREATE ROLE "analyst";
ALTER ROLE "analyst" WITH NOINHERIT NOCREATEROLE NOCREATEDB NOLOGIN NOBYPASSRLS;

ALTER ROLE "analyst" SET "statement_timeout" TO '20s';

ALTER ROLE "anon" SET "statement_timeout" TO '3s';

ALTER ROLE "authenticated" SET "statement_timeout" TO '8s';

ALTER ROLE "authenticator" SET "pgrst.db_aggregates_enabled" TO 'true';

GRANT "anon" TO "analyst" WITH INHERIT FALSE GRANTED BY "postgres";

RESET ALL;
