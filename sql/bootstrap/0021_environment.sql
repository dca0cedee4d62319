-- When the database was first served in production. Accounts at addresses that can
-- receive no mail (x@y.test) and that are older come from development; younger
-- ones are strangers', and must not keep the server from starting again.
create table plaza.environment (
  only_row boolean primary key default true check (only_row),
  production_since timestamptz
);
insert into plaza.environment default values;
revoke all on plaza.environment from public;
