

SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

CREATE SCHEMA IF NOT EXISTS "private";

ALTER SCHEMA "private" OWNER TO "postgres";

COMMENT ON SCHEMA "public" IS 'standard public schema';

CREATE EXTENSION IF NOT EXISTS "pg_cron" WITH SCHEMA "pg_catalog";

CREATE EXTENSION IF NOT EXISTS "pg_net" WITH SCHEMA "extensions";

CREATE EXTENSION IF NOT EXISTS "pg_graphql" WITH SCHEMA "graphql";

CREATE EXTENSION IF NOT EXISTS "pg_stat_statements" WITH SCHEMA "extensions";

CREATE EXTENSION IF NOT EXISTS "pg_trgm" WITH SCHEMA "extensions";

CREATE EXTENSION IF NOT EXISTS "pgcrypto" WITH SCHEMA "extensions";

CREATE EXTENSION IF NOT EXISTS "supabase_vault" WITH SCHEMA "vault";

CREATE EXTENSION IF NOT EXISTS "uuid-ossp" WITH SCHEMA "extensions";

CREATE EXTENSION IF NOT EXISTS "pgmq";

CREATE EXTENSION IF NOT EXISTS "vector" WITH SCHEMA "extensions";

CREATE TABLE IF NOT EXISTS "public"."guides" (
    "id" bigint NOT NULL,
    "embedding" "extensions"."vector"(3)
);

ALTER TABLE "public"."guides" OWNER TO "postgres";

CREATE INDEX "guides_embedding_idx" ON "public"."guides" USING "hnsw" ("embedding" "extensions"."vector_cosine_ops");

CREATE TYPE "public"."note_status" AS ENUM (
    'draft',
    'published',
    'archived'
);

ALTER TYPE "public"."note_status" OWNER TO "postgres";

CREATE TYPE "public"."place" AS (
	"latitude" numeric(9,6),
	"longitude" numeric(9,6)
);

ALTER TYPE "public"."place" OWNER TO "postgres";

CREATE DOMAIN "public"."slug" AS "text"
	CONSTRAINT "slug_check" CHECK ((VALUE ~ '^[a-z0-9-]+$'::"text"));

ALTER DOMAIN "public"."slug" OWNER TO "postgres";

CREATE OR REPLACE FUNCTION "private"."note_changed"() RETURNS "trigger"
    LANGUAGE "plpgsql" SECURITY DEFINER
    SET "search_path" TO ''
    AS $$
begin
  insert into private.audit (note_id, happened) values (new.id, tg_op);
  return new;
end;
$$;

ALTER FUNCTION "private"."note_changed"() OWNER TO "postgres";

CREATE OR REPLACE FUNCTION "private"."on_ddl"() RETURNS "event_trigger"
    LANGUAGE "plpgsql"
    AS $$ begin raise debug '%', tg_tag; end; $$;

ALTER FUNCTION "private"."on_ddl"() OWNER TO "postgres";

CREATE OR REPLACE FUNCTION "public"."handle_new_user"() RETURNS "trigger"
    LANGUAGE "plpgsql" SECURITY DEFINER
    SET "search_path" TO ''
    AS $$
begin
  insert into public.profiles (id, full_name) values (new.id, new.raw_user_meta_data ->> 'full_name');
  return new;
end;
$$;

ALTER FUNCTION "public"."handle_new_user"() OWNER TO "postgres";

SET default_tablespace = '';

SET default_table_access_method = "heap";

CREATE TABLE IF NOT EXISTS "public"."notes" (
    "id" bigint NOT NULL,
    "owner" "uuid" DEFAULT "auth"."uid"() NOT NULL,
    "slug" "public"."slug",
    "title" "text" NOT NULL,
    "body" "text",
    "status" "public"."note_status" DEFAULT 'draft'::"public"."note_status" NOT NULL,
    "tags" "text"[] DEFAULT '{}'::"text"[] NOT NULL,
    "at" "public"."place",
    "words" integer GENERATED ALWAYS AS (COALESCE("array_length"("string_to_array"("body", ' '::"text"), 1), 0)) STORED,
    "created_at" timestamp with time zone DEFAULT "now"() NOT NULL
);

ALTER TABLE "public"."notes" OWNER TO "postgres";

CREATE OR REPLACE FUNCTION "public"."search_notes"("term" "text") RETURNS SETOF "public"."notes"
    LANGUAGE "sql" STABLE
    AS $$ select * from public.notes where title ilike '%' || term || '%' order by id $$;

ALTER FUNCTION "public"."search_notes"("term" "text") OWNER TO "postgres";

CREATE TABLE IF NOT EXISTS "private"."audit" (
    "id" integer NOT NULL,
    "note_id" bigint,
    "happened" "text",
    "at" timestamp with time zone DEFAULT "now"()
);

ALTER TABLE "private"."audit" OWNER TO "postgres";

CREATE SEQUENCE IF NOT EXISTS "private"."audit_id_seq"
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER TABLE "private"."audit_id_seq" OWNER TO "postgres";

ALTER SEQUENCE "private"."audit_id_seq" OWNED BY "private"."audit"."id";

CREATE SEQUENCE IF NOT EXISTS "private"."invoice_numbers"
    START WITH 1000
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER TABLE "private"."invoice_numbers" OWNER TO "postgres";

CREATE MATERIALIZED VIEW "private"."note_counts" AS
 SELECT "notes"."owner",
    "count"(*) AS "count"
   FROM "public"."notes"
  GROUP BY "notes"."owner"
  WITH NO DATA;

ALTER TABLE "private"."note_counts" OWNER TO "postgres";

CREATE TABLE IF NOT EXISTS "public"."events" (
    "id" bigint NOT NULL,
    "happened_on" "date" NOT NULL
)
PARTITION BY RANGE ("happened_on");

ALTER TABLE "public"."events" OWNER TO "postgres";

CREATE TABLE IF NOT EXISTS "public"."events_2026" (
    "id" bigint NOT NULL,
    "happened_on" "date" NOT NULL
);

ALTER TABLE "public"."events_2026" OWNER TO "postgres";

ALTER TABLE "public"."notes" ALTER COLUMN "id" ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME "public"."notes_id_seq"
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE IF NOT EXISTS "public"."profiles" (
    "id" "uuid" NOT NULL,
    "full_name" "text",
    "updated_at" timestamp with time zone DEFAULT "now"()
);

ALTER TABLE "public"."profiles" OWNER TO "postgres";

COMMENT ON TABLE "public"."profiles" IS 'What others may see of a user; it''s public.';

CREATE OR REPLACE VIEW "public"."published_notes" WITH ("security_invoker"='on') AS
 SELECT "notes"."id",
    "notes"."title"
   FROM "public"."notes"
  WHERE ("notes"."status" = 'published'::"public"."note_status");

ALTER TABLE "public"."published_notes" OWNER TO "postgres";

ALTER TABLE ONLY "public"."events" ATTACH PARTITION "public"."events_2026" FOR VALUES FROM ('2026-01-01') TO ('2027-01-01');

ALTER TABLE ONLY "private"."audit" ALTER COLUMN "id" SET DEFAULT "nextval"('"private"."audit_id_seq"'::"regclass");

ALTER TABLE ONLY "private"."audit"
    ADD CONSTRAINT "audit_pkey" PRIMARY KEY ("id");

ALTER TABLE ONLY "public"."events"
    ADD CONSTRAINT "events_pkey" PRIMARY KEY ("id", "happened_on");

ALTER TABLE ONLY "public"."events_2026"
    ADD CONSTRAINT "events_2026_pkey" PRIMARY KEY ("id", "happened_on");

ALTER TABLE ONLY "public"."notes"
    ADD CONSTRAINT "notes_pkey" PRIMARY KEY ("id");

ALTER TABLE ONLY "public"."notes"
    ADD CONSTRAINT "notes_slug_key" UNIQUE ("slug");

ALTER TABLE ONLY "public"."profiles"
    ADD CONSTRAINT "profiles_pkey" PRIMARY KEY ("id");

CREATE INDEX "notes_owner_idx" ON "public"."notes" USING "btree" ("owner") WHERE ("status" <> 'archived'::"public"."note_status");

CREATE INDEX "notes_title_trgm" ON "public"."notes" USING "gin" ("title" "extensions"."gin_trgm_ops");

ALTER INDEX "public"."events_pkey" ATTACH PARTITION "public"."events_2026_pkey";

CREATE OR REPLACE TRIGGER "note_changed" AFTER INSERT OR UPDATE ON "public"."notes" FOR EACH ROW EXECUTE FUNCTION "private"."note_changed"();

ALTER TABLE ONLY "public"."notes"
    ADD CONSTRAINT "notes_owner_fkey" FOREIGN KEY ("owner") REFERENCES "public"."profiles"("id") ON DELETE CASCADE;

ALTER TABLE ONLY "public"."profiles"
    ADD CONSTRAINT "profiles_id_fkey" FOREIGN KEY ("id") REFERENCES "auth"."users"("id") ON DELETE CASCADE;

CREATE POLICY "Owners do all" ON "public"."notes" TO "authenticated" USING ((( SELECT "auth"."uid"() AS "uid") = "owner")) WITH CHECK ((( SELECT "auth"."uid"() AS "uid") = "owner"));

CREATE POLICY "Owners update their profile" ON "public"."profiles" FOR UPDATE TO "authenticated" USING ((( SELECT "auth"."uid"() AS "uid") = "id"));

CREATE POLICY "Profiles are public" ON "public"."profiles" FOR SELECT USING (true);

CREATE POLICY "Published notes" ON "public"."notes" FOR SELECT TO "anon" USING (("status" = 'published'::"public"."note_status"));

ALTER TABLE "public"."events" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "public"."notes" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "public"."profiles" ENABLE ROW LEVEL SECURITY;

ALTER PUBLICATION "supabase_realtime" OWNER TO "postgres";

ALTER PUBLICATION "supabase_realtime" ADD TABLE ONLY "public"."notes";

GRANT USAGE ON SCHEMA "private" TO "service_role";

GRANT USAGE ON SCHEMA "public" TO "anon";
GRANT USAGE ON SCHEMA "public" TO "authenticated";
GRANT USAGE ON SCHEMA "public" TO "service_role";

REVOKE ALL ON FUNCTION "public"."handle_new_user"() FROM PUBLIC;
GRANT ALL ON FUNCTION "public"."handle_new_user"() TO "service_role";

GRANT ALL ON TABLE "public"."notes" TO "anon";
GRANT ALL ON TABLE "public"."notes" TO "authenticated";
GRANT ALL ON TABLE "public"."notes" TO "service_role";

GRANT ALL ON FUNCTION "public"."search_notes"("term" "text") TO "anon";
GRANT ALL ON FUNCTION "public"."search_notes"("term" "text") TO "authenticated";
GRANT ALL ON FUNCTION "public"."search_notes"("term" "text") TO "service_role";

GRANT ALL ON TABLE "private"."audit" TO "service_role";

GRANT ALL ON TABLE "private"."note_counts" TO "service_role";

GRANT ALL ON TABLE "public"."events" TO "anon";
GRANT ALL ON TABLE "public"."events" TO "authenticated";
GRANT ALL ON TABLE "public"."events" TO "service_role";

GRANT ALL ON TABLE "public"."events_2026" TO "anon";
GRANT ALL ON TABLE "public"."events_2026" TO "authenticated";
GRANT ALL ON TABLE "public"."events_2026" TO "service_role";

GRANT ALL ON SEQUENCE "public"."notes_id_seq" TO "anon";
GRANT ALL ON SEQUENCE "public"."notes_id_seq" TO "authenticated";
GRANT ALL ON SEQUENCE "public"."notes_id_seq" TO "service_role";

GRANT ALL ON TABLE "public"."profiles" TO "anon";
GRANT ALL ON TABLE "public"."profiles" TO "authenticated";
GRANT ALL ON TABLE "public"."profiles" TO "service_role";

GRANT ALL ON TABLE "public"."published_notes" TO "anon";
GRANT ALL ON TABLE "public"."published_notes" TO "authenticated";
GRANT ALL ON TABLE "public"."published_notes" TO "service_role";
GRANT SELECT ON TABLE "public"."published_notes" TO "analyst";

ALTER DEFAULT PRIVILEGES FOR ROLE "postgres" IN SCHEMA "public" GRANT ALL ON SEQUENCES  TO "anon";
ALTER DEFAULT PRIVILEGES FOR ROLE "postgres" IN SCHEMA "public" GRANT ALL ON SEQUENCES  TO "authenticated";
ALTER DEFAULT PRIVILEGES FOR ROLE "postgres" IN SCHEMA "public" GRANT ALL ON SEQUENCES  TO "service_role";

ALTER DEFAULT PRIVILEGES FOR ROLE "postgres" IN SCHEMA "public" GRANT ALL ON FUNCTIONS  TO "anon";
ALTER DEFAULT PRIVILEGES FOR ROLE "postgres" IN SCHEMA "public" GRANT ALL ON FUNCTIONS  TO "authenticated";
ALTER DEFAULT PRIVILEGES FOR ROLE "postgres" IN SCHEMA "public" GRANT ALL ON FUNCTIONS  TO "service_role";

ALTER DEFAULT PRIVILEGES FOR ROLE "postgres" IN SCHEMA "public" GRANT ALL ON TABLES  TO "anon";
ALTER DEFAULT PRIVILEGES FOR ROLE "postgres" IN SCHEMA "public" GRANT ALL ON TABLES  TO "authenticated";
ALTER DEFAULT PRIVILEGES FOR ROLE "postgres" IN SCHEMA "public" GRANT ALL ON TABLES  TO "service_role";

