-- The last ten searches of a user are kept; a repeated one moves to the front.
create or replace function private.after_search() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
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
