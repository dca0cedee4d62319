-- Test data by intensity (ADMIN-TEST-02, SEED-01): the same rows on every machine, so that seeding again puts back what is
-- missing, and a larger intensity adds to a smaller one. Rows are written in batches of 100 (SEED-02).

-- How many rows an intensity has. Owners and customers are its profiles. Reviews and bookings are at most as many as
-- businesses times customers, and at most five of each per business.
create or replace function private.test_intensity(p_intensity text)
  returns table (owners integer, customers integer, businesses integer, reviews integer, bookings integer, reports integer)
  language sql immutable
  as $$
    select a.owners, a.customers, a.businesses, a.reviews, a.bookings, a.reports
    from (values
      ('minimal', 1, 2, 2, 4, 4, 2),
      ('standard', 1, 4, 5, 15, 15, 10),
      ('extensive', 10, 40, 50, 250, 250, 100)
    ) as a (intensity, owners, customers, businesses, reviews, bookings, reports)
    where a.intensity = p_intensity
  $$;
revoke execute on function private.test_intensity(text) from public, anon, authenticated, service_role;

-- Creates marked accounts with random passwords that nobody knows, in batches of 100; those that exist get their role
-- back. Returns how many are new.
create or replace function private.add_test_accounts(p_names text[], p_emails text[], p_roles text[]) returns integer
  language plpgsql
  set search_path = ''
  as $$
  declare
    made integer := 0;
    batch integer;
  begin
    for start_at in 1 .. cardinality(p_emails) by 100 loop
      insert into auth.users (instance_id, id, aud, role, email, encrypted_password, email_confirmed_at,
        raw_app_meta_data, raw_user_meta_data, created_at, updated_at)
      select '00000000-0000-0000-0000-000000000000', private.seed_id(email), 'authenticated', 'authenticated', email,
        -- The lowest cost: a password of 288 random bits cannot be guessed.
        extensions.crypt(encode(extensions.gen_random_bytes(36), 'base64'), extensions.gen_salt('bf', 4)), now(),
        '{"provider": "email", "providers": ["email"], "plaza_test": true}',
        jsonb_build_object('sub', private.seed_id(email), 'email', email, 'full_name', name, 'email_verified', true), now(), now()
      from unnest(p_names[start_at : start_at + 99], p_emails[start_at : start_at + 99]) as each (name, email)
      on conflict do nothing;
      get diagnostics batch = row_count;
      made := made + batch;
      insert into auth.identities (provider_id, user_id, identity_data, provider, last_sign_in_at, created_at, updated_at)
      select u.id::text, u.id, u.raw_user_meta_data, 'email', now(), now(), now()
      from auth.users u where u.email = any (p_emails[start_at : start_at + 99]) and u.id = private.seed_id(u.email)
      on conflict (provider_id, provider) do nothing;
      update private.profiles p set is_test = true, role = account.role
      from unnest(p_emails[start_at : start_at + 99], p_roles[start_at : start_at + 99]) as account (email, role)
      where p.id = private.seed_id(account.email) and (not p.is_test or p.role <> account.role);
    end loop;
    return made;
  end
  $$;
revoke execute on function private.add_test_accounts(text[], text[], text[]) from public, anon, authenticated, service_role;

create or replace function private.test_email(p_who text) returns text
  language sql immutable
  as $$
    select p_who || '@test.plaza.test'
  $$;

-- The id of the test customer or owner with this number, or of another test user.
create or replace function private.test_user(p_who text) returns uuid
  language sql immutable
  set search_path = ''
  as $$
    select private.seed_id(private.test_email(p_who))
  $$;

create or replace function private.test_name(n integer) returns text
  language sql immutable
  as $$
    select (array['Marta', 'Iker', 'Laia', 'Pablo', 'Elena', 'Quim', 'Nuria', 'Hugo', 'Clara', 'Oriol'])[1 + n % 10] || ' '
      || (array['Soler', 'Ibáñez', 'Farré', 'Delgado', 'Campos', 'Roca'])[1 + n / 10 % 6]
  $$;

create or replace function private.test_reason(n integer) returns text
  language sql immutable
  as $$
    select (array['Wrong information', 'Spam', 'Offensive language', 'Closed for good', 'Fake review'])[1 + n % 5]
  $$;

-- Open every day, so that bookings on any date are within the hours.
create or replace function private.test_hours() returns jsonb
  language sql immutable
  as $$
    select jsonb_build_object('structured', jsonb_object_agg(weekday,
      '{"open": "09:00", "close": "20:00", "isOpen": true, "closed": false}'::jsonb))
    from unnest(array['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']) as weekday
  $$;

-- Businesses from first to last, with two services each. Returns how many are new.
create or replace function private.seed_test_businesses(p_first integer, p_last integer, p_owners integer) returns integer
  language plpgsql
  set search_path = ''
  as $$
  declare
    made integer;
  begin
    with trade as (
      select * from (values
        (0, 'hair', 'Peluquería', 'Peluquería {s}', 'Corte y peinado', 28, 45, 'Color completo', 55, 60),
        (1, 'tapas', 'Bar de tapas', 'Casa {s}', 'Mesa para dos', 12, 60, 'Menú degustación', 38, 60),
        (2, 'auto-repair', 'Taller mecánico', 'Taller {s}', 'Diagnosis electrónica', 40, 30, 'Revisión pre-ITV', 45, 60),
        (3, 'yoga', 'Estudio de yoga y pilates', 'Yoga {s}', 'Clase de yoga', 14, 60, 'Pilates con máquinas', 22, 60),
        (4, 'vets', 'Clínica veterinaria', 'Veterinaria {s}', 'Consulta', 35, 30, 'Vacunación', 42, 30),
        (5, 'barbers', 'Barbería', 'Barbería {s}', 'Corte de pelo', 16, 30, 'Corte y barba', 25, 60),
        (6, 'florists', 'Floristería', 'Flores {s}', 'Consulta para bodas', 20, 45, 'Taller de ramos', 38, 60),
        (7, 'bookstores', 'Librería', 'Librería {s}', 'Cuentacuentos', 5, 45, 'Club de lectura', 8, 60),
        (8, 'pet-grooming', 'Peluquería canina', 'Peluditos {s}', 'Corte de uñas', 10, 30, 'Baño y secado', 28, 60),
        (9, 'spa-wellness', 'Spa y masajes', 'Aguas de {s}', 'Masaje relajante', 55, 60, 'Masaje deportivo', 60, 60)
      ) as t (place, category, type, pattern, service, price, minutes, service_2, price_2, minutes_2)
    ), listing as (
      select n, private.seed_id('test business ' || n) as id, t.*, c.slug as city, c.local_name, c.country, c.time_zone, c.latitude, c.longitude,
        replace(t.pattern, '{s}', (array['Serra', 'Vidal', 'Romero', 'Pujol', 'Navarro', 'Camps', 'Herrera', 'Riera', 'Molina', 'Font'])[1 + (n * 7 + n / 10) % 10]) as name
      from generate_series(p_first, p_last) as n
      join trade t on t.place = n % 10
      join unnest(array['barcelona', 'madrid', 'andorra-la-vella', 'valencia', 'seville', 'encamp', 'bilbao', 'malaga', 'palma', 'ordino'])
        with ordinality as chosen (slug, place) on chosen.place = 1 + (n / 10 + n) % 10
      join public.cities c on c.slug = chosen.slug
    ), written as (
      insert into public.businesses (id, owner_id, name, type, location, address, phone, website, latitude, longitude, hours, description, tagline,
        languages, source, is_claimed, verification_status, category_code, city_slug, time_zone, is_test)
      select id, private.test_user('owner-' || 1 + (n - 1) % p_owners), name, type,
        'Centro, ' || local_name || case when country = 'Andorra' then ', Andorra' else '' end,
        format('Calle Mayor %s, %s', 1 + private.pick(id::text, 140), local_name),
        case country when 'Andorra' then '+376 000 ' else '+34 000 000 ' end || lpad(n::text, 3, '0'),
        format('https://%s.example', private.company_slug(name)),
        round((latitude + (private.pick(id || 'lat', 200) - 100) * 0.00004)::numeric, 6),
        round((longitude + (private.pick(id || 'lon', 200) - 100) * 0.00004)::numeric, 6),
        private.test_hours(), format('%s es un negocio de prueba de %s. Atiende con cita y abre todos los días.', name, local_name),
        'Cerca de casa, como siempre', array['Castellano', 'English'], 'seeded', true, 'verified', category, city, time_zone, true
      from listing
      on conflict (id) do update set name = excluded.name, hours = excluded.hours, description = excluded.description
      returning xmax = 0 as is_new
    ), offered as (
      insert into public.services (id, business_id, name, price, duration)
      select private.seed_id(format('test service %s %s', n, s.place)), id, s.name, s.price, s.minutes
      from listing, lateral (values (1, service, price, minutes), (2, service_2, price_2, minutes_2)) as s (place, name, price, minutes)
      on conflict (id) do update set name = excluded.name, price = excluded.price, duration = excluded.duration
    )
    select count(*) filter (where is_new) into made from written;
    return made;
  end
  $$;
revoke execute on function private.seed_test_businesses(integer, integer, integer) from public, anon, authenticated, service_role;

-- Reviews from first to last: each round goes through all businesses, and a business is never reviewed twice by one
-- customer. The third of a business is never better than 4, so that averages are realistic (SEED-15).
create or replace function private.seed_test_reviews(p_first integer, p_last integer, p_businesses integer, p_customers integer) returns integer
  language sql
  set search_path = ''
  as $$
    with written as (
      insert into public.reviews (id, business_id, user_id, rating, comment, created_at, is_test)
      select private.seed_id(format('test review %s %s', b, round)), private.seed_id('test business ' || b),
        private.test_user('customer-' || 1 + (round + b) % p_customers),
        case when round = 2 then 3 + b % 2 else (array[5, 4, 5, 3, 5, 4, 2])[1 + (b * 3 + round * 5) % 7] end,
        (array['Trato excelente y muy buen ambiente. Repetiré.', 'Puntuales, amables y con precios claros.', 'Molt professionals, hi tornarem segur!',
          'Good service and fair prices. A little noisy at peak hours.', 'Correcto, aunque tuve que esperar diez minutos.'])[1 + (b + round * 2) % 5],
        now() - make_interval(days => 3 + (b * 11 + round * 37) % 200, mins => b * 7 % 600), true
      from generate_series(p_first, p_last) as i, lateral (select 1 + (i - 1) % p_businesses as b, (i - 1) / p_businesses as round) at
      on conflict do nothing
      returning 1
    )
    select count(*)::integer from written
  $$;
revoke execute on function private.seed_test_reviews(integer, integer, integer, integer) from public, anon, authenticated, service_role;

-- Bookings from first to last: rounds go through all businesses, alternately in the past and ahead. Each round has an
-- hour of its own, so that those of one business never meet, on whatever days they were made. A time that somebody else
-- has booked is left out.
create or replace function private.seed_test_bookings(p_first integer, p_last integer, p_businesses integer, p_customers integer) returns integer
  language sql
  set search_path = ''
  as $$
    with visit as (
      select b, round, private.seed_id(format('test booking %s %s', b, round)) as id, private.seed_id('test business ' || b) as business_id,
        case when round % 2 = 0 then current_date - 7 - b % 14 - round else current_date + 3 + b % 14 + round end as day
      from generate_series(p_first, p_last) as i, lateral (select 1 + (i - 1) % p_businesses as b, (i - 1) / p_businesses as round) at
    ), written as (
      insert into public.bookings (id, business_id, user_id, service_id, booking_date, start_time, status, created_at, is_test)
      select id, business_id, private.test_user('customer-' || 1 + (round + b) % p_customers),
        private.seed_id(format('test service %s %s', b, 1 + (b + round) % 2)), day, make_time(10 + round, 0, 0),
        case when (b + round) % 9 = 0 then 'cancelled' when round % 2 = 0 then 'completed' when b % 2 = 0 then 'confirmed' else 'pending' end,
        now() - make_interval(days => case when round % 2 = 0 then 30 else 1 end, mins => b * 13 % 900), true
      from visit
      where not private.is_full(business_id, tsrange(day + make_time(10 + round, 0, 0), day + make_time(11 + round, 0, 0)), id)
      on conflict (id) do nothing
      returning 1
    )
    select count(*)::integer from written
  $$;
revoke execute on function private.seed_test_bookings(integer, integer, integer, integer) from public, anon, authenticated, service_role;

-- Reports from first to last, of businesses, reviews and owners in turn; each third one is decided.
create or replace function private.seed_test_reports(p_first integer, p_last integer, p_businesses integer, p_customers integer, p_owners integer)
  returns integer
  language sql
  set search_path = ''
  as $$
    with written as (
      insert into public.reports (id, reporter_id, reported_id, type, reason, details, status, created_at, is_test)
      select private.seed_id('test report ' || i), private.test_user('customer-' || 1 + i % p_customers),
        case i % 3 when 1 then private.seed_id('test business ' || 1 + i % p_businesses)
          when 2 then private.seed_id(format('test review %s 0', 1 + i % p_businesses))
          else private.test_user('owner-' || 1 + i % p_owners) end,
        (array['user', 'business', 'review'])[1 + i % 3], private.test_reason(i), 'Please have a look at this.',
        case when i % 9 < 6 then 'pending' when i % 2 = 0 then 'resolved' else 'rejected' end, now() - make_interval(hours => i * 5), true
      from generate_series(p_first, p_last) as i
      on conflict do nothing
      returning 1
    )
    select count(*)::integer from written
  $$;
revoke execute on function private.seed_test_reports(integer, integer, integer, integer, integer) from public, anon, authenticated, service_role;

-- Makes the test data of an intensity, and returns what is new. `plaza seed --intensity` and admins call it.
create or replace function private.seed_test_data(p_intensity text) returns table (what text, made bigint)
  language plpgsql security definer
  set search_path = ''
  as $$
  #variable_conflict use_column
  declare
    size record;
    counts bigint[] := array[0, 0, 0, 0, 0];
    last integer;
    acting text[];
  begin
    if not private.test_tools_are_on() then
      perform private.fail(403, 'test_tools_off', 'Test tools are off in production');
    end if;
    select * into size from private.test_intensity(p_intensity);
    if size.owners is null then
      perform private.fail(422, 'unknown_intensity', 'The intensity must be minimal, standard or extensive');
    end if;
    perform private.lock('test_tools');
    acting := private.act_as_server();
    counts[1] := private.add_test_accounts(array_agg(name order by place), array_agg(private.test_email(key) order by place), array_agg(role order by place))
      from (
        select n as place, 'owner-' || n as key, 'owner' as role, private.test_name(n) as name from generate_series(1, size.owners) as n
        union all
        select 100 + n, 'customer-' || n, 'user', private.test_name(10 + n) from generate_series(1, size.customers) as n) person;
    for start_at in 1 .. size.businesses by 100 loop
      counts[2] := counts[2] + private.seed_test_businesses(start_at, least(start_at + 99, size.businesses), size.owners);
    end loop;
    for start_at in 1 .. size.reviews by 100 loop
      counts[3] := counts[3] + private.seed_test_reviews(start_at, least(start_at + 99, size.reviews), size.businesses, size.customers);
    end loop;
    for start_at in 1 .. size.bookings by 100 loop
      counts[4] := counts[4] + private.seed_test_bookings(start_at, least(start_at + 99, size.bookings), size.businesses, size.customers);
    end loop;
    for start_at in 1 .. size.reports by 100 loop
      last := least(start_at + 99, size.reports);
      counts[5] := counts[5] + private.seed_test_reports(start_at, last, size.businesses, size.customers, size.owners);
    end loop;
    -- The triggers that keep ratings rest while rows are seeded.
    perform private.refresh_rating(private.seed_id('test business ' || n)) from generate_series(1, size.businesses) as n;
    perform private.act_as_server(acting);
    return query select * from unnest(array['profiles', 'businesses', 'reviews', 'bookings', 'reports'], counts);
  end
  $$;
revoke execute on function private.seed_test_data(text) from public, anon, authenticated, service_role;

create or replace function public.admin_seed_test_data(p_intensity text) returns table (what text, made bigint)
  language plpgsql security definer
  set search_path = ''
  set statement_timeout = '28s'
  as $$
  declare
    counts jsonb;
  begin
    perform private.require_test_tools();
    select jsonb_object_agg(s.what, s.made) into counts from private.seed_test_data(p_intensity) s;
    perform private.log_test_tool('INSERT', p_intensity || ' test data', counts);
    return query select key, value::bigint from jsonb_each_text(counts);
  end
  $$;
revoke execute on function public.admin_seed_test_data(text) from public, anon;

-- Sample reports for an empty list of reports (ADMIN-REPORT-06): ten about the businesses that exist, by users that
-- exist, or with p_complete the standard test data. Refused if there is any report.
create or replace function public.admin_create_sample_reports(p_complete boolean) returns table (what text, made bigint)
  language plpgsql security definer
  set search_path = ''
  set statement_timeout = '28s'
  as $$
  declare
    most constant integer := 10;
    reports bigint;
    acting text[];
  begin
    perform private.require_test_tools();
    perform private.lock('test_tools');
    if exists (select from public.reports) then
      perform private.fail(409, 'sample_exists', 'Sample data already exists');
    elsif p_complete then
      return query select s.what, s.made from public.admin_seed_test_data('standard') s;
      return;
    elsif not exists (select from private.profiles p where p.role <> 'admin') then
      perform private.fail(422, 'no_users', 'No users found in the database. Create test users first, or create a complete sample dataset.');
    elsif not exists (select from public.businesses) then
      perform private.fail(422, 'no_businesses', 'No businesses found in the database. Create businesses first, or create a complete sample dataset.');
    end if;
    acting := private.act_as_server();
    insert into public.reports (reporter_id, reported_id, type, reason, details, created_at, is_test)
    select reporter, business, 'business', private.test_reason(n::integer), 'Please have a look at this.', now() - make_interval(hours => n::integer * 5), true
    from (
      select p.id as reporter, b.id as business, row_number() over (order by md5(p.id::text || b.id)) as n
      from (select id from private.profiles where role <> 'admin' order by id limit most) p
      cross join (select id from public.businesses order by id limit most) b
    ) pair
    where n <= most;
    get diagnostics reports = row_count;
    perform private.log_test_tool('INSERT', 'sample reports', jsonb_build_object('reports', reports));
    perform private.act_as_server(acting);
    return query select 'reports', reports;
  end
  $$;
revoke execute on function public.admin_create_sample_reports(boolean) from public, anon;
