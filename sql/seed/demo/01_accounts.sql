-- Demo accounts: one per role with the password in the README (Plaza-demo-1), and customers and sellers without one,
-- who write reviews and own listings.
set local plaza.seeding = 'on';

create temporary table demo_people on commit drop as
select email, full_name, role, email in ('admin@plaza.test', 'owner@plaza.test', 'user@plaza.test') as signs_in,
  private.seed_id(email) as id
from (values
  ('admin@plaza.test', 'Aurora Vidal', 'admin'),
  ('owner@plaza.test', 'Martí Puig i Serra', 'owner'),
  ('user@plaza.test', 'Lucía Fernández', 'user')
) as account (email, full_name, role)
union all
select format('%s@plaza.test', replace(private.slugify(name), '-', '.')), name,
  case when place <= 12 then 'owner' else 'user' end, false,
  private.seed_id(format('%s@plaza.test', replace(private.slugify(name), '-', '.')))
from unnest(array[
  'Joan Ferrer', 'Carmen Ortega', 'Íñigo Etxeberria', 'Dolors Camprubí', 'Rafael Montoya', 'Núria Casals',
  'Antonio Benítez', 'Maite Agirre', 'Òscar Naudi', 'Pilar Lahoz', 'Yeray Santana', 'Aina Salom',
  'Sofía Márquez', 'Pau Riera', 'Elena Núñez', 'Jordi Mas', 'Ainhoa Zubiri', 'Álvaro Peña', 'Mercè Solà',
  'Nerea Ibáñez', 'David Lozano', 'Laia Torrent', 'Hugo Cabrera', 'Cristina Belmonte', 'Gemma Cerqueda',
  'Rubén Gallardo', 'Emma Clarke', 'Thomas Weber', 'Irene Calvo', 'Marc Rossell', 'Paula Quintana',
  'Víctor Alarcón', 'Beatriz Soto', 'Quim Areny', 'Claudia Rey', 'Sergio Pastor', 'Olivia Bennett', 'Xavier Molné'
]) with ordinality as each (name, place);

insert into auth.users (instance_id, id, aud, role, email, encrypted_password, email_confirmed_at,
  raw_app_meta_data, raw_user_meta_data, created_at, updated_at)
select '00000000-0000-0000-0000-000000000000', id, 'authenticated', 'authenticated', email,
  case when signs_in then extensions.crypt('Plaza-demo-1', extensions.gen_salt('bf', 10)) else '' end,
  now(), '{"provider": "email", "providers": ["email"], "plaza_demo": true}',
  jsonb_build_object('sub', id, 'email', email, 'full_name', full_name, 'email_verified', true),
  now() - make_interval(days => 60 + private.pick(email, 700)), now()
from demo_people
on conflict (id) do nothing;

insert into auth.identities (provider_id, user_id, identity_data, provider, last_sign_in_at, created_at, updated_at)
select id::text, id, jsonb_build_object('sub', id, 'email', email, 'full_name', full_name, 'email_verified', true),
  'email', now(), now(), now()
from demo_people
on conflict (provider_id, provider) do nothing;

update private.profiles p set role = d.role, created_at = u.created_at
from demo_people d join auth.users u on u.id = d.id where p.id = d.id;

insert into public.user_subscriptions (user_id, plan_id, subscribed, subscription_end)
select private.seed_id(email), p.id, true, now() + interval '25 days'
from (values ('owner@plaza.test', 'premium'), ('joan.ferrer@plaza.test', 'pro'), ('carmen.ortega@plaza.test', 'pro')) as s (email, tier)
join public.subscription_plans p using (tier)
on conflict (user_id) do nothing;

-- Their subscriptions also exist at the test payment provider, in Stripe's format, so that they can be managed there.
insert into private.billing_accounts (user_id, provider, customer_id, subscription_id)
select s.user_id, 'test-payments', 'cus_test_' || s.subscription_tier || '_' || left(s.user_id::text, 8), 'sub_test_' || left(s.user_id::text, 8)
from public.user_subscriptions s
on conflict (user_id) do nothing;

insert into private.test_payments (id, kind, customer, data)
select a.customer_id, 'customer', a.customer_id, jsonb_build_object('id', a.customer_id, 'object', 'customer', 'email', u.email)
from private.billing_accounts a join auth.users u on u.id = a.user_id
on conflict (id) do nothing;

insert into private.test_payments (id, kind, customer, data)
select a.subscription_id, 'subscription', a.customer_id, jsonb_build_object(
    'id', a.subscription_id, 'object', 'subscription', 'customer', a.customer_id, 'status', 'active',
    'created', floor(extract(epoch from now() - interval '5 days')), 'cancel_at_period_end', false,
    'metadata', jsonb_build_object('user_id', a.user_id, 'plan_id', p.id, 'billing_period', 'monthly'),
    'items', jsonb_build_object('object', 'list', 'data', jsonb_build_array(jsonb_build_object(
      'id', 'si_test_' || left(a.user_id::text, 8), 'object', 'subscription_item',
      'current_period_start', floor(extract(epoch from s.subscription_end - interval '1 month')),
      'current_period_end', floor(extract(epoch from s.subscription_end)),
      'price', jsonb_build_object('unit_amount', (p.price_monthly * 100)::bigint, 'currency', 'usd', 'recurring', jsonb_build_object('interval', 'month'))))),
    'plaza_product', p.name)
from private.billing_accounts a
join public.user_subscriptions s using (user_id)
join public.subscription_plans p on p.id = s.plan_id
on conflict (id) do nothing;
