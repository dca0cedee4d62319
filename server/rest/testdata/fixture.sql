-- A small world for the data API's tests: directors and films, a junction, a
-- table that refers to itself, policies, functions of every shape.
create table directors (id int primary key, name text not null, born date);
create table films (
  id int primary key, title text not null, year int, rating numeric(3,1), tags text[] default '{}',
  details jsonb, during tstzrange, director_id int references directors (id), "odd name" text
);
create table technical_specs (film_id int primary key references films (id), runtime interval);
create table actors (id int primary key, name text not null);
create table roles (film_id int references films (id), actor_id int references actors (id), part text, primary key (film_id, actor_id));
create table people (id int primary key, name text, boss_id int references people (id));
create table letters (id int primary key, sender int references people (id), recipient int references people (id));
create table notes (
  id int generated always as identity primary key, owner uuid not null default auth.uid(), body text not null,
  kind text not null default 'plain' check (kind in ('plain', 'loud')), unique (owner, body)
);
create table secrets (id int primary key, value text);
create view film_list as select f.id as film, f.title as name, f.director_id as by, d.name as director_name
  from films f left join directors d on d.id = f.director_id;
create view film_list_again as select * from film_list;
alter view film_list_again rename column film to "the film";
create schema hidden;
create table hidden.awards (id int primary key, film_id int references films (id), name text);
create view awards as select id, film_id, name from hidden.awards;
grant usage on schema hidden to anon, authenticated;
grant select on hidden.awards to anon, authenticated;
create view short_films as select id, title from films where year < 1960;

insert into directors values (1, 'Víctor Erice', '1940-06-30'), (2, 'Pilar Miró', '1940-04-20'), (3, 'Nobody', null);
insert into films values
  (1, 'El espíritu de la colmena', 1973, 8.0, '{classic,village}', '{"awards": {"goya": 0}, "cast": ["Ana", "Fernando"]}', '[2020-01-01,2020-02-01)', 1, 'a,b'),
  (2, 'El sur', 1983, 7.9, '{classic}', '{"awards": {"goya": 2}}', '[2020-03-01,2020-04-01)', 1, null),
  (3, 'El perro del hortelano', 1996, 7.0, '{}', null, null, 2, 'x (y)'),
  (4, 'Lost', 1950, null, null, null, null, null, '"quoted"');
insert into technical_specs values (1, '97 minutes');
insert into actors values (1, 'Ana Torrent'), (2, 'Emma Suárez');
insert into roles values (1, 1, 'Ana'), (3, 2, 'Diana');
insert into people values (1, 'Rosa', null), (2, 'Joan', 1), (3, 'Marta', 1);
insert into letters values (1, 1, 2);

alter table directors enable row level security;
alter table films enable row level security;
alter table technical_specs enable row level security;
alter table actors enable row level security;
alter table roles enable row level security;
alter table people enable row level security;
alter table letters enable row level security;
alter table notes enable row level security;
alter table secrets enable row level security;
revoke all on secrets from anon, authenticated;
create policy read on directors using (true) with check (true);
create policy read on films using (true) with check (true);
create policy read on technical_specs using (true) with check (true);
create policy read on actors using (true) with check (true);
create policy read on roles using (true) with check (true);
create policy read on people using (true) with check (true);
create policy read on letters using (true) with check (true);
create policy own on notes to authenticated using (owner = (select auth.uid())) with check (owner = (select auth.uid()));

create function add(a int, b int default 10) returns int language sql immutable as 'select a + b';
create function films_of(director int) returns setof films language sql stable as 'select * from public.films where director_id = director';
create function stats(out films bigint, out newest int) language sql stable as 'select count(*), max(year) from public.films';
create function titles() returns setof text language sql stable as 'select title from public.films order by id';
create function nothing() returns void language plpgsql as 'begin end';
create function echo(value jsonb) returns jsonb language sql immutable as 'select value';
create function longest(words text[]) returns text language sql immutable as 'select w from unnest(words) w order by length(w) desc limit 1';
create function take_json(jsonb) returns jsonb language sql immutable as 'select $1';
create function note_of(text_of text) returns notes language sql as 'insert into public.notes (body) values (text_of) returning *';
create function teapot() returns void language plpgsql as $$ begin raise sqlstate 'PT418' using message = 'short and stout', detail = 'spout', hint = 'tip me'; end $$;
create function custom() returns void language plpgsql as $$ begin raise sqlstate 'PGRST' using message = '{"code":"mine","message":"hello","details":"d","hint":"h"}', detail = '{"status":409,"headers":{}}'; end $$;
create function with_headers() returns text language plpgsql as $$ begin perform set_config('response.headers', '[{"X-Film": "yes"}]', true), set_config('response.status', '202', true); return 'ok'; end $$;
create function whoami() returns json language sql stable as $$ select json_build_object('role', current_user, 'sub', auth.uid(), 'method', current_setting('request.method', true), 'agent', current_setting('request.headers', true)::json ->> 'x-test') $$;
create function slow() returns void language sql as 'select pg_sleep(30)';
create function initials(films) returns text language sql stable as $$ select left($1.title, 2) $$;
insert into hidden.awards values (1, 2, 'Goya');
