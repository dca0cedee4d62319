-- Analytics of a business's bookings in a date range (METRICS-01 to METRICS-13). Sums are computed here, over rows that
-- the caller's policies show. Dates and hours are in the business's own time zone, as bookings store them.

-- Fails unless the caller manages the business and the plan includes analytics (SUB-07, C-44); admins always have
-- access.
create or replace function private.require_analytics(p_business_id uuid, p_first date, p_last date) returns void
  language plpgsql stable security definer
  set search_path = ''
  as $$
  declare
    most_days constant integer := 1830; -- five years
  begin
    perform private.require_user();
    if p_business_id is null then
      perform private.fail(422, 'business_required', 'Business ID is required');
    elsif not private.manages(p_business_id) then
      perform private.fail(403, 'not_your_business', 'You do not have permission to perform this action');
    elsif not (public.is_admin() or private.plan_allows(auth.uid(), 'analytics')) then
      perform private.fail(403, 'plan_without_analytics', 'Your plan does not include analytics', 'Choose a plan with analytics.');
    elsif coalesce(p_first not between '2000-01-01' and '2199-12-31' or p_last not between p_first and '2199-12-31', true) then
      perform private.fail(422, 'invalid_range', 'The last date must not be before the first');
    elsif p_last - p_first >= most_days then
      perform private.fail(422, 'range_too_long', 'Analytics covers five years at once', 'Choose a shorter range.');
    end if;
  end
  $$;
-- Called by functions that run as their caller, which is safe: it only fails.
revoke execute on function private.require_analytics(uuid, date, date) from public, anon;
grant execute on function private.require_analytics(uuid, date, date) to authenticated;

-- The totals of a date range, and of the previous range of the same length. Only completed bookings count toward
-- revenue.
create or replace function public.analytics_totals(p_business_id uuid, p_first date, p_last date)
  returns table (period text, bookings bigint, completed bigint, cancelled bigint, revenue numeric)
  language plpgsql stable
  set search_path = ''
  as $$
  declare
    days integer;
  begin
    perform private.require_analytics(p_business_id, p_first, p_last);
    days := p_last - p_first + 1;
    return query
      select span.name, count(k.status), count(*) filter (where k.status = 'completed'),
        count(*) filter (where k.status = 'cancelled'), coalesce(sum(k.service_price) filter (where k.status = 'completed'), 0)
      from (values ('current', p_first, p_last), ('previous', p_first - days, p_first - 1)) as span (name, first, last)
      left join public.bookings k on k.business_id = p_business_id and k.booking_date between span.first and span.last
      group by span.name;
  end
  $$;
revoke execute on function public.analytics_totals(uuid, date, date) from public, anon;

-- Each service with its bookings by status; its key distinguishes services of the same name. A service has its current
-- name; a deleted one has the name stored in its bookings.
create or replace function public.analytics_services(p_business_id uuid, p_first date, p_last date)
  returns table (key text, name text, bookings bigint, pending bigint, confirmed bigint, completed bigint, cancelled bigint, revenue numeric)
  language plpgsql stable
  set search_path = ''
  as $$
  begin
    perform private.require_analytics(p_business_id, p_first, p_last);
    return query
      select coalesce(k.service_id::text, k.kept_name), coalesce(s.name, k.kept_name), k.bookings, k.pending, k.confirmed, k.completed, k.cancelled, k.revenue
      from (
        select b.service_id, case when b.service_id is null then b.service_name end as kept_name, count(*) as bookings,
          count(*) filter (where b.status = 'pending') as pending,
          count(*) filter (where b.status = 'confirmed') as confirmed,
          count(*) filter (where b.status = 'completed') as completed,
          count(*) filter (where b.status = 'cancelled') as cancelled,
          coalesce(sum(b.service_price) filter (where b.status = 'completed'), 0) as revenue
        from public.bookings b
        where b.business_id = p_business_id and b.booking_date between p_first and p_last
        group by 1, 2) k
      left join public.services s on s.id = k.service_id
      order by k.bookings desc, 2, 1;
  end
  $$;
revoke execute on function public.analytics_services(uuid, date, date) from public, anon;

-- The number of bookings that start in each hour of each weekday (1 is Monday); hours without bookings have no row.
create or replace function public.analytics_hours(p_business_id uuid, p_first date, p_last date)
  returns table (weekday integer, hour integer, bookings bigint)
  language plpgsql stable
  set search_path = ''
  as $$
  begin
    perform private.require_analytics(p_business_id, p_first, p_last);
    return query
      select extract(isodow from b.booking_date)::integer, extract(hour from b.start_time)::integer, count(*)
      from public.bookings b
      where b.business_id = p_business_id and b.booking_date between p_first and p_last
      group by 1, 2
      order by 1, 2;
  end
  $$;
revoke execute on function public.analytics_hours(uuid, date, date) from public, anon;

-- The revenue of each day, week, month or year of a date range, in order and without gaps. Weeks begin on Monday; the
-- first and the last period are limited to the range.
create or replace function public.analytics_revenue(p_business_id uuid, p_first date, p_last date, p_bucket text)
  returns table (starts date, ends date, completed bigint, revenue numeric)
  language plpgsql stable
  set search_path = ''
  as $$
  begin
    perform private.require_analytics(p_business_id, p_first, p_last);
    if coalesce(p_bucket not in ('day', 'week', 'month', 'year'), true) then
      perform private.fail(422, 'invalid_bucket', 'Revenue is summed by day, week, month or year');
    end if;
    -- As timestamps without a zone: with one, days would begin where the session's zone has midnight.
    return query
      select greatest(bucket::date, p_first), least((bucket + ('1 ' || p_bucket)::interval)::date - 1, p_last),
        coalesce(k.completed, 0), coalesce(k.revenue, 0)
      from generate_series(date_trunc(p_bucket, p_first::timestamp), p_last::timestamp, ('1 ' || p_bucket)::interval) as bucket
      left join (
        select date_trunc(p_bucket, b.booking_date::timestamp) as bucket, count(*) as completed, sum(b.service_price) as revenue
        from public.bookings b
        where b.business_id = p_business_id and b.booking_date between p_first and p_last and b.status = 'completed'
        group by 1) k using (bucket)
      order by bucket;
  end
  $$;
revoke execute on function public.analytics_revenue(uuid, date, date, text) from public, anon;
