-- Metrics of all businesses, for admins (ADMIN-METRICS).

-- Parts of the statements of sum_metrics.
create or replace function private.sums_of(figures text[]) returns text
  language sql immutable
  set search_path = ''
  as $$
    select string_agg(format('sum(sign * %I)', name), ', ' order by place) from unnest(figures) with ordinality as f (name, place)
  $$;
create or replace function private.added_to(figures text[]) returns text
  language sql immutable
  set search_path = ''
  as $$
    select string_agg(format('%1$I = kept.%1$I + excluded.%1$I', name), ', ') from unnest(figures) as name
  $$;

-- Keeps metrics_days and metrics_months: adds what a statement added, and subtracts what it removed. Rows are written in
-- the order of their keys, so that two writers cannot deadlock. A deleted business takes its months with it.
create or replace function private.sum_metrics() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    day_figures constant text[] := array['num_total_page_views', 'num_search_views', 'num_photo_views', 'num_calls', 'num_directions_and_map_views',
      'url_clicks', 'num_messages_to_business', 'online_bookings', 'num_bookmarks', 'reviews', 'total_leads', 'num_user_photos', 'num_check_ins'];
    month_figures constant text[] := array['num_total_page_views', 'num_search_views', 'online_bookings', 'total_leads', 'num_bookmarks', 'reviews'];
    -- A transition table exists only for the operations that have it.
    changed constant text := concat_ws(' union all ',
      case when tg_op <> 'DELETE' then 'select 1 as sign, * from added' end,
      case when tg_op <> 'INSERT' then 'select -1 as sign, * from removed' end);
  begin
    execute format($sql$
      insert into private.metrics_days as kept (metric_date, businesses, %s)
      select metric_date, sum(sign), %s from (%s) changed group by metric_date order by metric_date
      on conflict (metric_date) do update set businesses = kept.businesses + excluded.businesses, %s$sql$,
      array_to_string(day_figures, ', '), private.sums_of(day_figures), changed, private.added_to(day_figures));
    execute format($sql$
      insert into private.metrics_months as kept (month, business_id, rating_sum, rated_days, %s)
      select date_trunc('month', metric_date::timestamp)::date, business_id,
        coalesce(sum(sign * c.rating), 0), coalesce(sum(sign) filter (where c.rating is not null), 0), %s
      from (%s) c where exists (select from public.businesses b where b.id = c.business_id)
      group by 1, 2 order by 1, 2
      on conflict (month, business_id) do update set
        rating_sum = kept.rating_sum + excluded.rating_sum, rated_days = kept.rated_days + excluded.rated_days, %s$sql$,
      array_to_string(month_figures, ', '), private.sums_of(month_figures), changed, private.added_to(month_figures));
    return null;
  end
  $$;

-- Keeps metrics_newest for the businesses of the changed rows.
create or replace function private.keep_newest_metrics() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    touched uuid[];
  begin
    if tg_op = 'INSERT' then
      touched := array(select a.business_id from added a group by 1);
    elsif tg_op = 'DELETE' then
      touched := array(select r.business_id from removed r group by 1);
    else
      touched := array(select a.business_id from added a union select r.business_id from removed r);
    end if;
    insert into private.metrics_newest as kept (business_id, metric_date, num_total_page_views, online_bookings, total_leads, num_bookmarks, rating)
    select b.id, m.metric_date, m.num_total_page_views, m.online_bookings, m.total_leads, m.num_bookmarks, m.rating
    from public.businesses b
    cross join lateral (
      select newest.* from public.business_metrics newest where newest.business_id = b.id order by newest.metric_date desc limit 1
    ) m
    where b.id = any (touched)
    order by b.id
    on conflict (business_id) do update set metric_date = excluded.metric_date, num_total_page_views = excluded.num_total_page_views,
      online_bookings = excluded.online_bookings, total_leads = excluded.total_leads, num_bookmarks = excluded.num_bookmarks, rating = excluded.rating
    where kept is distinct from excluded;
    if tg_op = 'DELETE' then
      delete from private.metrics_newest kept
      where kept.business_id = any (touched) and not exists (select from public.business_metrics m where m.business_id = kept.business_id);
    end if;
    return null;
  end
  $$;

create or replace trigger sum_added after insert on public.business_metrics
  referencing new table as added for each statement execute function private.sum_metrics();
create or replace trigger sum_removed after delete on public.business_metrics
  referencing old table as removed for each statement execute function private.sum_metrics();
create or replace trigger sum_changed after update on public.business_metrics
  referencing old table as removed new table as added for each statement execute function private.sum_metrics();

create or replace trigger keep_newest_added after insert on public.business_metrics
  referencing new table as added for each statement execute function private.keep_newest_metrics();
create or replace trigger keep_newest_removed after delete on public.business_metrics
  referencing old table as removed for each statement execute function private.keep_newest_metrics();
create or replace trigger keep_newest_changed after update on public.business_metrics
  referencing old table as removed new table as added for each statement execute function private.keep_newest_metrics();

-- Fails unless an admin asks for a sensible range.
create or replace function private.require_metrics_range(p_first date, p_last date) returns void
  language plpgsql stable
  set search_path = ''
  as $$
  declare
    most_days constant integer := 366;
  begin
    perform private.require_admin();
    if p_first is null or p_last is null or p_last < p_first then
      perform private.fail(422, 'invalid_range', 'The last date must not be before the first');
    elsif p_last - p_first >= most_days then
      perform private.fail(422, 'range_too_long', 'Metrics of all businesses cover a year at once', 'Choose a shorter range.');
    end if;
  end
  $$;

-- The figures of all businesses together, by day; days without any have no row.
create or replace function public.admin_metrics_days(p_first date, p_last date)
  returns table (metric_date date, businesses bigint, num_total_page_views bigint, num_search_views bigint, num_photo_views bigint,
    num_calls bigint, num_directions_and_map_views bigint, url_clicks bigint, num_messages_to_business bigint, online_bookings bigint,
    num_bookmarks bigint, reviews bigint, total_leads bigint, num_user_photos bigint, num_check_ins bigint)
  language plpgsql stable security definer
  set search_path = ''
  as $$
  begin
    perform private.require_metrics_range(p_first, p_last);
    return query select d.* from private.metrics_days d
      where d.metric_date between p_first and p_last and d.businesses > 0 order by d.metric_date;
  end
  $$;
revoke execute on function public.admin_metrics_days(date, date) from public, anon;

-- The five businesses with the highest figures of some months, for each metric (ADMIN-METRICS-03). Ratings are the average
-- of the days that have one. Among equals the one with more views comes first.
create or replace function public.admin_top_businesses(p_first_month date, p_last_month date)
  returns table (metric text, place integer, business_id uuid, name text, figure numeric)
  language plpgsql stable security definer
  set search_path = ''
  as $$
  declare
    most_listed constant integer := 5;
  begin
    perform private.require_metrics_range(p_first_month, p_last_month);
    return query
      with summed as materialized (
        select m.business_id as id, sum(m.num_total_page_views) as views, sum(m.num_search_views) as searches, sum(m.online_bookings) as bookings,
          sum(m.total_leads) as leads, sum(m.num_bookmarks) as bookmarks, sum(m.reviews) as reviews,
          round(sum(m.rating_sum) / nullif(sum(m.rated_days), 0), 2) as rating
        from private.metrics_months m
        where m.month between date_trunc('month', p_first_month::timestamp)::date and p_last_month
        group by 1
      ), best as (
        (select 'pageViews' as metric, s.id, s.views, s.views as figure from summed s where s.views > 0 order by s.views desc, s.id limit most_listed)
        union all
        (select 'searches', s.id, s.views, s.searches from summed s where s.searches > 0 order by s.searches desc, s.views desc, s.id limit most_listed)
        union all
        (select 'bookings', s.id, s.views, s.bookings from summed s where s.bookings > 0 order by s.bookings desc, s.views desc, s.id limit most_listed)
        union all
        (select 'leads', s.id, s.views, s.leads from summed s where s.leads > 0 order by s.leads desc, s.views desc, s.id limit most_listed)
        union all
        (select 'bookmarks', s.id, s.views, s.bookmarks from summed s where s.bookmarks > 0 order by s.bookmarks desc, s.views desc, s.id limit most_listed)
        union all
        (select 'reviews', s.id, s.views, s.reviews from summed s where s.reviews > 0 order by s.reviews desc, s.views desc, s.id limit most_listed)
        union all
        (select 'rating', s.id, s.views, s.rating from summed s where s.rating is not null order by s.rating desc, s.views desc, s.id limit most_listed)
      )
      select best.metric, (row_number() over (partition by best.metric order by best.figure desc, best.views desc, best.id))::integer, b.id, b.name, best.figure
      from best join public.businesses b on b.id = best.id
      order by 1, 2;
  end
  $$;
revoke execute on function public.admin_top_businesses(date, date) from public, anon;

-- Businesses with their newest figures (ADMIN-METRICS-05), by name or display id; those without any are left out. Inlined:
-- the caller's order and range are applied within, and the policy of metrics_newest, which is for admins.
create or replace function public.admin_business_metrics(p_search text default null)
  returns table (id uuid, name text, display_id text, owner_id uuid, metric_date date, num_total_page_views integer,
    online_bookings integer, total_leads integer, num_bookmarks integer, rating numeric)
  language sql stable parallel safe rows 1000
  as $$
    select b.id, b.name, b.display_id, b.owner_id, m.metric_date, m.num_total_page_views,
      m.online_bookings, m.total_leads, m.num_bookmarks, m.rating
    from public.admin_businesses(p_search) b
    join private.metrics_newest m on m.business_id = b.id
  $$;
revoke execute on function public.admin_business_metrics(text) from public, anon;
