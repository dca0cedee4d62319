-- Servers that run on this database, so that one that does not fit the others does not start.
create table plaza.servers (
  id uuid primary key,
  version text not null,
  secret_hash text not null,
  started_at timestamptz not null default now(),
  seen_at timestamptz not null default now()
);
revoke all on plaza.servers from public;
comment on table plaza.servers is 'Running servers. Each renews its row every few seconds.';
comment on column plaza.servers.secret_hash is 'Of the secrets that all servers must share.';

-- Servers may sign in as postgres, which does not own what a superuser creates.
do $$
begin
  if exists (select from pg_catalog.pg_roles where rolname = 'postgres') then
    grant select, insert, update, delete on plaza.servers, realtime.servers to postgres;
  end if;
end
$$;
