-- Figures for owners: visitors' events arrive in batches and are aggregated by day.

-- Records a visitor's actions, each once per business and day. visitor is what distinguishes people, such as address
-- and browser; only its hash with the daily salt is stored. Unknown businesses are skipped. Rows are written in a fixed
-- order, so that two batches do not deadlock.
create or replace function private.record_events(visitor text, businesses uuid[], kinds text[], promoted boolean[]) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
  #variable_conflict use_column
  begin
    insert into private.visitor_salts (day, salt)
    select distinct (now() at time zone b.time_zone)::date, uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())
    from public.businesses b
    where b.id = any (businesses)
      and not exists (select from private.visitor_salts s where s.day = (now() at time zone b.time_zone)::date)
    on conflict (day) do nothing;

    insert into private.business_events as e (day, business_id, kind, visitor, from_promotion)
    select s.day, b.id, t.kind, substr(sha256(s.salt || convert_to(visitor, 'UTF8')), 1, 16), bool_or(t.promoted and b.is_promoted)
    from unnest(businesses, kinds, promoted) as t (business, kind, promoted)
    join public.businesses b on b.id = t.business
    join private.visitor_salts s on s.day = (now() at time zone b.time_zone)::date
    where b.is_promoted or t.kind not in ('booking', 'message', 'promoted_view', 'promoted_click')
    group by 1, 2, 3, 4
    order by 1, 2, 3
    on conflict (day, business_id, kind, visitor) do update set from_promotion = true
      where excluded.from_promotion and not e.from_promotion;
  end
  $$;
revoke execute on function private.record_events(text, uuid[], text[], boolean[]) from public, anon, authenticated;
grant execute on function private.record_events(text, uuid[], text[], boolean[]) to service_role;

-- The events at businesses since a day, as counts by business, day and name.
create or replace function private.happened_since(since date)
  returns table (business_id uuid, day date, what text, number bigint)
  language plpgsql stable
  set search_path = ''
  as $$
  #variable_conflict use_column
  begin
    return query
    select e.business_id, e.day, e.kind, count(*)
    from private.business_events e where e.day >= since and e.kind not in ('booking', 'message')
    group by 1, 2, 3
    union all
    select e.business_id, e.day, 'promoted ' || e.kind, count(*)
    from private.business_events e where e.day >= since and e.from_promotion
    group by 1, 2, 3
    union all
    select * from (
      select k.business_id, (k.created_at at time zone k.time_zone)::date as day, 'booking', count(*)
      from public.bookings k
      where k.created_at >= since - 1 and k.source = 'online' and k.business_id is not null
      group by 1, 2) asked where asked.day >= since
    union all
    select k.business_id, k.booking_date, 'check_in', count(*)
    from public.bookings k
    where k.booking_date >= since and k.status = 'completed' and k.business_id is not null
    group by 1, 2
    union all
    select dated.business_id, dated.day, dated.what, count(*)
    from (
      select f.business_id, f.created_at, 'bookmark' as what from public.favorites f where f.created_at >= since - 1
      union all
      select r.business_id, r.created_at, 'review' from public.reviews r where r.created_at >= since - 1
      union all
      select p.business_id, p.created_at, 'photo' from public.business_photos p where p.created_at >= since - 1
      union all
      select c.business_id, m.created_at, 'message' from public.messages m
      join public.conversations c on c.id = m.conversation_id and m.sender_id = c.customer_id
      where m.created_at >= since - 1
    ) made
    join public.businesses b on b.id = made.business_id
    cross join lateral (select b.id as business_id, (made.created_at at time zone b.time_zone)::date as day, made.what) dated
    where dated.day >= since
    group by 1, 2, 3;
  end
  $$;

-- How a business replied to the customers who wrote to it on a day: a customer counts once per day, from the first
-- message without a reply.
create or replace function private.answers_since(since date)
  returns table (business_id uuid, day date, reply_rate numeric, median_seconds integer)
  language sql stable
  set search_path = ''
  as $$
    select asked.business_id, asked.day,
      round(100.0 * count(answer.at) / count(*), 2),
      percentile_cont(0.5) within group (order by extract(epoch from answer.at - asked.at))::integer
    from (
      select distinct on (b.id, m.conversation_id, (m.created_at at time zone b.time_zone)::date)
        b.id as business_id, b.time_zone, m.conversation_id, c.customer_id, m.created_at as at,
        (m.created_at at time zone b.time_zone)::date as day
      from public.messages m
      join public.conversations c on c.id = m.conversation_id and m.sender_id = c.customer_id
      join public.businesses b on b.id = c.business_id
      where m.created_at >= since - 1
        and not exists (
          select from public.messages earlier
          where earlier.conversation_id = m.conversation_id and earlier.sender_id = c.customer_id and earlier.created_at < m.created_at
            and not exists (
              select from public.messages between_them
              where between_them.conversation_id = m.conversation_id and between_them.sender_id is distinct from c.customer_id
                and between_them.created_at between earlier.created_at and m.created_at))
      order by b.id, m.conversation_id, (m.created_at at time zone b.time_zone)::date, m.created_at
    ) asked
    left join lateral (
      select min(m.created_at) as at from public.messages m
      where m.conversation_id = asked.conversation_id and m.sender_id is distinct from asked.customer_id
        and m.created_at > asked.at and (m.created_at at time zone asked.time_zone)::date <= asked.day + 1
    ) answer on true
    where asked.day >= since
    group by 1, 2
  $$;

-- Recomputes the figures of all days that are not final yet from their sources: running it twice, or again after a
-- crash, changes nothing. Then deletes the visitors of final days. Returns false if another server is running it.
create or replace function private.roll_up_metrics() returns boolean
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    since date;
    -- Replies of the next day belong to a day, and days end at different times.
    final constant date := (now() at time zone 'Pacific/Honolulu')::date - 2;
  begin
    if not pg_try_advisory_xact_lock(hashtextextended('plaza.metrics', 0)) then
      return false;
    end if;
    -- After a long standstill the last 90 days are made up for.
    select greatest(r.final_day + 1, current_date - 90) into since from private.metrics_rollup r;

    with happened as materialized (
      select * from private.happened_since(since)
    ), summed as materialized (
      select business_id, day, bool_or(what like 'promoted%') as is_promoted,
        coalesce(sum(number) filter (where what = 'page_view'), 0) as views,
        coalesce(sum(number) filter (where what = 'search_view'), 0) as searches,
        coalesce(sum(number) filter (where what = 'photo_view'), 0) as photo_views,
        coalesce(sum(number) filter (where what = 'call'), 0) as calls,
        coalesce(sum(number) filter (where what = 'directions'), 0) as directions,
        coalesce(sum(number) filter (where what = 'website'), 0) as websites,
        coalesce(sum(number) filter (where what = 'message'), 0) as messages,
        coalesce(sum(number) filter (where what = 'booking'), 0) as bookings,
        coalesce(sum(number) filter (where what = 'bookmark'), 0) as bookmarks,
        coalesce(sum(number) filter (where what = 'check_in'), 0) as check_ins,
        coalesce(sum(number) filter (where what = 'review'), 0) as reviews,
        coalesce(sum(number) filter (where what = 'photo'), 0) as photos,
        coalesce(sum(number) filter (where what = 'promoted_view'), 0) as ad_shown,
        coalesce(sum(number) filter (where what = 'promoted_click'), 0) as ad_clicks,
        coalesce(sum(number) filter (where what = 'promoted page_view'), 0) as ad_views,
        coalesce(sum(number) filter (where what = 'promoted call'), 0) as ad_calls,
        coalesce(sum(number) filter (where what in ('promoted directions', 'promoted website')), 0) as ad_ways,
        coalesce(sum(number) filter (where what = 'promoted booking'), 0) as ad_bookings,
        coalesce(sum(number) filter (where what = 'promoted message'), 0) as ad_messages
      from happened
      group by 1, 2
    ), by_business as (
      insert into public.business_metrics as m (business_id, metric_date, num_total_page_views, num_search_views, num_photo_views,
        num_calls, num_directions_and_map_views, url_clicks, num_messages_to_business, online_bookings, num_bookmarks,
        num_check_ins, reviews, num_user_photos, total_leads, rating, reply_rate, median_response_time_in_sec)
      select s.business_id, s.day, s.views, s.searches, s.photo_views, s.calls, s.directions, s.websites, s.messages, s.bookings,
        s.bookmarks, s.check_ins, s.reviews, s.photos, s.calls + s.directions + s.websites + s.messages + s.bookings,
        nullif(b.combined_rating, 0), a.reply_rate, a.median_seconds
      from summed s
      join public.businesses b on b.id = s.business_id
      left join private.answers_since(since) a using (business_id, day)
      on conflict (business_id, metric_date) do update set
        num_total_page_views = excluded.num_total_page_views, num_search_views = excluded.num_search_views,
        num_photo_views = excluded.num_photo_views, num_calls = excluded.num_calls,
        num_directions_and_map_views = excluded.num_directions_and_map_views, url_clicks = excluded.url_clicks,
        num_messages_to_business = excluded.num_messages_to_business, online_bookings = excluded.online_bookings,
        num_bookmarks = excluded.num_bookmarks, num_check_ins = excluded.num_check_ins, reviews = excluded.reviews,
        num_user_photos = excluded.num_user_photos, total_leads = excluded.total_leads, rating = excluded.rating,
        reply_rate = excluded.reply_rate, median_response_time_in_sec = excluded.median_response_time_in_sec
      where m is distinct from excluded
    )
    insert into public.advertiser_metrics as m (business_id, metric_date, billed_impressions, billed_clicks, ad_click_through_rate,
      ad_driven_calls, ad_driven_online_reservations, ad_driven_biz_page_views, ad_driven_messages_to_business, ad_driven_total_leads)
    select s.business_id, s.day, s.ad_shown, s.ad_clicks, round(least(100, 100.0 * s.ad_clicks / nullif(s.ad_shown, 0)), 2),
      s.ad_calls, real.bookings, s.ad_views, real.messages, s.ad_calls + s.ad_ways + real.bookings + real.messages
    from summed s
    -- A browser says that a booking came by a promotion; there are no more of them than there are bookings.
    cross join lateral (select least(s.ad_bookings, s.bookings) as bookings, least(s.ad_messages, s.messages) as messages) real
    where s.is_promoted
    on conflict (business_id, metric_date) do update set
      billed_impressions = excluded.billed_impressions, billed_clicks = excluded.billed_clicks,
      ad_click_through_rate = excluded.ad_click_through_rate, ad_driven_calls = excluded.ad_driven_calls,
      ad_driven_online_reservations = excluded.ad_driven_online_reservations, ad_driven_biz_page_views = excluded.ad_driven_biz_page_views,
      ad_driven_messages_to_business = excluded.ad_driven_messages_to_business, ad_driven_total_leads = excluded.ad_driven_total_leads
    where m is distinct from excluded;

    update private.metrics_rollup r set final_day = final where r.final_day < final;
    perform plaza.drop_partitions('private.business_events', (final + 1)::timestamp at time zone 'UTC');
    delete from private.visitor_salts s where s.day <= final;
    return true;
  end
  $$;
revoke execute on function private.happened_since(date), private.answers_since(date), private.roll_up_metrics() from public, anon, authenticated;
grant execute on function private.roll_up_metrics() to service_role;

-- Aggregates figures now, for an admin or a job that does not want to wait for the server's next run.
create or replace function public.refresh_metrics() returns boolean
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    if coalesce(current_setting('role', true), '') <> 'service_role' then
      perform private.require_admin();
    end if;
    return private.roll_up_metrics();
  end
  $$;
revoke execute on function public.refresh_metrics() from public, anon;
grant execute on function public.refresh_metrics() to authenticated, service_role;
