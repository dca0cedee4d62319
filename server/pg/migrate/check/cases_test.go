package check_test

// cases are pending migrations, with what is found in them, and the safe form of the first finding.
var cases = []struct {
	name  string
	files []string
	want  []string
	safe  string // migrations, with -- between them
}{
	{"a column without a default is added at once", []string{"alter table orders add column a integer"}, []string{}, ""},
	{"a column with a constant default is added at once", []string{"alter table orders add column a timestamptz not null default now()"}, []string{}, ""},
	{
		"a column with a volatile default",
		[]string{"alter table orders add column a uuid not null default gen_random_uuid()"},
		[]string{"2:1 rewrite public.orders reads and writes of public.orders"}, `set local lock_timeout = '5s';
alter table public.orders add column a uuid;
alter table public.orders alter column a set default gen_random_uuid();
--
update public.orders set a = gen_random_uuid() where a is null;
--
set local lock_timeout = '5s';
alter table public.orders add constraint orders_a_not_null check (a is not null) not valid;
--
alter table public.orders validate constraint orders_a_not_null;
--
set local lock_timeout = '5s';
alter table public.orders alter column a set not null;
alter table public.orders drop constraint orders_a_not_null;`,
	},
	{
		"a serial column", []string{"\nalter table orders add column a bigserial;"}, []string{"2:2 rewrite public.orders reads and writes of public.orders"}, `set local lock_timeout = '5s';
create sequence public.orders_a_seq;
alter table public.orders add column a bigint;
alter sequence public.orders_a_seq owned by public.orders.a;
alter table public.orders alter column a set default nextval('public.orders_a_seq');
--
update public.orders set a = nextval('public.orders_a_seq') where a is null;
--
set local lock_timeout = '5s';
alter table public.orders add constraint orders_a_not_null check (a is not null) not valid;
--
alter table public.orders validate constraint orders_a_not_null;
--
set local lock_timeout = '5s';
alter table public.orders alter column a set not null;
alter table public.orders drop constraint orders_a_not_null;`,
	},
	{
		"an identity column", []string{"alter table orders add column a integer generated always as identity"}, []string{"2:1 rewrite public.orders reads and writes of public.orders"}, `set local lock_timeout = '5s';
create sequence public.orders_a_seq;
alter table public.orders add column a integer;
alter sequence public.orders_a_seq owned by public.orders.a;
alter table public.orders alter column a set default nextval('public.orders_a_seq');
--
update public.orders set a = nextval('public.orders_a_seq') where a is null;
--
set local lock_timeout = '5s';
alter table public.orders add constraint orders_a_not_null check (a is not null) not valid;
--
alter table public.orders validate constraint orders_a_not_null;
--
set local lock_timeout = '5s';
alter table public.orders alter column a set not null;
alter table public.orders drop constraint orders_a_not_null;`,
	},
	{"a stored generated column", []string{"alter table orders add column a integer generated always as (total * 2) stored"}, []string{"2:1 rewrite public.orders reads and writes of public.orders"}, ""},
	{
		"a type that is stored otherwise", []string{"alter table orders alter column total type bigint"}, []string{"2:1 rewrite public.orders reads and writes of public.orders"}, `set local lock_timeout = '5s';
alter table public.orders add column total_new bigint;
create function public.orders_total_new() returns trigger language plpgsql as $$
begin
  new.total_new := new.total;
  return new;
end
$$;
create trigger orders_total_new before insert or update on public.orders for each row execute function public.orders_total_new();
--
update public.orders set total_new = total::bigint where total_new is null and total is not null;
--
set local lock_timeout = '5s';
drop trigger orders_total_new on public.orders;
drop function public.orders_total_new();
alter table public.orders drop column total;
alter table public.orders rename column total_new to total;`,
	},
	{"a type that is stored in the same way", []string{"alter table orders alter column state type text"}, []string{}, ""},
	{
		"not null", []string{"alter table orders alter column total set not null"}, []string{"2:1 scan public.orders reads and writes of public.orders"}, `set local lock_timeout = '5s';
alter table public.orders add constraint orders_total_not_null check (total is not null) not valid;
--
alter table public.orders validate constraint orders_total_not_null;
--
set local lock_timeout = '5s';
alter table public.orders alter column total set not null;
alter table public.orders drop constraint orders_total_not_null;`,
	},
	{
		"a check", []string{"alter table orders add constraint positive check (total > 0)"}, []string{"2:1 scan public.orders reads and writes of public.orders"}, `set local lock_timeout = '5s';
alter table public.orders add constraint positive CHECK ((total > 0)) not valid;
--
alter table public.orders validate constraint positive;`,
	},
	{
		"a new column with a check", []string{"alter table orders add column a integer check (a > 0)"}, []string{"2:1 scan public.orders reads and writes of public.orders"}, `set local lock_timeout = '5s';
alter table public.orders add column a integer;
--
set local lock_timeout = '5s';
alter table public.orders add constraint orders_a_check CHECK ((a > 0)) not valid;
--
alter table public.orders validate constraint orders_a_check;`,
	},
	{
		"a foreign key", []string{"alter table orders add constraint orders_customer_fkey foreign key (customer) references customers"},
		[]string{"2:1 scan public.orders writes of public.customers, writes of public.orders"}, `set local lock_timeout = '5s';
alter table public.orders add constraint orders_customer_fkey FOREIGN KEY (customer) REFERENCES customers(id) not valid;
--
alter table public.orders validate constraint orders_customer_fkey;`,
	},
	{"a foreign key of a new table", []string{"create table invoices (customer bigint); alter table invoices add foreign key (customer) references customers"}, []string{}, ""},
	{
		"a constraint that is validated in the transaction that added it",
		[]string{"alter table orders add constraint positive check (total > 0) not valid;\nalter table orders validate constraint positive;"},
		[]string{"2:2 scan public.orders reads and writes of public.orders"}, `alter table orders add constraint positive check (total > 0) not valid;
--
alter table orders validate constraint positive;`,
	},
	{
		"a unique constraint", []string{"alter table orders add constraint once unique (customer, state)"}, []string{"2:1 index public.orders reads and writes of public.orders"}, `drop index concurrently if exists public.once;
CREATE UNIQUE INDEX CONCURRENTLY once ON public.orders USING btree (customer, state);
--
set local lock_timeout = '5s';
alter table public.orders add constraint once unique using index once;`,
	},
	{
		"a deferrable unique constraint", []string{"alter table orders add constraint once unique (customer) deferrable initially deferred"}, []string{"2:1 index public.orders reads and writes of public.orders"}, `drop index concurrently if exists public.once;
CREATE UNIQUE INDEX CONCURRENTLY once ON public.orders USING btree (customer);
--
set local lock_timeout = '5s';
alter table public.orders add constraint once unique using index once deferrable initially deferred;`,
	},
	{
		"a primary key", []string{"alter table rates add constraint rates_pk primary key (rate)"}, []string{"2:1 index public.rates reads and writes of public.rates"}, `set local lock_timeout = '5s';
alter table public.rates add constraint rates_rate_not_null check (rate is not null) not valid;
--
alter table public.rates validate constraint rates_rate_not_null;
--
set local lock_timeout = '5s';
alter table public.rates alter column rate set not null;
alter table public.rates drop constraint rates_rate_not_null;
--
drop index concurrently if exists public.rates_pk;
CREATE UNIQUE INDEX CONCURRENTLY rates_pk ON public.rates USING btree (rate);
--
set local lock_timeout = '5s';
alter table public.rates add constraint rates_pk primary key using index rates_pk;`,
	},
	{"an exclusion constraint", []string{"alter table orders add constraint alone exclude (customer with =)"}, []string{"2:1 index public.orders reads and writes of public.orders"}, ""},
	{
		"an index", []string{"create index orders_total on orders (total) where total > 0"}, []string{"2:1 index public.orders writes of public.orders"}, `drop index concurrently if exists public.orders_total;
CREATE INDEX CONCURRENTLY orders_total ON public.orders USING btree (total) WHERE (total > 0);`,
	},
	{"an index made concurrently", []string{"create index concurrently orders_total on orders (total)"}, []string{}, ""},
	{"an index of a new table", []string{"create table new (n integer); create index on new (n); insert into new select total from orders"}, []string{}, ""},
	{
		"an index of a partitioned table", []string{"create index logs_text on logs (text)"}, []string{"2:1 index public.logs writes of public.logs"}, `set local lock_timeout = '5s';
CREATE INDEX logs_text ON ONLY public.logs USING btree (text);
--
drop index concurrently if exists public.logs_1_text_idx;
CREATE INDEX CONCURRENTLY logs_1_text_idx ON public.logs_1 USING btree (text);
--
alter index public.logs_text attach partition public.logs_1_text_idx;`,
	},
	{
		"an index built again", []string{"reindex table orders"}, []string{"2:1 index public.orders writes of public.orders"}, `reindex index concurrently public.orders_pkey;
--
reindex index concurrently public.orders_customer;`,
	},
	{"an index built again concurrently", []string{"reindex table concurrently orders"}, []string{}, ""},
	{
		"a partition that was a table", []string{"alter table logs attach partition logs_2 for values from ('2026-02-01') to ('2026-03-01')"}, []string{"2:1 scan public.logs_2 reads and writes of public.logs_2"}, `set local lock_timeout = '5s';
alter table public.logs_2 add constraint logs_2_bound check (((at IS NOT NULL) AND (at >= '2026-02-01'::date) AND (at < '2026-03-01'::date))) not valid;
--
alter table public.logs_2 validate constraint logs_2_bound;
--
set local lock_timeout = '5s';
alter table logs attach partition logs_2 for values from ('2026-02-01') to ('2026-03-01');
alter table public.logs_2 drop constraint logs_2_bound;`,
	},
	{"a new partition", []string{"create table logs_3 partition of logs for values from ('2026-03-01') to ('2026-04-01')"}, []string{}, ""},
	{
		"a check of a domain", []string{"alter domain percent add constraint small check (value <= 100)"}, []string{"2:1 scan public.rates writes of public.rates"}, `set local lock_timeout = '5s';
alter domain percent add constraint small CHECK ((VALUE <= 100)) not valid;`,
	},
	{
		"cluster", []string{"cluster orders using orders_customer"}, []string{"2:1 rewrite public.orders reads and writes of public.orders"}, "vacuum (analyze) public.orders;",
	},
	{
		"vacuum full", []string{"vacuum full orders"}, []string{"2:1 rewrite public.orders reads and writes of public.orders"}, "vacuum (analyze) public.orders;",
	},
	{"vacuum", []string{"vacuum analyze orders"}, []string{}, ""},
	{"truncate is done at once", []string{"truncate orders"}, []string{}, ""},
	{"an unlogged table", []string{"alter table orders set unlogged"}, []string{"2:1 rewrite public.orders reads and writes of public.orders"}, ""},
	{
		"a materialized view", []string{"refresh materialized view totals"}, []string{"2:1 rewrite public.totals reads and writes of public.totals"}, "refresh materialized view concurrently public.totals;",
	},
	{"rows that are updated", []string{"update orders set total = 0"}, []string{}, ""},
	{
		"rows that are updated under a lock", []string{"alter table orders add column a integer;\n\nupdate orders set a = total;"}, []string{"2:3 scan public.orders reads and writes of public.orders"}, `alter table orders add column a integer;
--
update orders set a = total;`,
	},
	{
		"rows that are updated while another table is locked", []string{"alter table customers add column a integer; update orders set total = 0"}, []string{"2:1 scan public.orders reads and writes of public.customers"}, `alter table customers add column a integer;
--
update orders set total = 0;`,
	},
	{"one row that is updated under a lock", []string{"alter table orders add column a integer; update orders set a = 1 where id = 7"}, []string{}, ""},
	{
		"statements in a block", []string{"do $$ begin alter table orders alter column total set not null; end $$"}, []string{"2:1 scan public.orders reads and writes of public.orders"}, `set local lock_timeout = '5s';
alter table public.orders add constraint orders_total_not_null check (total is not null) not valid;
--
alter table public.orders validate constraint orders_total_not_null;
--
set local lock_timeout = '5s';
alter table public.orders alter column total set not null;
alter table public.orders drop constraint orders_total_not_null;`,
	},
	{
		"a column that is dropped", []string{"alter table orders drop column note"}, []string{"2:1 former public.orders"}, `-- plaza: allow former
alter table orders drop column note;`,
	},
	{
		"a table that is dropped", []string{"drop table rates"}, []string{"2:1 former public.rates"}, `-- plaza: allow former
drop table rates;`,
	},
	{
		"a table that is renamed", []string{"alter table customers rename to clients"}, []string{"2:1 former public.customers"}, `alter table customers rename to clients;
create view public.customers with (security_invoker = true) as select * from public.clients;`,
	},
	{"a table that is renamed with a view in its place", []string{"alter table customers rename to clients; create view customers as select * from clients"}, []string{}, ""},
	{
		"a column that is renamed", []string{"alter table customers rename column email to mail"}, []string{"2:1 former public.customers"}, `alter table public.customers add column mail text;
create function public.customers_mail() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    new.mail := coalesce(new.mail, new.email);
    new.email := new.mail;
  elsif new.mail is distinct from old.mail then
    new.email := new.mail;
  else
    new.mail := new.email;
  end if;
  return new;
end
$$;
create trigger customers_mail before insert or update on public.customers for each row execute function public.customers_mail();
--
update public.customers set mail = email where mail is null and email is not null;`,
	},
	{
		"a column that is required", []string{"alter table orders add column a integer not null default 1; alter table orders alter column a drop default"}, []string{"2:1 former public.orders"}, "alter table public.orders add column a integer;",
	},
	{
		"a function that is dropped", []string{"drop function vat"}, []string{"2:1 former"}, `-- plaza: allow former
drop function vat;`,
	},
	{"a function that is made again", []string{"drop function vat; create function vat(amount integer) returns bigint language sql as 'select 1::bigint'"}, []string{}, ""},
	{"a finding that a comment allows", []string{"-- Nobody uses it since 1.4.\n-- plaza: allow former\nalter table orders drop column note"}, []string{}, ""},
	{
		"a comment that allows another kind", []string{"-- plaza: allow rewrite, scan\nalter table orders drop column note"}, []string{"2:2 former public.orders"}, `-- plaza: allow former
alter table orders drop column note;`,
	},
	{"a table of an earlier pending migration", []string{"create table new (n integer)", "alter table new alter column n type bigint; create index on new (n); alter table new drop column n"}, []string{}, ""},
	{"a statement that fails", []string{"create table new (n integer);\nalter table missing add column n integer;"}, []string{"2:2 unchecked"}, ""},
	{
		"a constraint that takes the place of another",
		[]string{"alter table customers drop constraint named, add constraint named check (length(name) > 1)"},
		[]string{"2:1 scan public.customers reads and writes of public.customers"},
		"set local lock_timeout = '5s';\nalter table public.customers drop constraint named, add constraint named CHECK ((length(name) > 1)) not valid;\n--\n" +
			"alter table public.customers validate constraint named;",
	},
	{
		"a primary key that takes the place of another", []string{"alter table customers drop constraint customers_pkey, add constraint customers_pkey primary key (id, name)"},
		[]string{"2:1 index public.customers reads and writes of public.customers"},
		"drop index concurrently if exists public.customers_pkey_new;\nCREATE UNIQUE INDEX CONCURRENTLY customers_pkey_new ON public.customers USING btree (id, name);\n--\n" +
			"set local lock_timeout = '5s';\nalter table public.customers drop constraint customers_pkey, add constraint customers_pkey primary key using index customers_pkey_new;",
	},
}
