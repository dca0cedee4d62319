-- Whatever a row holds has a bound. Before, 24 MB in a key of `hours` that nobody reads made every list that shows the
-- business 25 MB; and char_length(btrim(name)) does not count the blanks around a name.

-- A list of at most `most` texts, each of 1 to `longest` characters.
create function private.are_short_texts(texts text[], most integer, longest integer) returns boolean
  language sql immutable parallel safe
  set search_path = ''
  as $$
    select texts is null or (cardinality(texts) <= most and not exists (
      select from unnest(texts) as one where one is null or char_length(one) not between 1 and longest))
  $$;

-- Opening hours as DATA-09 has them: an object with a map of weekdays and nothing else, or raw text.
create or replace function private.are_hours(hours jsonb) returns boolean
  language sql immutable parallel safe
  set search_path = ''
  as $$
    select case jsonb_typeof(hours)
      when 'string' then char_length(hours #>> '{}') between 1 and 1000
      when 'object' then coalesce(jsonb_typeof(hours -> 'structured'), '') = 'object'
        and hours - '{structured}'::text[] = '{}'
        and (hours -> 'structured') - '{monday,tuesday,wednesday,thursday,friday,saturday,sunday}'::text[] = '{}'
        and not exists (
          select from jsonb_each(hours -> 'structured') as day (weekday, value)
          where case when jsonb_typeof(value) <> 'object' then true else
            value - '{open,close,isOpen,closed}'::text[] <> '{}'
            or coalesce(value ->> 'open', '09:00') !~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'
            or coalesce(value ->> 'close', '17:00') !~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'
            or jsonb_typeof(coalesce(value -> 'isOpen', 'true')) <> 'boolean'
            or jsonb_typeof(coalesce(value -> 'closed', 'false')) <> 'boolean' end)
      when 'null' then true
      else hours is null
    end
  $$;

-- A list of {name, icon, category, available} and no other keys; names differ, also in case only (OWNER-14).
create or replace function private.are_amenities(amenities jsonb) returns boolean
  language sql immutable parallel safe
  set search_path = ''
  as $$
    select amenities = '[]' or (jsonb_typeof(amenities) = 'array'
      and jsonb_array_length(amenities) <= 60
      and (
        select count(*) = count(distinct amenity ->> 'name') and coalesce(bool_and(
          case when jsonb_typeof(amenity) <> 'object' then false else
            amenity - '{name,icon,category,available}'::text[] = '{}'
            and jsonb_typeof(amenity -> 'name') = 'string'
            and char_length(btrim(amenity ->> 'name')) between 1 and 60
            and char_length(amenity ->> 'name') <= 80
            and jsonb_typeof(coalesce(amenity -> 'icon', 'null')) in ('string', 'null')
            and coalesce(char_length(amenity ->> 'icon'), 0) <= 60
            and coalesce(amenity ->> 'category', 'custom') in
              ('connectivity', 'accessibility', 'policy', 'comfort', 'seating', 'service', 'payment', 'custom')
            and jsonb_typeof(coalesce(amenity -> 'available', 'true')) = 'boolean' end), true)
        from jsonb_array_elements(case jsonb_typeof(amenities) when 'array' then amenities else '[]' end) as each (amenity)))
  $$;

create or replace function private.are_rating_sources(sources jsonb) returns boolean
  language sql immutable parallel safe
  set search_path = ''
  as $$
    select case jsonb_typeof(sources) when 'array' then jsonb_array_length(sources) <= 20 and (
      select coalesce(bool_and(
        case when jsonb_typeof(source) <> 'object' then false else
          source - '{source,rating,count}'::text[] = '{}'
          and jsonb_typeof(source -> 'source') = 'string'
          and char_length(source ->> 'source') <= 100
          and jsonb_typeof(source -> 'rating') = 'number'
          and (source ->> 'rating')::numeric between 0 and 5
          and jsonb_typeof(source -> 'count') = 'number'
          and (source ->> 'count')::numeric between 0 and 10000000 end), true)
      from jsonb_array_elements(sources) as each (source)) end
  $$;

-- An open day holds at least one slot, a closed one none, and slots are ordered and apart (METRICS-28, METRICS-29).
create or replace function private.are_day_slots(is_open boolean, slots jsonb) returns boolean
  language sql immutable parallel safe
  set search_path = ''
  as $$
    select jsonb_typeof(slots) = 'array'
      and (jsonb_array_length(slots) > 0) = is_open
      and jsonb_array_length(slots) <= 12
      and not exists (
        select from (
          select slot, slot ->> 'start' as starts, slot ->> 'end' as ends,
            lag(slot ->> 'end') over (order by place) as earlier_end
          from jsonb_array_elements(slots) with ordinality as each (slot, place)
        ) day
        where starts is null or ends is null
          or slot - '{start,end}'::text[] <> '{}'
          or starts !~ '^([01][0-9]|2[0-3]):(00|30)$'
          or ends !~ '^(([01][0-9]|2[0-3]):(00|30)|24:00)$'
          or ends <= starts or starts < earlier_end
      )
  $$;
grant execute on function private.are_short_texts(text[], integer, integer)
  to anon, authenticated, service_role;

-- Rows of before lose what is not read: other keys, entries of lists that are too long, blanks around names.
-- Their checks, which now refuse such rows, are taken off meanwhile.
set local plaza.seeding = 'on';
alter table public.businesses
  drop constraint businesses_hours_check,
  drop constraint businesses_amenities_check,
  drop constraint businesses_rating_sources_check;
alter table public.business_availability
  drop constraint business_availability_check;
update public.businesses set hours = jsonb_build_object('structured', (
  select coalesce(jsonb_object_agg(weekday, (
    select coalesce(jsonb_object_agg(key, part), '{}') from jsonb_each(value) as field (key, part)
    where key in ('open', 'close', 'isOpen', 'closed'))), '{}')
  from jsonb_each(hours -> 'structured') as day (weekday, value)))
where jsonb_typeof(hours) = 'object' and not private.are_hours(hours);
update public.businesses b set amenities = case when private.are_amenities(kept) then kept else '[]' end
from (
  select o.id, (
    select coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object('name', btrim(a ->> 'name'), 'category', a -> 'category',
      'available', a -> 'available', 'icon', case when char_length(a ->> 'icon') <= 60 then a ->> 'icon' end))), '[]')
    from jsonb_array_elements(o.amenities) as each (a)) as kept
  from public.businesses o where not private.are_amenities(o.amenities)
) cleaned
where cleaned.id = b.id;
update public.businesses set rating_sources = null where not private.are_rating_sources(rating_sources);
update public.business_availability set slots = (
  select jsonb_agg(jsonb_build_object('start', slot -> 'start', 'end', slot -> 'end') order by place)
  from jsonb_array_elements(slots) with ordinality as each (slot, place))
where not private.are_day_slots(is_open, slots);
update public.businesses set company_values = (select array_agg(left(btrim(one), 100)) from unnest(company_values) as one where btrim(one) <> '')
where not private.are_short_texts(company_values, 30, 100);
update public.businesses set languages = (select array_agg(left(btrim(one), 50)) from unnest(languages) as one where btrim(one) <> '')
where not private.are_short_texts(languages, 30, 50);
update public.businesses set types = (select array_agg(left(btrim(one), 100)) from unnest(types) as one where btrim(one) <> '')
where not private.are_short_texts(types, 30, 100);
update public.businesses set weekday_text = (select array_agg(left(btrim(one), 200)) from unnest(weekday_text) as one where btrim(one) <> '')
where not private.are_short_texts(weekday_text, 7, 200);
update public.businesses set description = left(description, 20000) where char_length(description) > 20000;
update public.services set name = btrim(name) where char_length(name) > 100;
update public.bookings set service_name = left(btrim(service_name), 100) where char_length(service_name) > 100;
update public.bookings set business_name = left(btrim(business_name), 100) where char_length(business_name) > 100;
update public.businesses set name = btrim(name) where char_length(name) > 100;
update public.businesses set type = btrim(type) where char_length(type) > 100;
update public.businesses set location = btrim(location) where char_length(location) > 200;
update public.claim_requests set full_name = btrim(full_name) where char_length(full_name) > 100;
update public.claim_requests set role_at_company = btrim(role_at_company) where char_length(role_at_company) > 100;
update public.messages set content = btrim(content) where char_length(content) > 2000;
update public.reports set reason = btrim(reason) where char_length(reason) > 100;
update public.review_responses set content = btrim(content) where char_length(content) > 1000;
update public.seller_applications set business_name = btrim(business_name) where char_length(business_name) > 100;
update public.seller_applications set business_type = btrim(business_type) where char_length(business_type) > 100;
update public.seller_applications set location = btrim(location) where char_length(location) > 200;
update public.url_mappings set original = btrim(original) where char_length(original) > 200;
update public.user_security_events set metadata = '{}' where octet_length(metadata::text) > 10000;
update public.notifications set link = null where char_length(link) > 500;
update public.subscription_plans set max_description_length = 20000 where max_description_length > 20000;

alter table private.billing_accounts
  add constraint billing_accounts_provider_size check (char_length(provider) <= 50),
  add constraint billing_accounts_customer_id_size check (char_length(customer_id) <= 255),
  add constraint billing_accounts_subscription_id_size check (char_length(subscription_id) <= 255);
alter table private.test_payments
  add constraint test_payments_id_size check (char_length(id) <= 255),
  add constraint test_payments_kind_size check (char_length(kind) <= 50),
  add constraint test_payments_customer_size check (char_length(customer) <= 255),
  add constraint test_payments_data_size check (octet_length(data::text) <= 65536);
alter table public."categories-plaza"
  add constraint categories_plaza_category_code_size check (char_length(category_code) <= 50);
alter table public.audit_logs
  add constraint audit_logs_table_name_size check (char_length(table_name) <= 63),
  add constraint audit_logs_record_id_size check (char_length(record_id) <= 100),
  add constraint audit_logs_changed_fields_size check (private.are_short_texts(changed_fields, 100, 63));
alter table public.bookings
  add constraint bookings_business_name_size check (char_length(business_name) <= 100),
  add constraint bookings_service_name_size check (char_length(service_name) <= 100),
  add constraint bookings_time_zone_size check (char_length(time_zone) <= 50);
alter table public.businesses
  add constraint businesses_hours_check check (private.are_hours(hours)),
  add constraint businesses_amenities_check check (private.are_amenities(amenities)),
  add constraint businesses_rating_sources_check check (private.are_rating_sources(rating_sources)),
  add constraint businesses_name_size check (char_length(name) <= 100),
  add constraint businesses_type_size check (char_length(type) <= 100),
  add constraint businesses_location_size check (char_length(location) <= 200),
  add constraint businesses_company_values_size check (private.are_short_texts(company_values, 30, 100)),
  add constraint businesses_languages_size check (private.are_short_texts(languages, 30, 50)),
  add constraint businesses_types_size check (private.are_short_texts(types, 30, 100)),
  add constraint businesses_weekday_text_size check (private.are_short_texts(weekday_text, 7, 200)),
  add constraint businesses_description_size check (char_length(description) <= 20000),
  add constraint businesses_display_id_size check (char_length(display_id) <= 20),
  add constraint businesses_url_path_size check (char_length(url_path) <= 300);
alter table public.business_availability
  add constraint business_availability_check check (private.are_day_slots(is_open, slots));
alter table public.cities
  add constraint cities_slug_size check (char_length(slug) <= 50),
  add constraint cities_local_name_size check (char_length(local_name) <= 100),
  add constraint cities_aliases_size check (private.are_short_texts(aliases, 50, 100));
alter table public.claim_requests
  add constraint claim_requests_full_name_size check (char_length(full_name) <= 100),
  add constraint claim_requests_role_at_company_size check (char_length(role_at_company) <= 100);
alter table public.directory_counts
  add constraint directory_counts_category_code_size check (char_length(category_code) <= 50),
  add constraint directory_counts_city_slug_size check (char_length(city_slug) <= 50);
alter table public.messages
  add constraint messages_content_size check (char_length(content) <= 2000);
alter table public.notifications
  add constraint notifications_link_size check (char_length(link) <= 500);
alter table public.profiles
  add constraint profiles_display_id_size check (char_length(display_id) <= 20);
alter table public.reports
  add constraint reports_reason_size check (char_length(reason) <= 100);
alter table public.review_responses
  add constraint review_responses_content_size check (char_length(content) <= 1000);
alter table public.seller_applications
  add constraint seller_applications_business_name_size check (char_length(business_name) <= 100),
  add constraint seller_applications_business_type_size check (char_length(business_type) <= 100),
  add constraint seller_applications_location_size check (char_length(location) <= 200);
alter table public.services
  add constraint services_name_size check (char_length(name) <= 100);
alter table public.subscription_plans
  add constraint subscription_plans_tier_size check (char_length(tier) <= 20),
  add constraint subscription_plans_max_description_length_size check (max_description_length <= 20000);
alter table public.url_mappings
  add constraint url_mappings_original_size check (char_length(original) <= 200);
alter table public.user_security_events
  add constraint user_security_events_user_agent_size check (char_length(user_agent) <= 500),
  add constraint user_security_events_metadata_size check (octet_length(metadata::text) <= 10000);
alter table public.user_sessions
  add constraint user_sessions_user_agent_size check (char_length(user_agent) <= 500),
  add constraint user_sessions_session_token_size check (char_length(session_token) <= 64);
alter table public.user_subscriptions
  add constraint user_subscriptions_plan_name_size check (char_length(plan_name) <= 50),
  add constraint user_subscriptions_subscription_tier_size check (char_length(subscription_tier) <= 20);
-- Entries of before hold whole rows: they stay as they are.
alter table public.audit_logs
  add constraint audit_logs_old_data_size check (octet_length(old_data::text) <= 262144) not valid,
  add constraint audit_logs_new_data_size check (octet_length(new_data::text) <= 262144) not valid;
