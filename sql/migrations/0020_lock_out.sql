-- Failed sign-ins are counted for an account and the client's network, and also for
-- addresses that no account has (S-05, S-06). The former counts are of minutes ago
-- at most and are dropped.
drop table private.sign_in_failures;
create table private.sign_in_failures (
  account text not null check (char_length(account) <= 128),
  origin text not null check (char_length(origin) <= 64),
  user_id uuid references auth.users (id) on delete cascade,
  failures integer not null default 0,
  locks integer not null default 0,
  last_failure_at timestamptz not null default now(),
  locked_until timestamptz,
  primary key (account, origin)
);
create index sign_in_failures_user_idx on private.sign_in_failures (user_id);
create index sign_in_failures_last_failure_idx on private.sign_in_failures (last_failure_at);
comment on column private.sign_in_failures.account is 'The user''s id or, where no account has the address that was typed, a keyed hash of it.';
comment on column private.sign_in_failures.origin is
  'The client''s network; empty where it is not known; * for all networks together that the account has never been used from.';
comment on column private.sign_in_failures.locks is 'How often in a row it was locked: each lock lasts twice as long as the one before.';
