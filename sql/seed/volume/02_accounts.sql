-- Accounts, all with the password of the demo accounts; hashing it for each would take longer than all else.
insert into auth.users (instance_id, id, aud, role, email, encrypted_password, email_confirmed_at, raw_app_meta_data, raw_user_meta_data, created_at, updated_at)
select '00000000-0000-0000-0000-000000000000', id, 'authenticated', 'authenticated', 'volume-' || n || '@plaza.test', password, now(),
  '{"provider": "email", "providers": ["email"]}', jsonb_build_object('sub', id, 'email', 'volume-' || n || '@plaza.test', 'full_name', name, 'email_verified', true), now(), now()
from volume_people, extensions.crypt('Plaza-demo-1', extensions.gen_salt('bf', 10)) as password;

insert into auth.identities (provider_id, user_id, identity_data, provider, last_sign_in_at, created_at, updated_at)
select id::text, id, jsonb_build_object('sub', id, 'email', 'volume-' || n || '@plaza.test'), 'email', now(), now(), now()
from volume_people;

update private.profiles p set role = 'owner' from volume_people v where p.id = v.id and v.n % 20 = 0;
