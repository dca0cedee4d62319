-- Marks what the admins' test tools made, so that clearing test data never takes anything else (S-54, C-55): "source" says
-- where a listing came from, and real ones are 'manual', too. Callers cannot write these columns; see test_data.sql.
alter table private.profiles add column is_test boolean not null default false;
alter table public.businesses add column is_test boolean not null default false;
alter table public.bookings add column is_test boolean not null default false;
alter table public.reviews add column is_test boolean not null default false;
alter table public.reports add column is_test boolean not null default false;
comment on column private.profiles.is_test is 'A test user: its password is random, and admins may sign in as it.';
comment on column public.businesses.is_test is 'Made by the test tools or by a test user; removed by "clear test data".';
comment on column public.bookings.is_test is 'Made by the test tools or by a test user; removed by "clear test data".';
comment on column public.reviews.is_test is 'Made by the test tools or by a test user; removed by "clear test data".';
comment on column public.reports.is_test is 'Made by the test tools or by a test user; removed by "clear test data".';

-- They are counted whenever the test tools are shown.
create index profiles_test_idx on private.profiles (id) where is_test;
create index businesses_test_idx on public.businesses (id) where is_test;
create index bookings_test_idx on public.bookings (id) where is_test;
create index reviews_test_idx on public.reviews (id) where is_test;
create index reports_test_idx on public.reports (id) where is_test;
