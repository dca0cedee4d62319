-- Servers that share broadcasts and presences find one another here.
create table realtime.servers (
  id uuid primary key,
  address text not null,
  seen_at timestamptz not null default now()
);
alter table realtime.servers enable row level security;
comment on table realtime.servers is 'Running servers with REALTIME_BUS. Each renews its row every few seconds.';
