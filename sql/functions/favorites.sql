-- Limits the number of favourites, since the list is read as a whole.
create or replace function private.before_favorite() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    most constant integer := 500;
  begin
    if private.is_client() then
      perform private.lock('requests.' || new.user_id);
      if (select count(*) from public.favorites f where f.user_id = new.user_id) >= most then
        perform private.fail(429, 'too_many_favorites', format('You can keep %s favorites', most), 'Remove one that you no longer need.');
      end if;
    end if;
    return new;
  end
  $$;
create or replace trigger bound before insert on public.favorites
  for each row execute function private.before_favorite();

-- Keeps the last ten searches of a user; a repeated one moves to the front.
create or replace function private.after_search() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    perform private.lock('searches.' || new.user_id);
    delete from public.recent_searches s
    where s.user_id = new.user_id and s.id <> new.id
      and (s.query, s.location, s.category) is not distinct from (new.query, new.location, new.category);
    delete from public.recent_searches s
    where s.user_id = new.user_id and s.id not in (
      select k.id from public.recent_searches k where k.user_id = new.user_id order by k.created_at desc limit 10);
    return null;
  end
  $$;
create or replace trigger keep_ten after insert on public.recent_searches
  for each row execute function private.after_search();
