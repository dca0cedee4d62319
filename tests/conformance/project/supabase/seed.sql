-- An account to sign in with, as teams write it by hand.
insert into auth.users (instance_id, id, aud, role, email, encrypted_password, email_confirmed_at, raw_app_meta_data, raw_user_meta_data, created_at, updated_at,
  confirmation_token, email_change, email_change_token_new, recovery_token)
values ('00000000-0000-0000-0000-000000000000', '11111111-1111-4111-8111-111111111111', 'authenticated', 'authenticated', 'warden@example.com',
  crypt('password123', gen_salt('bf')), now(), '{"provider":"email","providers":["email"]}', '{"full_name":"Wanda Warden"}', now(), now(), '', '', '', '');
insert into auth.identities (id, user_id, provider_id, identity_data, provider, last_sign_in_at, created_at, updated_at)
values (uuid_generate_v4(), '11111111-1111-4111-8111-111111111111', '11111111-1111-4111-8111-111111111111',
  '{"sub":"11111111-1111-4111-8111-111111111111","email":"warden@example.com"}', 'email', now(), now(), now());
update public.profiles set role = 'warden', username = 'Wanda' where id = '11111111-1111-4111-8111-111111111111';
insert into public.plantings (plot_id, crop) select id, 'beans' from public.plots where name = 'Shed row';
refresh materialized view reports.crops;
