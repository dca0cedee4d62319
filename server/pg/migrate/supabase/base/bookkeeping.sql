-- Tables in which upstream's services keep count of their own migrations, and
-- that dumps grant rights on.
create table if not exists auth.schema_migrations (version varchar(255) primary key);
create table if not exists auth.instances (
  id uuid primary key,
  uuid uuid,
  raw_base_config text,
  created_at timestamptz,
  updated_at timestamptz
);
create table if not exists storage.migrations (
  id integer primary key,
  name varchar(100) unique not null,
  hash varchar(40) not null,
  executed_at timestamp default current_timestamp
);
