-- lpad() cuts what is longer than its width: number 1,000,000 became '100000', which an
-- earlier row has. Six digits are the least, not the most.
create function private.display_id(prefix text, number bigint) returns text
  language sql immutable strict parallel safe
  set search_path = ''
  as $$
    select prefix || lpad(number::text, greatest(6, char_length(number::text)), '0')
  $$;
grant execute on function private.display_id(text, bigint) to anon, authenticated, service_role;

alter table public.profiles
  alter column display_id set default private.display_id('U-', nextval('private.profile_display_ids')),
  add constraint profiles_display_id_check check (display_id ~ '^U-[0-9]{6,18}$');
alter table public.businesses
  alter column display_id set default private.display_id('B-', nextval('private.business_display_ids')),
  add constraint businesses_display_id_check check (display_id ~ '^B-[0-9]{6,18}$');
