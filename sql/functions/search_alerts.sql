-- Search alerts: searches without results, stored until they have some.

create or replace function private.before_search_alert() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    most constant integer := 20;
    most_told constant integer := 50;
  begin
    new.find_desc := nullif(btrim(new.find_desc), '');
    new.find_loc := nullif(btrim(new.find_loc), '');
    new.category := nullif(btrim(new.category), '');
    if private.is_client() then
      perform private.lock('searches.' || new.user_id);
      if (select count(*) from public.search_alerts a where a.user_id = new.user_id and a.notified_at is null) >= most then
        perform private.fail(429, 'too_many_search_alerts', format('You wait for %s searches already', most), 'Remove one that you no longer need.');
      end if;
      delete from public.search_alerts a where a.id in (
        select told.id from public.search_alerts told
        where told.user_id = new.user_id and told.notified_at is not null
        order by told.created_at desc offset most_told - 1);
    end if;
    return new;
  end
  $$;
create or replace trigger write before insert on public.search_alerts
  for each row execute function private.before_search_alert();

-- Encodes a value for a URL's query string.
create or replace function private.url_encoded(value text) returns text
  language sql immutable strict parallel safe
  set search_path = ''
  as $$
    select coalesce(string_agg(case when letter ~ '^[A-Za-z0-9._~-]$' then letter
      else regexp_replace(upper(encode(convert_to(letter, 'UTF8'), 'hex')), '(..)', '%\1', 'g') end, '' order by place), '')
    from regexp_split_to_table(value, '') with ordinality as each (letter, place)
  $$;

-- The URL of a search; reduced to letters that need no encoding if it would be too long for a notification.
create or replace function private.search_link(find_desc text, find_loc text, category text) returns text
  language sql immutable parallel safe
  set search_path = ''
  as $$
    select case when char_length(written) <= 500 then written else plain end
    from (
      select '/search?' || string_agg(name || '=' || private.url_encoded(term), '&' order by place) as written,
        '/search?' || string_agg(name || '=' || private.url_encoded(left(private.normalize(term), 100)), '&' order by place) as plain
      from (values (1, 'find_desc', find_desc), (2, 'find_loc', find_loc), (3, 'category', category)) as one (place, name, term)
      where term is not null
    ) link
  $$;

-- Runs the search of the alert that has waited longest, if something has changed since its last run, and notifies its
-- user of matches. Returns whether there was one. Concurrent servers get different ones.
create or replace function private.ask_search_alert() returns boolean
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    alert public.search_alerts;
    is_found boolean;
  begin
    with seen as (
      delete from private.search_changes c where c.id in (select id from private.search_changes order by id limit 10000 for update skip locked) returning 1
    )
    select exists (select from seen) into is_found;
    if is_found then
      update public.search_alerts a set is_due = true where a.notified_at is null and not a.is_due;
    end if;
    select * into alert from public.search_alerts a
    where a.notified_at is null and a.is_due
    order by a.created_at
    limit 1
    for update skip locked;
    if alert.id is null then
      return false;
    end if;
    execute format('select exists (select from public.search_businesses(%L, %L, %L))', alert.find_desc, alert.find_loc, alert.category) into is_found;
    update public.search_alerts a set is_due = false, notified_at = case when is_found then now() end where a.id = alert.id;
    if is_found then
      perform private.notify(alert.user_id, 'other', 'There is one now',
        concat_ws(', ', alert.find_desc, alert.category, alert.find_loc), private.search_link(alert.find_desc, alert.find_loc, alert.category));
    end if;
    return true;
  end
  $$;
revoke execute on function private.ask_search_alert() from public, anon, authenticated;
grant execute on function private.ask_search_alert() to service_role;
