-- Who asks the provider how a customer stands takes a number: an answer that
-- comes after that to a later question changes nothing.
alter table private.billing_accounts
  add column revision bigint not null default 0,
  add column synced_at timestamptz not null default now();
create index billing_accounts_synced_idx on private.billing_accounts (synced_at);
create index billing_accounts_customer_idx on private.billing_accounts (customer_id);

-- The local test provider's customers, checkouts, portals and subscriptions.
create table private.test_payments (
  id text primary key,
  kind text not null,
  customer text not null,
  data jsonb not null,
  created_at timestamptz not null default clock_timestamp()
);
create index test_payments_customer_idx on private.test_payments (customer, kind);
grant select, insert, update, delete on private.test_payments to service_role;
