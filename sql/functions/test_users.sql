-- Test users: marked accounts with random passwords, and signing in as one of them (S-55).

-- The test users by role, the first 200.
create or replace function public.admin_test_users()
  returns table (id uuid, full_name text, avatar_url text, role text, display_id text, email text, last_sign_in_at timestamptz)
  language plpgsql stable security definer
  set search_path = ''
  as $$
  begin
    perform private.require_admin();
    return query
      select p.id, p.full_name, p.avatar_url, p.role, p.display_id, u.email::text, u.last_sign_in_at
      from private.profiles p join auth.users u on u.id = p.id
      where p.is_test
      order by array_position(array['admin', 'owner', 'user'], p.role), p.display_id
      limit 200;
  end
  $$;
revoke execute on function public.admin_test_users() from public, anon;

-- A test user for each role (SEED-03, ADMIN-TEST-09); those that exist get their role back. Returns how many are new.
create or replace function public.admin_create_test_users() returns integer
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    acting text[];
    made integer;
  begin
    perform private.require_test_tools();
    perform private.lock('test_tools');
    acting := private.act_as_server();
    made := private.add_test_accounts(array['Test Admin', 'Test Seller', 'Test Buyer'],
      array[private.test_email('admin'), private.test_email('owner'), private.test_email('user')], array['admin', 'owner', 'user']);
    perform private.log_test_tool('INSERT', 'test users', jsonb_build_object('profiles', made));
    perform private.act_as_server(acting);
    return made;
  end
  $$;
revoke execute on function public.admin_create_test_users() from public, anon;

-- A test scenario (ADMIN-TEST-09): a seller with a business that can be booked, and a buyer who has visited and reviewed
-- it, waits for an answer to another booking, and claims a business that nobody owns. Called again, it puts back what is
-- missing. Returns how many accounts are new.
create or replace function public.admin_create_test_scenario() returns integer
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    seller constant uuid := private.test_user('scenario-seller');
    buyer constant uuid := private.test_user('scenario-buyer');
    salon constant uuid := private.seed_id('test scenario salon');
    kiosk constant uuid := private.seed_id('test scenario kiosk');
    haircut constant uuid := private.seed_id('test scenario haircut');
    acting text[];
    made integer;
  begin
    perform private.require_test_tools();
    perform private.lock('test_tools');
    acting := private.act_as_server();
    made := private.add_test_accounts(array['Scenario Seller', 'Scenario Buyer'],
      array[private.test_email('scenario-seller'), private.test_email('scenario-buyer')], array['owner', 'user']);
    insert into public.businesses (id, owner_id, name, type, location, address, phone, latitude, longitude, hours, description, source, is_claimed,
      verification_status, category_code, city_slug, time_zone, is_test)
    select v.id, v.owner, v.name, v.type, 'Centro, ' || c.local_name, v.address, v.phone, c.latitude, c.longitude, private.test_hours(),
      'Un negocio de prueba, abierto todos los días.', 'seeded', v.owner is not null, case when v.owner is null then 'unverified' else 'verified' end,
      v.category, c.slug, c.time_zone, true
    from (values
      (salon, seller, 'Barbería de Prueba', 'Barbería', 'barbers', 'Calle de Fuencarral 1, 28004 Madrid', '+34 000 000 901'),
      (kiosk, null, 'Floristería sin Dueño', 'Floristería', 'florists', 'Calle de Velázquez 1, 28001 Madrid', '+34 000 000 902')
    ) as v (id, owner, name, type, category, address, phone)
    join public.cities c on c.slug = 'madrid'
    on conflict (id) do update set owner_id = excluded.owner_id, hours = excluded.hours;
    insert into public.services (id, business_id, name, price, duration)
    values (haircut, salon, 'Corte y barba', 25, 60), (private.seed_id('test scenario shave'), salon, 'Afeitado clásico', 18, 30)
    on conflict (id) do nothing;
    insert into public.business_availability (business_id, weekday, is_open, slots)
    select salon, weekday, true, '[{"start": "09:00", "end": "14:00"}, {"start": "16:00", "end": "20:00"}]'
    from unnest(array['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']) as weekday
    on conflict (business_id, weekday) do nothing;
    insert into public.bookings (id, business_id, user_id, service_id, booking_date, start_time, status, created_at, is_test)
    select v.id, salon, buyer, haircut, v.day, v.starts, v.status, now() - v.age, true
    from (values
      (private.seed_id('test scenario visit'), current_date - 7, '10:00'::time, 'completed', interval '9 days'),
      (private.seed_id('test scenario request'), current_date + 7, '11:00', 'pending', interval '0')
    ) as v (id, day, starts, status, age)
    where not private.is_full(salon, tsrange(v.day + v.starts, v.day + v.starts + interval '1 hour'), v.id)
    on conflict (id) do nothing;
    insert into public.reviews (id, business_id, user_id, rating, comment, created_at, is_test)
    values (private.seed_id('test scenario review'), salon, buyer, 4, 'Muy bien en general, aunque tuve que esperar un poco.', now() - interval '6 days', true)
    on conflict do nothing;
    insert into public.claim_requests (id, user_id, business_id, full_name, business_email, role_at_company, verification_method)
    values (private.seed_id('test scenario claim'), buyer, kiosk, 'Scenario Buyer', 'hola@floristeria.example', 'Gerente', 'email_domain')
    on conflict do nothing;
    perform private.refresh_rating(salon);
    perform private.log_test_tool('INSERT', 'test scenario', jsonb_build_object('profiles', made));
    perform private.act_as_server(acting);
    return made;
  end
  $$;
revoke execute on function public.admin_create_test_scenario() from public, anon;

-- The address of a test user as whom the caller is about to sign in; the audit log notes it. The named function
-- log-in-as-test-user calls it as its caller.
create or replace function public.admin_log_in_as(p_user_id uuid) returns text
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    address text;
  begin
    perform private.require_test_tools();
    select u.email into address from auth.users u join private.profiles p on p.id = u.id where u.id = p_user_id and p.is_test;
    if address is null then
      perform private.fail(404, 'not_a_test_user', 'This is no test user');
    end if;
    insert into public.audit_logs (user_id, table_name, action, record_id, new_data)
    values (auth.uid(), 'test_data', 'INSERT', p_user_id::text, jsonb_build_object('logged_in_as', address));
    return address;
  end
  $$;
revoke execute on function public.admin_log_in_as(uuid) from public, anon;
