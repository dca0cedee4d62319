-- Keeps basic formatting tags without attributes, and removes every other tag (RULE-20); clients still show the result
-- as text.
create or replace function private.basic_markup(value text) returns text
  language sql immutable strict parallel safe
  set search_path = ''
  as $$
    select nullif(btrim(regexp_replace(regexp_replace(value,
      '<(?!/?(b|i|em|strong|u|p|br)\M)[a-z/!?][^>]*>?', '', 'gi'),
      '<(/?)(b|i|em|strong|u|p|br)\M[^>]*>?', '<\1\2>', 'gi')), '')
  $$;

-- A review belongs to its author, requires a completed visit, and is never about an own business (S-32).
create or replace function private.before_review() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    new.comment := private.basic_markup(new.comment);
    if tg_op = 'UPDATE' then
      if private.is_client() and old.created_at < now() - interval '30 days' then
        perform private.fail(403, 'review_closed', 'A review can be changed for 30 days');
      end if;
      new.updated_at := now();
      return new;
    end if;
    if not private.is_client() then
      return new;
    end if;
    if exists (select from public.businesses b where b.id = new.business_id and b.owner_id = auth.uid()) then
      perform private.fail(403, 'own_business', 'You cannot review your own business');
    elsif not exists (
      select from public.bookings k
      where k.business_id = new.business_id and k.user_id = auth.uid() and k.status = 'completed'
    ) then
      perform private.fail(403, 'no_completed_booking', 'You can review a business after a completed booking');
    end if;
    perform private.lock('requests.' || auth.uid());
    -- The log also has those that were deleted since.
    if 20 <= (select count(*) from public.reviews r where r.user_id = auth.uid() and r.created_at > now() - interval '1 day')
      or 20 <= (select count(*) from public.audit_logs l
        where l.user_id = auth.uid() and l.created_at > now() - interval '1 day' and l.table_name = 'reviews' and l.action = 'INSERT')
    then
      perform private.fail(429, 'too_many_reviews', 'You have written 20 reviews within a day', 'Try again tomorrow.');
    end if;
    return new;
  end
  $$;
create or replace trigger write before insert or update on public.reviews
  for each row execute function private.before_review();

-- rating is the mean of our reviews; combined_rating includes the external ratings, weighted by their counts;
-- user_ratings_total counts both. Two reviews at once are counted one after the other.
create or replace function private.refresh_rating(p_business_id uuid) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    perform from public.businesses b where b.id = p_business_id for no key update;
    update public.businesses b
    set rating = round(ours.mean, 2),
      combined_rating = round((coalesce(ours.mean * ours.amount, 0) + theirs.points) / nullif(ours.amount + theirs.amount, 0), 2),
      user_ratings_total = ours.amount + theirs.amount
    from (
      select avg(r.rating) as mean, count(*) as amount from public.reviews r where r.business_id = p_business_id
    ) ours, (
      select coalesce(sum((entry ->> 'rating')::numeric * (entry ->> 'count')::numeric), 0) as points,
        coalesce(sum((entry ->> 'count')::integer), 0) as amount
      from public.businesses k, jsonb_array_elements(coalesce(k.rating_sources, '[]')) as entry
      where k.id = p_business_id
    ) theirs
    where b.id = p_business_id;
  end
  $$;
revoke execute on function private.refresh_rating(uuid) from public, anon, authenticated;

create or replace function private.on_review_changed() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    perform private.refresh_rating(coalesce(new.business_id, old.business_id));
    return null;
  end
  $$;
create or replace trigger rate after insert or delete on public.reviews
  for each row when (not private.is_seeding()) execute function private.on_review_changed();
create or replace trigger rate_changed after update of rating on public.reviews
  for each row when (old.rating <> new.rating) execute function private.on_review_changed();

create or replace function private.before_response() returns trigger
  language plpgsql
  set search_path = ''
  as $$
  begin
    new.content := btrim(private.strip_markup(new.content));
    new.updated_at := now();
    return new;
  end
  $$;
create or replace trigger write before insert or update on public.review_responses
  for each row execute function private.before_response();

-- The distribution of a business's star ratings (BIZ-11): a row for each rating that was given. It runs with the
-- caller's rights.
create or replace function public.rating_distribution(p_business_id uuid)
  returns table (stars integer, reviews integer)
  language sql stable
  set search_path = ''
  as $$
    select r.rating, count(*)::integer
    from public.reviews r
    where r.business_id = p_business_id
    group by r.rating
    order by r.rating desc
  $$;
