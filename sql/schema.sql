-- Written by tests/structure/cmd/dump. Do not edit.

table advertiser_metrics (
  business_id uuid not null,
  metric_date date not null,
  billed_impressions integer not null default 0,
  billed_clicks integer not null default 0,
  ad_cost bigint not null default 0,
  ad_click_through_rate numeric(5,2),
  average_cost_per_click bigint not null default 0,
  ad_driven_calls integer not null default 0,
  ad_driven_online_reservations integer not null default 0,
  ad_driven_biz_page_views integer not null default 0,
  ad_driven_messages_to_business integer not null default 0,
  ad_driven_total_leads integer not null default 0
);
alter table advertiser_metrics enable row level security;

table audit_logs (
  id uuid not null default gen_random_uuid(),
  user_id uuid,
  table_name text not null,
  action text not null,
  record_id text,
  changed_fields text[],
  old_data jsonb,
  new_data jsonb,
  created_at timestamp with time zone not null default now()
);
alter table audit_logs enable row level security;

table blackout_dates (
  business_id uuid not null,
  blackout_date date not null,
  created_at timestamp with time zone not null default now()
);
alter table blackout_dates enable row level security;

table booking_notes (
  booking_id uuid not null,
  note text not null,
  updated_at timestamp with time zone not null default now()
);
alter table booking_notes enable row level security;

table bookings (
  id uuid not null default gen_random_uuid(),
  business_id uuid,
  user_id uuid default auth.uid(),
  service_id uuid,
  business_name text not null default ''::text,
  service_name text not null default ''::text,
  service_price numeric(10,2) not null default 0,
  service_duration integer not null default 0,
  booking_date date not null,
  start_time time(0) without time zone not null,
  end_time time(0) without time zone not null default '00:00:00'::time without time zone,
  time_zone text not null default 'Europe/Madrid'::text,
  notes text,
  status text not null default 'pending'::text,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  during tsrange not null generated as tsrange((booking_date + start_time), (booking_date + end_time), '[)'::text),
  cancel_kind text,
  cancel_reason text,
  source text not null default 'online'::text,
  customer_name text,
  customer_phone text,
  proposed_date date,
  proposed_start time(0) without time zone,
  proposed_by text,
  place integer not null default 1,
  buffer_minutes integer not null default 0,
  held tsrange not null generated as tsrange((booking_date + start_time), ((booking_date + end_time) + make_interval(mins => buffer_minutes)), '[)'::text),
  is_test boolean not null default false
);
alter table bookings enable row level security;

table business_availability (
  business_id uuid not null,
  weekday text not null,
  is_open boolean not null,
  slots jsonb not null default '[]'::jsonb,
  updated_at timestamp with time zone not null default now()
);
alter table business_availability enable row level security;

table business_categories (
  business_id uuid not null,
  category_id uuid not null
);
alter table business_categories enable row level security;

table business_former_slugs (
  slug text not null,
  business_id uuid not null,
  created_at timestamp with time zone not null default now()
);
alter table business_former_slugs enable row level security;

table business_metrics (
  business_id uuid not null,
  metric_date date not null,
  num_total_page_views integer not null default 0,
  num_calls integer not null default 0,
  num_directions_and_map_views integer not null default 0,
  url_clicks integer not null default 0,
  num_messages_to_business integer not null default 0,
  online_bookings integer not null default 0,
  num_bookmarks integer not null default 0,
  rating numeric(3,2),
  reviews integer not null default 0,
  total_leads integer not null default 0,
  num_user_photos integer not null default 0,
  collection_item_added integer not null default 0,
  num_check_ins integer not null default 0,
  reply_rate numeric(5,2),
  median_response_time_in_sec integer,
  num_search_views integer not null default 0,
  num_photo_views integer not null default 0
);
alter table business_metrics enable row level security;

table business_photos (
  id uuid not null default gen_random_uuid(),
  business_id uuid not null,
  photo_url text not null,
  caption text,
  display_order integer not null default 0,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now()
);
alter table business_photos enable row level security;

table businesses (
  id uuid not null default gen_random_uuid(),
  slug text not null default ''::text,
  old_slug text,
  url_path text,
  migrated_url boolean not null default false,
  display_id text not null default private.display_id('B-'::text, nextval('private.business_display_ids'::regclass)),
  owner_id uuid,
  name text not null,
  type text not null,
  location text not null,
  address text,
  phone text,
  website text,
  image_url text,
  longitude double precision not null default 0,
  latitude double precision not null default 0,
  hours jsonb,
  amenities jsonb not null default '[]'::jsonb,
  description text,
  tagline text,
  company_values text[],
  languages text[],
  types text[],
  weekday_text text[],
  rating_sources jsonb,
  rating numeric(3,2),
  combined_rating numeric(3,2),
  user_ratings_total integer not null default 0,
  source text not null default 'manual'::text,
  is_claimed boolean not null default false,
  verification_status text not null default 'unverified'::text,
  category_code text,
  city_slug text,
  time_zone text not null default 'Europe/Madrid'::text,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  sort_rating numeric(3,2) not null generated as COALESCE(combined_rating, rating, (0)::numeric),
  booking_days_ahead integer not null default 365,
  is_promoted boolean not null default false,
  booking_notice_minutes integer not null default 0,
  booking_buffer_minutes integer not null default 0,
  booking_capacity integer not null default 1,
  availability_revision integer not null default 0,
  logo_url text,
  search_document tsvector not null default ''::tsvector,
  ranking real not null generated as 
CASE
    WHEN (COALESCE(combined_rating, rating, (0)::numeric) > (0)::numeric) THEN (((COALESCE(combined_rating, rating) * (user_ratings_total)::numeric) + (35)::numeric) / ((user_ratings_total + 10))::numeric)
    ELSE 3.5
END,
  price_from numeric(10,2),
  open_week int4multirange,
  last_slots smallint[],
  is_test boolean not null default false
);
alter table businesses enable row level security;

table categories (
  id uuid not null default gen_random_uuid(),
  name text not null,
  icon text,
  created_at timestamp with time zone not null default now()
);
alter table categories enable row level security;

table "categories-plaza" (
  id uuid not null default gen_random_uuid(),
  category_name text not null,
  category_code text not null,
  normalized_name text not null generated as private."normalize"(category_name),
  category_level smallint not null,
  parent_category text,
  is_active boolean not null default true,
  created_at timestamp with time zone not null default now()
);
alter table "categories-plaza" enable row level security;

table category_synonyms (
  id uuid not null default gen_random_uuid(),
  category_slug text not null,
  synonym_term text not null,
  normalized_term text not null generated as private."normalize"(synonym_term),
  priority integer not null default 50,
  language_code text not null,
  parts text[] not null generated as COALESCE(private.typed_words(synonym_term), '{}'::text[])
);
alter table category_synonyms enable row level security;

table cities (
  slug text not null,
  name text not null,
  local_name text not null,
  country text not null,
  time_zone text not null,
  latitude double precision not null,
  longitude double precision not null,
  aliases text[] not null default '{}'::text[],
  is_popular boolean not null default false,
  part_of text,
  "position" smallint not null default 0,
  spellings text[] not null generated as private.normalize_all((aliases || ARRAY[name, local_name, slug])),
  regions text[] not null default '{}'::text[],
  region_spellings text[] not null generated as COALESCE(private.normalize_all(regions), '{}'::text[])
);
alter table cities enable row level security;

table claim_requests (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null default auth.uid(),
  business_id uuid not null,
  full_name text not null,
  business_email text not null,
  business_phone text,
  role_at_company text not null,
  verification_method text not null,
  document_path text,
  status text not null default 'pending'::text,
  submitted_at timestamp with time zone not null default now(),
  reviewed_at timestamp with time zone,
  reviewed_by uuid,
  admin_notes text,
  verified_at timestamp with time zone,
  verified_by text
);
alter table claim_requests enable row level security;

table conversations (
  id uuid not null default gen_random_uuid(),
  business_id uuid,
  customer_id uuid,
  owner_id uuid,
  blocked_by_customer boolean not null default false,
  blocked_by_owner boolean not null default false,
  last_at timestamp with time zone not null default now(),
  created_at timestamp with time zone not null default now()
);
alter table conversations enable row level security;

table directory_counts (
  city_slug text not null,
  category_code text not null,
  businesses bigint not null default 0
);
alter table directory_counts enable row level security;

table favorites (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null default auth.uid(),
  business_id uuid not null,
  created_at timestamp with time zone not null default now()
);
alter table favorites enable row level security;

table messages (
  id uuid not null default gen_random_uuid(),
  sender_id uuid default auth.uid(),
  recipient_id uuid,
  business_id uuid,
  content text not null,
  read boolean not null default false,
  created_at timestamp with time zone not null default now(),
  conversation_id uuid,
  attachments text[] not null default '{}'::text[]
);
alter table messages enable row level security;

table notification_settings (
  user_id uuid not null default auth.uid(),
  kind text not null,
  by_mail boolean not null default true
);
alter table notification_settings enable row level security;

table notifications (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null,
  type text not null,
  title text not null,
  content text not null,
  link text,
  read boolean not null default false,
  created_at timestamp with time zone not null default now()
);
alter table notifications enable row level security;

table recent_searches (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null default auth.uid(),
  query text,
  location text,
  category text,
  created_at timestamp with time zone not null default clock_timestamp()
);
alter table recent_searches enable row level security;

table reports (
  id uuid not null default gen_random_uuid(),
  reporter_id uuid default auth.uid(),
  reported_id uuid not null,
  type text not null,
  reason text not null,
  details text,
  status text not null default 'pending'::text,
  reviewed_at timestamp with time zone,
  reviewed_by uuid,
  created_at timestamp with time zone not null default now(),
  is_test boolean not null default false
);
alter table reports enable row level security;

table review_responses (
  review_id uuid not null,
  content text not null,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now()
);
alter table review_responses enable row level security;

table reviews (
  id uuid not null default gen_random_uuid(),
  business_id uuid not null,
  user_id uuid default auth.uid(),
  rating integer not null,
  comment text,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  is_test boolean not null default false
);
alter table reviews enable row level security;

table search_alerts (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null default auth.uid(),
  find_desc text,
  find_loc text,
  category text,
  created_at timestamp with time zone not null default now(),
  notified_at timestamp with time zone,
  is_due boolean not null default true
);
alter table search_alerts enable row level security;

table seller_applications (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null default auth.uid(),
  business_name text not null,
  business_type text not null,
  business_description text,
  location text not null,
  status text not null default 'pending'::text,
  reviewed_at timestamp with time zone,
  reviewed_by uuid,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  superseded_at timestamp with time zone
);
alter table seller_applications enable row level security;

table services (
  id uuid not null default gen_random_uuid(),
  business_id uuid not null,
  name text not null,
  description text,
  price numeric(10,2) not null,
  duration integer not null,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now()
);
alter table services enable row level security;

table subscription_plans (
  id uuid not null default gen_random_uuid(),
  tier text not null,
  name text not null,
  description text,
  is_active boolean not null default true,
  price_monthly numeric(10,2) not null,
  price_yearly numeric(10,2) not null,
  analytics_access boolean not null default false,
  logo_upload boolean not null default false,
  promoted_listings boolean not null default false,
  priority_support boolean not null default false,
  max_businesses integer not null default 1,
  max_photos_per_business integer not null default 5,
  max_description_length integer not null default 500,
  created_at timestamp with time zone not null default now()
);
alter table subscription_plans enable row level security;

table support_tickets (
  id uuid not null default gen_random_uuid(),
  user_id uuid default auth.uid(),
  subject text not null,
  message text not null,
  is_priority boolean not null default false,
  answer text,
  answered_by uuid,
  answered_at timestamp with time zone,
  created_at timestamp with time zone not null default now()
);
alter table support_tickets enable row level security;

table towns (
  slug text not null,
  name text not null,
  country text not null,
  latitude double precision not null,
  longitude double precision not null,
  population integer not null,
  aliases text[] not null default '{}'::text[],
  spellings text[] not null generated as private.normalize_all((aliases || ARRAY[name, slug]))
);
alter table towns enable row level security;

table url_mappings (
  id uuid not null default gen_random_uuid(),
  type text not null,
  original text not null,
  slug text not null default ''::text,
  created_at timestamp with time zone not null default now()
);
alter table url_mappings enable row level security;

table url_redirects (
  id uuid not null default gen_random_uuid(),
  old_url text not null,
  new_url text not null,
  business_id uuid,
  redirect_type integer not null default 301,
  is_active boolean not null default true,
  created_at timestamp with time zone not null default now()
);
alter table url_redirects enable row level security;

table user_security_events (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null,
  event_type text not null,
  ip_address inet,
  user_agent text,
  metadata jsonb not null default '{}'::jsonb,
  created_at timestamp with time zone not null default now()
);
alter table user_security_events enable row level security;

table user_sessions (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null,
  session_id uuid,
  session_token text,
  ip_address inet,
  user_agent text,
  created_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone not null default (now() + '08:00:00'::interval),
  is_active boolean not null default true,
  last_activity_at timestamp with time zone not null default now(),
  closing_at timestamp with time zone
);
alter table user_sessions enable row level security;

table user_subscriptions (
  user_id uuid not null,
  plan_id uuid,
  subscribed boolean not null default false,
  subscription_tier text,
  subscription_end timestamp with time zone,
  plan_name text,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now()
);
alter table user_subscriptions enable row level security;
alter table advertiser_metrics add constraint advertiser_metrics_ad_click_through_rate_check CHECK (((ad_click_through_rate >= (0)::numeric) AND (ad_click_through_rate <= (100)::numeric)));
alter table advertiser_metrics add constraint advertiser_metrics_business_id_fkey FOREIGN KEY (business_id) REFERENCES public.businesses(id) ON DELETE CASCADE;
alter table advertiser_metrics add constraint advertiser_metrics_pkey PRIMARY KEY (business_id, metric_date);
alter table audit_logs add constraint audit_logs_action_check CHECK ((action = ANY (ARRAY['INSERT'::text, 'UPDATE'::text, 'DELETE'::text])));
alter table audit_logs add constraint audit_logs_changed_fields_size CHECK (private.are_short_texts(changed_fields, 100, 63));
alter table audit_logs add constraint audit_logs_new_data_size CHECK ((octet_length((new_data)::text) <= 262144));
alter table audit_logs add constraint audit_logs_old_data_size CHECK ((octet_length((old_data)::text) <= 262144));
alter table audit_logs add constraint audit_logs_record_id_size CHECK ((char_length(record_id) <= 100));
alter table audit_logs add constraint audit_logs_table_name_size CHECK ((char_length(table_name) <= 63));
alter table audit_logs add constraint audit_logs_pkey PRIMARY KEY (id, created_at);
alter table blackout_dates add constraint blackout_dates_blackout_date_check CHECK (((blackout_date >= '2000-01-01'::date) AND (blackout_date <= '2199-12-31'::date)));
alter table blackout_dates add constraint blackout_dates_business_id_fkey FOREIGN KEY (business_id) REFERENCES public.businesses(id) ON DELETE CASCADE;
alter table blackout_dates add constraint blackout_dates_pkey PRIMARY KEY (business_id, blackout_date);
alter table booking_notes add constraint booking_notes_note_size CHECK (((btrim(note) <> ''::text) AND (char_length(note) <= 1000)));
alter table booking_notes add constraint booking_notes_booking_id_fkey FOREIGN KEY (booking_id) REFERENCES public.bookings(id) ON DELETE CASCADE;
alter table booking_notes add constraint booking_notes_pkey PRIMARY KEY (booking_id);
alter table bookings add constraint bookings_booking_date_check CHECK (((booking_date >= '2000-01-01'::date) AND (booking_date <= '2199-12-31'::date)));
alter table bookings add constraint bookings_buffer_minutes_check CHECK (((buffer_minutes >= 0) AND (buffer_minutes <= 240)));
alter table bookings add constraint bookings_business_name_size CHECK ((char_length(business_name) <= 100));
alter table bookings add constraint bookings_cancel_kind_check CHECK ((cancel_kind = ANY (ARRAY['customer'::text, 'business'::text, 'declined'::text, 'expired'::text, 'no_show'::text])));
alter table bookings add constraint bookings_cancel_reason_size CHECK (((cancel_reason <> ''::text) AND (char_length(cancel_reason) <= 500)));
alter table bookings add constraint bookings_cancelled_check CHECK (((status = 'cancelled'::text) OR ((cancel_kind IS NULL) AND (cancel_reason IS NULL))));
alter table bookings add constraint bookings_customer_name_size CHECK (((btrim(customer_name) <> ''::text) AND (char_length(customer_name) <= 100)));
alter table bookings add constraint bookings_customer_phone_size CHECK (((btrim(customer_phone) <> ''::text) AND (char_length(customer_phone) <= 30)));
alter table bookings add constraint bookings_end_after_start CHECK ((end_time > start_time));
alter table bookings add constraint bookings_notes_check CHECK ((char_length(notes) <= 500));
alter table bookings add constraint bookings_place_check CHECK (((place >= 1) AND (place <= 50)));
alter table bookings add constraint bookings_proposal_check CHECK ((num_nulls(proposed_date, proposed_start, proposed_by) = ANY (ARRAY[0, 3])));
alter table bookings add constraint bookings_proposal_open_check CHECK (((proposed_by IS NULL) OR (status = ANY (ARRAY['pending'::text, 'confirmed'::text]))));
alter table bookings add constraint bookings_proposed_by_check CHECK ((proposed_by = ANY (ARRAY['customer'::text, 'business'::text])));
alter table bookings add constraint bookings_proposed_date_check CHECK (((proposed_date >= '2000-01-01'::date) AND (proposed_date <= '2199-12-31'::date)));
alter table bookings add constraint bookings_service_name_size CHECK ((char_length(service_name) <= 100));
alter table bookings add constraint bookings_source_check CHECK ((source = ANY (ARRAY['online'::text, 'business'::text])));
alter table bookings add constraint bookings_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'confirmed'::text, 'cancelled'::text, 'completed'::text])));
alter table bookings add constraint bookings_time_zone_size CHECK ((char_length(time_zone) <= 50));
alter table bookings add constraint bookings_walk_in_check CHECK (
CASE source
    WHEN 'business'::text THEN ((user_id IS NULL) AND (customer_name IS NOT NULL))
    ELSE ((customer_name IS NULL) AND (customer_phone IS NULL))
END);
alter table bookings add constraint bookings_business_id_fkey FOREIGN KEY (business_id) REFERENCES public.businesses(id) ON DELETE SET NULL;
alter table bookings add constraint bookings_service_id_fkey FOREIGN KEY (service_id) REFERENCES public.services(id) ON DELETE SET NULL;
alter table bookings add constraint bookings_user_id_fkey FOREIGN KEY (user_id) REFERENCES private.profiles(id) ON DELETE SET NULL;
alter table bookings add constraint bookings_pkey PRIMARY KEY (id);
alter table bookings add constraint bookings_no_overlap EXCLUDE USING gist (business_id WITH =, place WITH =, held WITH &&) WHERE ((status = ANY (ARRAY['pending'::text, 'confirmed'::text, 'completed'::text]))) DEFERRABLE;
alter table business_availability add constraint business_availability_check CHECK (private.are_day_slots(is_open, slots));
alter table business_availability add constraint business_availability_weekday_check CHECK ((weekday = ANY (ARRAY['monday'::text, 'tuesday'::text, 'wednesday'::text, 'thursday'::text, 'friday'::text, 'saturday'::text, 'sunday'::text])));
alter table business_availability add constraint business_availability_business_id_fkey FOREIGN KEY (business_id) REFERENCES public.businesses(id) ON DELETE CASCADE;
alter table business_availability add constraint business_availability_pkey PRIMARY KEY (business_id, weekday);
alter table business_categories add constraint business_categories_business_id_fkey FOREIGN KEY (business_id) REFERENCES public.businesses(id) ON DELETE CASCADE;
alter table business_categories add constraint business_categories_category_id_fkey FOREIGN KEY (category_id) REFERENCES public.categories(id);
alter table business_categories add constraint business_categories_pkey PRIMARY KEY (business_id, category_id);
alter table business_former_slugs add constraint business_former_slugs_slug_check CHECK (((slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'::text) AND (char_length(slug) <= 50)));
alter table business_former_slugs add constraint business_former_slugs_business_id_fkey FOREIGN KEY (business_id) REFERENCES public.businesses(id) ON DELETE CASCADE;
alter table business_former_slugs add constraint business_former_slugs_pkey PRIMARY KEY (slug);
alter table business_metrics add constraint business_metrics_median_response_time_in_sec_check CHECK ((median_response_time_in_sec >= 0));
alter table business_metrics add constraint business_metrics_rating_check CHECK (((rating >= (0)::numeric) AND (rating <= (5)::numeric)));
alter table business_metrics add constraint business_metrics_reply_rate_check CHECK (((reply_rate >= (0)::numeric) AND (reply_rate <= (100)::numeric)));
alter table business_metrics add constraint business_metrics_business_id_fkey FOREIGN KEY (business_id) REFERENCES public.businesses(id) ON DELETE CASCADE;
alter table business_metrics add constraint business_metrics_pkey PRIMARY KEY (business_id, metric_date);
alter table business_photos add constraint business_photos_caption_check CHECK ((char_length(caption) <= 200));
alter table business_photos add constraint business_photos_photo_url_check CHECK (private.is_web_address(photo_url));
alter table business_photos add constraint business_photos_business_id_fkey FOREIGN KEY (business_id) REFERENCES public.businesses(id) ON DELETE CASCADE;
alter table business_photos add constraint business_photos_pkey PRIMARY KEY (id);
alter table businesses add constraint businesses_address_check CHECK (((char_length(address) >= 5) AND (char_length(address) <= 200)));
alter table businesses add constraint businesses_amenities_check CHECK (private.are_amenities(amenities));
alter table businesses add constraint businesses_booking_buffer_minutes_check CHECK (((booking_buffer_minutes >= 0) AND (booking_buffer_minutes <= 240)));
alter table businesses add constraint businesses_booking_capacity_check CHECK (((booking_capacity >= 1) AND (booking_capacity <= 50)));
alter table businesses add constraint businesses_booking_days_ahead_check CHECK (((booking_days_ahead >= 1) AND (booking_days_ahead <= 730)));
alter table businesses add constraint businesses_booking_notice_minutes_check CHECK (((booking_notice_minutes >= 0) AND (booking_notice_minutes <= 20160)));
alter table businesses add constraint businesses_combined_rating_check CHECK (((combined_rating >= (0)::numeric) AND (combined_rating <= (5)::numeric)));
alter table businesses add constraint businesses_company_values_check CHECK ((cardinality(company_values) <= 30));
alter table businesses add constraint businesses_company_values_size CHECK (private.are_short_texts(company_values, 30, 100));
alter table businesses add constraint businesses_description_size CHECK ((char_length(description) <= 20000));
alter table businesses add constraint businesses_display_id_check CHECK ((display_id ~ '^B-[0-9]{6,18}$'::text));
alter table businesses add constraint businesses_display_id_size CHECK ((char_length(display_id) <= 20));
alter table businesses add constraint businesses_hours_check CHECK (private.are_hours(hours));
alter table businesses add constraint businesses_image_url_check CHECK (private.is_web_address(image_url));
alter table businesses add constraint businesses_languages_check CHECK ((cardinality(languages) <= 30));
alter table businesses add constraint businesses_languages_size CHECK (private.are_short_texts(languages, 30, 50));
alter table businesses add constraint businesses_last_slots_size CHECK ((octet_length((last_slots)::text) <= 100));
alter table businesses add constraint businesses_latitude_check CHECK (((latitude >= ('-90'::integer)::double precision) AND (latitude <= (90)::double precision)));
alter table businesses add constraint businesses_location_check CHECK (((char_length(btrim(location)) >= 2) AND (char_length(btrim(location)) <= 200)));
alter table businesses add constraint businesses_location_size CHECK ((char_length(location) <= 200));
alter table businesses add constraint businesses_logo_url_check CHECK (((char_length(logo_url) <= 300) AND (logo_url ~~ '/storage/v1/object/public/business-logos/%'::text)));
alter table businesses add constraint businesses_longitude_check CHECK (((longitude >= ('-180'::integer)::double precision) AND (longitude <= (180)::double precision)));
alter table businesses add constraint businesses_name_check CHECK ((((char_length(btrim(name)) >= 2) AND (char_length(btrim(name)) <= 100)) AND (name !~ '[<>]'::text)));
alter table businesses add constraint businesses_name_size CHECK ((char_length(name) <= 100));
alter table businesses add constraint businesses_old_slug_check CHECK ((char_length(old_slug) <= 50));
alter table businesses add constraint businesses_phone_check CHECK (private.is_phone(phone));
alter table businesses add constraint businesses_rating_check CHECK (((rating >= (0)::numeric) AND (rating <= (5)::numeric)));
alter table businesses add constraint businesses_rating_sources_check CHECK (private.are_rating_sources(rating_sources));
alter table businesses add constraint businesses_slug_check CHECK (((slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'::text) AND (char_length(slug) <= 50)));
alter table businesses add constraint businesses_source_check CHECK ((source = ANY (ARRAY['seeded'::text, 'manual'::text, 'CSV-upload'::text])));
alter table businesses add constraint businesses_tagline_check CHECK ((char_length(tagline) <= 160));
alter table businesses add constraint businesses_time_zone_check CHECK ((time_zone = ANY (ARRAY['Europe/Madrid'::text, 'Atlantic/Canary'::text, 'Europe/Andorra'::text])));
alter table businesses add constraint businesses_type_check CHECK (((char_length(btrim(type)) >= 2) AND (char_length(btrim(type)) <= 100)));
alter table businesses add constraint businesses_type_size CHECK ((char_length(type) <= 100));
alter table businesses add constraint businesses_types_check CHECK ((cardinality(types) <= 30));
alter table businesses add constraint businesses_types_size CHECK (private.are_short_texts(types, 30, 100));
alter table businesses add constraint businesses_url_path_check CHECK ((url_path ~ '^(/[a-z0-9-]+){4}$'::text));
alter table businesses add constraint businesses_url_path_size CHECK ((char_length(url_path) <= 300));
alter table businesses add constraint businesses_user_ratings_total_check CHECK ((user_ratings_total >= 0));
alter table businesses add constraint businesses_verification_status_check CHECK ((verification_status = ANY (ARRAY['unverified'::text, 'pending'::text, 'verified'::text, 'rejected'::text])));
alter table businesses add constraint businesses_website_check CHECK (private.is_public_url(website));
alter table businesses add constraint businesses_weekday_text_check CHECK ((cardinality(weekday_text) <= 7));
alter table businesses add constraint businesses_weekday_text_size CHECK (private.are_short_texts(weekday_text, 7, 200));
alter table businesses add constraint businesses_category_code_fkey FOREIGN KEY (category_code) REFERENCES public."categories-plaza"(category_code) ON UPDATE CASCADE ON DELETE SET NULL;
alter table businesses add constraint businesses_city_slug_fkey FOREIGN KEY (city_slug) REFERENCES public.cities(slug) ON UPDATE CASCADE ON DELETE SET NULL;
alter table businesses add constraint businesses_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES private.profiles(id) ON DELETE SET NULL;
alter table businesses add constraint businesses_pkey PRIMARY KEY (id);
alter table businesses add constraint businesses_display_id_key UNIQUE (display_id);
alter table businesses add constraint businesses_slug_key UNIQUE (slug);
alter table businesses add constraint businesses_url_path_key UNIQUE (url_path);
alter table categories add constraint categories_icon_check CHECK (((char_length(icon) >= 1) AND (char_length(icon) <= 16)));
alter table categories add constraint categories_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 50)));
alter table categories add constraint categories_pkey PRIMARY KEY (id);
alter table "categories-plaza" add constraint "categories-plaza_category_code_check" CHECK ((category_code ~ '^[a-z0-9-]{2,50}$'::text));
alter table "categories-plaza" add constraint "categories-plaza_category_level_check" CHECK ((category_level = ANY (ARRAY[1, 2])));
alter table "categories-plaza" add constraint "categories-plaza_category_name_check" CHECK (((char_length(category_name) >= 1) AND (char_length(category_name) <= 50)));
alter table "categories-plaza" add constraint "categories-plaza_check" CHECK (((category_level = 1) = (parent_category IS NULL)));
alter table "categories-plaza" add constraint categories_plaza_category_code_size CHECK ((char_length(category_code) <= 50));
alter table "categories-plaza" add constraint "categories-plaza_parent_category_fkey" FOREIGN KEY (parent_category) REFERENCES public."categories-plaza"(category_code) ON UPDATE CASCADE ON DELETE CASCADE;
alter table "categories-plaza" add constraint "categories-plaza_pkey" PRIMARY KEY (id);
alter table "categories-plaza" add constraint "categories-plaza_category_code_key" UNIQUE (category_code);
alter table category_synonyms add constraint category_synonyms_language_code_check CHECK ((language_code = ANY (ARRAY['es'::text, 'ca'::text, 'en'::text, 'fr'::text])));
alter table category_synonyms add constraint category_synonyms_priority_check CHECK (((priority >= 0) AND (priority <= 100)));
alter table category_synonyms add constraint category_synonyms_synonym_term_check CHECK (((char_length(synonym_term) >= 2) AND (char_length(synonym_term) <= 100)));
alter table category_synonyms add constraint category_synonyms_category_slug_fkey FOREIGN KEY (category_slug) REFERENCES public."categories-plaza"(category_code) ON UPDATE CASCADE ON DELETE CASCADE;
alter table category_synonyms add constraint category_synonyms_pkey PRIMARY KEY (id);
alter table category_synonyms add constraint category_synonyms_category_slug_language_code_normalized_te_key UNIQUE (category_slug, language_code, normalized_term);
alter table cities add constraint cities_aliases_size CHECK (private.are_short_texts(aliases, 50, 100));
alter table cities add constraint cities_country_check CHECK ((country = ANY (ARRAY['Spain'::text, 'Andorra'::text])));
alter table cities add constraint cities_latitude_check CHECK (((latitude >= ('-90'::integer)::double precision) AND (latitude <= (90)::double precision)));
alter table cities add constraint cities_local_name_size CHECK ((char_length(local_name) <= 100));
alter table cities add constraint cities_longitude_check CHECK (((longitude >= ('-180'::integer)::double precision) AND (longitude <= (180)::double precision)));
alter table cities add constraint cities_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 100)));
alter table cities add constraint cities_regions_size CHECK (private.are_short_texts(regions, 50, 100));
alter table cities add constraint cities_slug_check CHECK ((slug = private.slugify(slug)));
alter table cities add constraint cities_slug_size CHECK ((char_length(slug) <= 50));
alter table cities add constraint cities_time_zone_check CHECK ((time_zone = ANY (ARRAY['Europe/Madrid'::text, 'Atlantic/Canary'::text, 'Europe/Andorra'::text])));
alter table cities add constraint cities_part_of_fkey FOREIGN KEY (part_of) REFERENCES public.cities(slug);
alter table cities add constraint cities_pkey PRIMARY KEY (slug);
alter table cities add constraint cities_name_key UNIQUE (name);
alter table claim_requests add constraint claim_requests_admin_notes_check CHECK ((char_length(admin_notes) <= 2000));
alter table claim_requests add constraint claim_requests_business_email_check CHECK (((business_email ~ '^[^@\s]+@[^@\s]+\.[^@\s]+$'::text) AND (char_length(business_email) <= 254)));
alter table claim_requests add constraint claim_requests_business_phone_check CHECK (private.is_phone(business_phone));
alter table claim_requests add constraint claim_requests_document_path_check CHECK ((char_length(document_path) <= 500));
alter table claim_requests add constraint claim_requests_full_name_check CHECK (((char_length(btrim(full_name)) >= 1) AND (char_length(btrim(full_name)) <= 100)));
alter table claim_requests add constraint claim_requests_full_name_size CHECK ((char_length(full_name) <= 100));
alter table claim_requests add constraint claim_requests_role_at_company_check CHECK (((char_length(btrim(role_at_company)) >= 1) AND (char_length(btrim(role_at_company)) <= 100)));
alter table claim_requests add constraint claim_requests_role_at_company_size CHECK ((char_length(role_at_company) <= 100));
alter table claim_requests add constraint claim_requests_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'approved'::text, 'rejected'::text])));
alter table claim_requests add constraint claim_requests_verification_method_check CHECK ((verification_method = ANY (ARRAY['email_domain'::text, 'document_upload'::text, 'phone_verification'::text])));
alter table claim_requests add constraint claim_requests_verified_by_check CHECK ((verified_by = ANY (ARRAY['email_domain'::text, 'phone_verification'::text])));
alter table claim_requests add constraint claim_requests_verified_check CHECK (((verified_at IS NULL) = (verified_by IS NULL)));
alter table claim_requests add constraint claim_requests_business_id_fkey FOREIGN KEY (business_id) REFERENCES public.businesses(id) ON DELETE CASCADE;
alter table claim_requests add constraint claim_requests_reviewed_by_fkey FOREIGN KEY (reviewed_by) REFERENCES auth.users(id) ON DELETE SET NULL;
alter table claim_requests add constraint claim_requests_user_id_fkey FOREIGN KEY (user_id) REFERENCES private.profiles(id) ON DELETE CASCADE;
alter table claim_requests add constraint claim_requests_pkey PRIMARY KEY (id);
alter table conversations add constraint conversations_business_id_fkey FOREIGN KEY (business_id) REFERENCES public.businesses(id) ON DELETE SET NULL;
alter table conversations add constraint conversations_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES private.profiles(id) ON DELETE SET NULL;
alter table conversations add constraint conversations_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES private.profiles(id) ON DELETE SET NULL;
alter table conversations add constraint conversations_pkey PRIMARY KEY (id);
alter table conversations add constraint conversations_parties_key UNIQUE (business_id, customer_id, owner_id);
alter table directory_counts add constraint directory_counts_category_code_size CHECK ((char_length(category_code) <= 50));
alter table directory_counts add constraint directory_counts_city_slug_size CHECK ((char_length(city_slug) <= 50));
alter table directory_counts add constraint directory_counts_pkey PRIMARY KEY (city_slug, category_code);
alter table favorites add constraint favorites_business_id_fkey FOREIGN KEY (business_id) REFERENCES public.businesses(id) ON DELETE CASCADE;
alter table favorites add constraint favorites_user_id_fkey FOREIGN KEY (user_id) REFERENCES private.profiles(id) ON DELETE CASCADE;
alter table favorites add constraint favorites_pkey PRIMARY KEY (id);
alter table favorites add constraint favorites_user_id_business_id_key UNIQUE (user_id, business_id);
alter table messages add constraint messages_attachments_check CHECK (private.are_short_texts(attachments, 4, 200));
alter table messages add constraint messages_check CHECK ((sender_id <> recipient_id));
alter table messages add constraint messages_content_check CHECK (((char_length(content) <= 2000) AND ((btrim(content) <> ''::text) OR (cardinality(attachments) > 0))));
alter table messages add constraint messages_content_size CHECK ((char_length(content) <= 2000));
alter table messages add constraint messages_business_id_fkey FOREIGN KEY (business_id) REFERENCES public.businesses(id) ON DELETE SET NULL;
alter table messages add constraint messages_conversation_id_fkey FOREIGN KEY (conversation_id) REFERENCES public.conversations(id) ON DELETE CASCADE;
alter table messages add constraint messages_recipient_id_fkey FOREIGN KEY (recipient_id) REFERENCES private.profiles(id) ON DELETE SET NULL;
alter table messages add constraint messages_sender_id_fkey FOREIGN KEY (sender_id) REFERENCES private.profiles(id) ON DELETE SET NULL;
alter table messages add constraint messages_pkey PRIMARY KEY (id);
alter table notification_settings add constraint notification_settings_kind_check CHECK ((kind = ANY (ARRAY['booking_asked'::text, 'booking_answered'::text, 'booking_changed'::text, 'booking_reminder'::text, 'message_unread'::text, 'review_asked'::text])));
alter table notification_settings add constraint notification_settings_user_id_fkey FOREIGN KEY (user_id) REFERENCES private.profiles(id) ON DELETE CASCADE;
alter table notification_settings add constraint notification_settings_pkey PRIMARY KEY (user_id, kind);
alter table notifications add constraint notifications_content_check CHECK ((char_length(content) <= 500));
alter table notifications add constraint notifications_link_check CHECK ((link ~ '^/([^/\\\s]\S*)?$'::text));
alter table notifications add constraint notifications_link_size CHECK ((char_length(link) <= 500));
alter table notifications add constraint notifications_title_check CHECK (((char_length(title) >= 1) AND (char_length(title) <= 120)));
alter table notifications add constraint notifications_type_check CHECK ((type = ANY (ARRAY['booking'::text, 'message'::text, 'review'::text, 'other'::text])));
alter table notifications add constraint notifications_user_id_fkey FOREIGN KEY (user_id) REFERENCES private.profiles(id) ON DELETE CASCADE;
alter table notifications add constraint notifications_pkey PRIMARY KEY (id);
alter table recent_searches add constraint recent_searches_category_check CHECK ((char_length(category) <= 100));
alter table recent_searches add constraint recent_searches_check CHECK ((COALESCE(query, location, category) IS NOT NULL));
alter table recent_searches add constraint recent_searches_location_check CHECK ((char_length(location) <= 100));
alter table recent_searches add constraint recent_searches_query_check CHECK ((char_length(query) <= 100));
alter table recent_searches add constraint recent_searches_user_id_fkey FOREIGN KEY (user_id) REFERENCES private.profiles(id) ON DELETE CASCADE;
alter table recent_searches add constraint recent_searches_pkey PRIMARY KEY (id);
alter table reports add constraint reports_details_check CHECK ((char_length(details) <= 1000));
alter table reports add constraint reports_not_oneself CHECK ((reporter_id <> reported_id));
alter table reports add constraint reports_reason_check CHECK (((char_length(btrim(reason)) >= 1) AND (char_length(btrim(reason)) <= 100)));
alter table reports add constraint reports_reason_size CHECK ((char_length(reason) <= 100));
alter table reports add constraint reports_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'resolved'::text, 'rejected'::text])));
alter table reports add constraint reports_type_check CHECK ((type = ANY (ARRAY['business'::text, 'user'::text, 'review'::text])));
alter table reports add constraint reports_reporter_id_fkey FOREIGN KEY (reporter_id) REFERENCES private.profiles(id) ON DELETE SET NULL;
alter table reports add constraint reports_reviewed_by_fkey FOREIGN KEY (reviewed_by) REFERENCES auth.users(id) ON DELETE SET NULL;
alter table reports add constraint reports_pkey PRIMARY KEY (id);
alter table review_responses add constraint review_responses_content_check CHECK (((char_length(btrim(content)) >= 1) AND (char_length(btrim(content)) <= 1000)));
alter table review_responses add constraint review_responses_content_size CHECK ((char_length(content) <= 1000));
alter table review_responses add constraint review_responses_review_id_fkey FOREIGN KEY (review_id) REFERENCES public.reviews(id) ON DELETE CASCADE;
alter table review_responses add constraint review_responses_pkey PRIMARY KEY (review_id);
alter table reviews add constraint reviews_comment_check CHECK (((char_length(comment) >= 10) AND (char_length(comment) <= 1000)));
alter table reviews add constraint reviews_rating_check CHECK (((rating >= 1) AND (rating <= 5)));
alter table reviews add constraint reviews_business_id_fkey FOREIGN KEY (business_id) REFERENCES public.businesses(id) ON DELETE CASCADE;
alter table reviews add constraint reviews_user_id_fkey FOREIGN KEY (user_id) REFERENCES private.profiles(id) ON DELETE SET NULL;
alter table reviews add constraint reviews_pkey PRIMARY KEY (id);
alter table reviews add constraint reviews_business_id_user_id_key UNIQUE (business_id, user_id);
alter table search_alerts add constraint search_alerts_asks CHECK ((((COALESCE(private."normalize"(find_desc), ''::text) || COALESCE(private."normalize"(find_loc), ''::text)) || COALESCE(private."normalize"(category), ''::text)) <> ''::text));
alter table search_alerts add constraint search_alerts_category_check CHECK ((char_length(category) <= 100));
alter table search_alerts add constraint search_alerts_find_desc_check CHECK ((char_length(find_desc) <= 100));
alter table search_alerts add constraint search_alerts_find_loc_check CHECK ((char_length(find_loc) <= 100));
alter table search_alerts add constraint search_alerts_user_id_fkey FOREIGN KEY (user_id) REFERENCES private.profiles(id) ON DELETE CASCADE;
alter table search_alerts add constraint search_alerts_pkey PRIMARY KEY (id);
alter table seller_applications add constraint seller_applications_business_description_check CHECK ((char_length(business_description) <= 2000));
alter table seller_applications add constraint seller_applications_business_name_check CHECK (((char_length(btrim(business_name)) >= 2) AND (char_length(btrim(business_name)) <= 100)));
alter table seller_applications add constraint seller_applications_business_name_size CHECK ((char_length(business_name) <= 100));
alter table seller_applications add constraint seller_applications_business_type_check CHECK (((char_length(btrim(business_type)) >= 2) AND (char_length(btrim(business_type)) <= 100)));
alter table seller_applications add constraint seller_applications_business_type_size CHECK ((char_length(business_type) <= 100));
alter table seller_applications add constraint seller_applications_location_check CHECK (((char_length(btrim(location)) >= 2) AND (char_length(btrim(location)) <= 200)));
alter table seller_applications add constraint seller_applications_location_size CHECK ((char_length(location) <= 200));
alter table seller_applications add constraint seller_applications_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'approved'::text, 'rejected'::text])));
alter table seller_applications add constraint seller_applications_reviewed_by_fkey FOREIGN KEY (reviewed_by) REFERENCES auth.users(id) ON DELETE SET NULL;
alter table seller_applications add constraint seller_applications_user_id_fkey FOREIGN KEY (user_id) REFERENCES private.profiles(id) ON DELETE CASCADE;
alter table seller_applications add constraint seller_applications_pkey PRIMARY KEY (id);
alter table services add constraint services_description_check CHECK ((char_length(description) <= 500));
alter table services add constraint services_duration_check CHECK (((duration >= 1) AND (duration <= 480)));
alter table services add constraint services_name_check CHECK (((char_length(btrim(name)) >= 2) AND (char_length(btrim(name)) <= 100)));
alter table services add constraint services_name_size CHECK ((char_length(name) <= 100));
alter table services add constraint services_price_check CHECK (((price >= (0)::numeric) AND (price <= (10000)::numeric)));
alter table services add constraint services_business_id_fkey FOREIGN KEY (business_id) REFERENCES public.businesses(id) ON DELETE CASCADE;
alter table services add constraint services_pkey PRIMARY KEY (id);
alter table subscription_plans add constraint subscription_plans_description_check CHECK ((char_length(description) <= 300));
alter table subscription_plans add constraint subscription_plans_max_businesses_check CHECK ((max_businesses >= 1));
alter table subscription_plans add constraint subscription_plans_max_description_length_check CHECK ((max_description_length >= 0));
alter table subscription_plans add constraint subscription_plans_max_description_length_size CHECK ((max_description_length <= 20000));
alter table subscription_plans add constraint subscription_plans_max_photos_per_business_check CHECK ((max_photos_per_business >= 0));
alter table subscription_plans add constraint subscription_plans_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 50)));
alter table subscription_plans add constraint subscription_plans_price_monthly_check CHECK ((price_monthly >= (0)::numeric));
alter table subscription_plans add constraint subscription_plans_price_yearly_check CHECK ((price_yearly >= (0)::numeric));
alter table subscription_plans add constraint subscription_plans_tier_check CHECK ((tier ~ '^[a-z]{2,20}$'::text));
alter table subscription_plans add constraint subscription_plans_tier_size CHECK ((char_length(tier) <= 20));
alter table subscription_plans add constraint subscription_plans_pkey PRIMARY KEY (id);
alter table subscription_plans add constraint subscription_plans_tier_key UNIQUE (tier);
alter table support_tickets add constraint support_tickets_answer_check CHECK (((char_length(btrim(answer)) >= 1) AND (char_length(answer) <= 4000)));
alter table support_tickets add constraint support_tickets_answered CHECK (((answer IS NULL) = (answered_at IS NULL)));
alter table support_tickets add constraint support_tickets_message_check CHECK ((((char_length(btrim(message)) >= 10) AND (char_length(btrim(message)) <= 4000)) AND (char_length(message) <= 4000)));
alter table support_tickets add constraint support_tickets_subject_check CHECK ((((char_length(btrim(subject)) >= 3) AND (char_length(btrim(subject)) <= 120)) AND (char_length(subject) <= 120)));
alter table support_tickets add constraint support_tickets_answered_by_fkey FOREIGN KEY (answered_by) REFERENCES auth.users(id) ON DELETE SET NULL;
alter table support_tickets add constraint support_tickets_user_id_fkey FOREIGN KEY (user_id) REFERENCES private.profiles(id) ON DELETE SET NULL;
alter table support_tickets add constraint support_tickets_pkey PRIMARY KEY (id);
alter table towns add constraint towns_aliases_check CHECK (private.are_short_texts(aliases, 10, 100));
alter table towns add constraint towns_country_check CHECK ((country = ANY (ARRAY['Spain'::text, 'Andorra'::text])));
alter table towns add constraint towns_latitude_check CHECK (((latitude >= ('-90'::integer)::double precision) AND (latitude <= (90)::double precision)));
alter table towns add constraint towns_longitude_check CHECK (((longitude >= ('-180'::integer)::double precision) AND (longitude <= (180)::double precision)));
alter table towns add constraint towns_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 100)));
alter table towns add constraint towns_population_check CHECK ((population >= 0));
alter table towns add constraint towns_slug_check CHECK (((slug = private.slugify(slug)) AND (char_length(slug) <= 50)));
alter table towns add constraint towns_pkey PRIMARY KEY (slug);
alter table url_mappings add constraint url_mappings_original_check CHECK (((char_length(btrim(original)) >= 1) AND (char_length(btrim(original)) <= 200)));
alter table url_mappings add constraint url_mappings_original_size CHECK ((char_length(original) <= 200));
alter table url_mappings add constraint url_mappings_slug_check CHECK (((slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'::text) AND (char_length(slug) <= 50)));
alter table url_mappings add constraint url_mappings_type_check CHECK ((type = ANY (ARRAY['location'::text, 'category'::text])));
alter table url_mappings add constraint url_mappings_pkey PRIMARY KEY (id);
alter table url_mappings add constraint url_mappings_type_slug_key UNIQUE (type, slug);
alter table url_redirects add constraint url_redirects_check CHECK ((old_url <> new_url));
alter table url_redirects add constraint url_redirects_new_url_check CHECK (((new_url ~ '^/([^/\\\s]\S*)?$'::text) AND (char_length(new_url) <= 500)));
alter table url_redirects add constraint url_redirects_old_url_check CHECK (((old_url ~ '^/[^/\\\s]\S*$'::text) AND (char_length(old_url) <= 500)));
alter table url_redirects add constraint url_redirects_redirect_type_check CHECK ((redirect_type = ANY (ARRAY[301, 302, 307, 308])));
alter table url_redirects add constraint url_redirects_business_id_fkey FOREIGN KEY (business_id) REFERENCES public.businesses(id) ON DELETE CASCADE;
alter table url_redirects add constraint url_redirects_pkey PRIMARY KEY (id);
alter table url_redirects add constraint url_redirects_old_url_key UNIQUE (old_url);
alter table user_security_events add constraint user_security_events_event_type_check CHECK ((event_type = ANY (ARRAY['successful_login'::text, 'failed_login'::text, 'account_locked'::text, 'password_changed'::text])));
alter table user_security_events add constraint user_security_events_metadata_size CHECK ((octet_length((metadata)::text) <= 10000));
alter table user_security_events add constraint user_security_events_user_agent_size CHECK ((char_length(user_agent) <= 500));
alter table user_security_events add constraint user_security_events_user_id_fkey FOREIGN KEY (user_id) REFERENCES private.profiles(id) ON DELETE CASCADE;
alter table user_security_events add constraint user_security_events_pkey PRIMARY KEY (id, created_at);
alter table user_sessions add constraint user_sessions_session_token_size CHECK ((char_length(session_token) <= 64));
alter table user_sessions add constraint user_sessions_user_agent_size CHECK ((char_length(user_agent) <= 500));
alter table user_sessions add constraint user_sessions_session_id_fkey FOREIGN KEY (session_id) REFERENCES auth.sessions(id) ON DELETE SET NULL;
alter table user_sessions add constraint user_sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES private.profiles(id) ON DELETE CASCADE;
alter table user_sessions add constraint user_sessions_pkey PRIMARY KEY (id);
alter table user_sessions add constraint user_sessions_session_id_key UNIQUE (session_id);
alter table user_sessions add constraint user_sessions_session_token_key UNIQUE (session_token);
alter table user_subscriptions add constraint user_subscriptions_plan_name_size CHECK ((char_length(plan_name) <= 50));
alter table user_subscriptions add constraint user_subscriptions_subscription_tier_size CHECK ((char_length(subscription_tier) <= 20));
alter table user_subscriptions add constraint user_subscriptions_plan_id_fkey FOREIGN KEY (plan_id) REFERENCES public.subscription_plans(id);
alter table user_subscriptions add constraint user_subscriptions_user_id_fkey FOREIGN KEY (user_id) REFERENCES private.profiles(id) ON DELETE CASCADE;
alter table user_subscriptions add constraint user_subscriptions_pkey PRIMARY KEY (user_id);
CREATE INDEX advertiser_metrics_recent_idx ON ONLY public.advertiser_metrics USING btree (metric_date DESC);
CREATE INDEX audit_logs_recent_idx ON ONLY public.audit_logs USING btree (created_at DESC);
CREATE INDEX audit_logs_record_idx ON ONLY public.audit_logs USING btree (record_id);
CREATE INDEX audit_logs_table_idx ON ONLY public.audit_logs USING btree (table_name, created_at DESC);
CREATE INDEX audit_logs_user_idx ON ONLY public.audit_logs USING btree (user_id, created_at DESC);
CREATE INDEX bookings_business_day_idx ON public.bookings USING btree (business_id, booking_date) INCLUDE (start_time, end_time, status, service_price, service_id, service_name, user_id);
CREATE INDEX bookings_completed_idx ON public.bookings USING btree (booking_date) WHERE (status = 'completed'::text);
CREATE INDEX bookings_made_idx ON public.bookings USING brin (created_at) WITH (pages_per_range='32');
CREATE INDEX bookings_pending_idx ON public.bookings USING btree (booking_date) WHERE (status = 'pending'::text);
CREATE INDEX bookings_service_idx ON public.bookings USING btree (service_id);
CREATE INDEX bookings_test_idx ON public.bookings USING btree (id) WHERE is_test;
CREATE INDEX bookings_user_date_idx ON public.bookings USING btree (user_id, booking_date DESC);
CREATE INDEX business_categories_category_idx ON public.business_categories USING btree (category_id);
CREATE INDEX business_former_slugs_business_idx ON public.business_former_slugs USING btree (business_id);
CREATE INDEX business_metrics_recent_idx ON ONLY public.business_metrics USING btree (metric_date DESC);
CREATE INDEX business_photos_business_order_idx ON public.business_photos USING btree (business_id, display_order);
CREATE INDEX business_photos_made_idx ON public.business_photos USING brin (created_at) WITH (pages_per_range='32');
CREATE INDEX businesses_category_rank_idx ON public.businesses USING btree (category_code, sort_rating DESC, created_at DESC);
CREATE INDEX businesses_category_ranking_idx ON public.businesses USING btree (category_code, ranking DESC, created_at DESC);
CREATE INDEX businesses_city_category_rank_idx ON public.businesses USING btree (city_slug, category_code, sort_rating DESC, created_at DESC);
CREATE INDEX businesses_city_category_ranking_idx ON public.businesses USING btree (city_slug, category_code, ranking DESC, created_at DESC);
CREATE INDEX businesses_city_rank_idx ON public.businesses USING btree (city_slug, sort_rating DESC, created_at DESC);
CREATE INDEX businesses_city_ranking_idx ON public.businesses USING btree (city_slug, ranking DESC, created_at DESC);
CREATE INDEX businesses_city_recent_idx ON public.businesses USING btree (city_slug, created_at DESC);
CREATE INDEX businesses_earth_idx ON public.businesses USING gist (private.earth(latitude, longitude));
CREATE INDEX businesses_name_place_idx ON public.businesses USING btree (private."normalize"(name), COALESCE(city_slug, private."normalize"(location)));
CREATE INDEX businesses_name_trigram_idx ON public.businesses USING gin ((((' '::text || private."normalize"(name)) || ' '::text)) extensions.gin_trgm_ops);
CREATE INDEX businesses_old_slug_idx ON public.businesses USING btree (old_slug);
CREATE INDEX businesses_owner_idx ON public.businesses USING btree (owner_id);
CREATE INDEX businesses_price_idx ON public.businesses USING btree (price_from, ranking DESC, created_at DESC);
CREATE INDEX businesses_promoted_idx ON public.businesses USING btree (owner_id) WHERE is_promoted;
CREATE INDEX businesses_rank_idx ON public.businesses USING btree (sort_rating DESC, created_at DESC);
CREATE INDEX businesses_ranking_idx ON public.businesses USING btree (ranking DESC, created_at DESC);
CREATE INDEX businesses_recent_idx ON public.businesses USING btree (created_at DESC, id);
CREATE INDEX businesses_sample_idx ON public.businesses USING gin (search_document) WHERE ((get_byte(uuid_send(id), 15) & 63) = 0);
CREATE INDEX businesses_search_display_id_idx ON public.businesses USING gin (display_id extensions.gin_trgm_ops);
CREATE INDEX businesses_search_idx ON public.businesses USING gin (search_document, (ARRAY[(floor(((200)::double precision * ranking)))::integer]));
CREATE INDEX businesses_test_idx ON public.businesses USING btree (id) WHERE is_test;
CREATE INDEX businesses_type_idx ON public.businesses USING btree (type);
CREATE INDEX businesses_unmigrated_idx ON public.businesses USING btree (id) WHERE (NOT migrated_url);
CREATE UNIQUE INDEX categories_name_key ON public.categories USING btree (lower(name));
CREATE INDEX categories_plaza_parent_idx ON public."categories-plaza" USING btree (parent_category);
CREATE INDEX category_synonyms_parts_idx ON public.category_synonyms USING gin (parts) WITH (fastupdate=off);
CREATE INDEX category_synonyms_term_idx ON public.category_synonyms USING btree (normalized_term text_pattern_ops);
CREATE INDEX category_synonyms_trigram_idx ON public.category_synonyms USING gin (normalized_term extensions.gin_trgm_ops);
CREATE INDEX cities_part_of_idx ON public.cities USING btree (part_of);
CREATE INDEX claim_requests_business_idx ON public.claim_requests USING btree (business_id);
CREATE UNIQUE INDEX claim_requests_open_key ON public.claim_requests USING btree (user_id, business_id) WHERE (status = 'pending'::text);
CREATE INDEX claim_requests_reviewer_idx ON public.claim_requests USING btree (reviewed_by);
CREATE INDEX claim_requests_status_idx ON public.claim_requests USING btree (status, submitted_at DESC);
CREATE INDEX claim_requests_user_idx ON public.claim_requests USING btree (user_id, submitted_at DESC);
CREATE INDEX conversations_customer_idx ON public.conversations USING btree (customer_id, last_at DESC);
CREATE INDEX conversations_owner_idx ON public.conversations USING btree (owner_id, last_at DESC);
CREATE INDEX favorites_business_idx ON public.favorites USING btree (business_id);
CREATE INDEX favorites_made_idx ON public.favorites USING brin (created_at) WITH (pages_per_range='32');
CREATE INDEX messages_attachments_idx ON public.messages USING gin (attachments) WHERE (attachments <> '{}'::text[]);
CREATE INDEX messages_business_idx ON public.messages USING btree (business_id, created_at DESC);
CREATE INDEX messages_conversation_idx ON public.messages USING btree (conversation_id, created_at DESC, id);
CREATE INDEX messages_conversation_unread_idx ON public.messages USING btree (conversation_id, recipient_id) WHERE (NOT read);
CREATE INDEX messages_made_idx ON public.messages USING brin (created_at) WITH (pages_per_range='32');
CREATE INDEX messages_recipient_idx ON public.messages USING btree (recipient_id, created_at DESC);
CREATE INDEX messages_sender_idx ON public.messages USING btree (sender_id, created_at DESC);
CREATE INDEX messages_unread_idx ON public.messages USING btree (recipient_id) WHERE (NOT read);
CREATE INDEX notifications_user_recent_idx ON public.notifications USING btree (user_id, created_at DESC);
CREATE INDEX notifications_user_unread_idx ON public.notifications USING btree (user_id) WHERE (NOT read);
CREATE INDEX recent_searches_user_idx ON public.recent_searches USING btree (user_id, created_at DESC);
CREATE UNIQUE INDEX reports_open_key ON public.reports USING btree (reporter_id, type, reported_id) WHERE (status = 'pending'::text);
CREATE INDEX reports_reporter_idx ON public.reports USING btree (reporter_id);
CREATE INDEX reports_reviewer_idx ON public.reports USING btree (reviewed_by);
CREATE INDEX reports_status_idx ON public.reports USING btree (status, created_at DESC);
CREATE INDEX reports_test_idx ON public.reports USING btree (id) WHERE is_test;
CREATE INDEX reviews_business_recent_idx ON public.reviews USING btree (business_id, created_at DESC);
CREATE INDEX reviews_made_idx ON public.reviews USING brin (created_at) WITH (pages_per_range='32');
CREATE INDEX reviews_test_idx ON public.reviews USING btree (id) WHERE is_test;
CREATE INDEX reviews_user_idx ON public.reviews USING btree (user_id);
CREATE INDEX search_alerts_due_idx ON public.search_alerts USING btree (created_at) WHERE ((notified_at IS NULL) AND is_due);
CREATE UNIQUE INDEX search_alerts_open_key ON public.search_alerts USING btree (user_id, COALESCE(private."normalize"(find_desc), ''::text), COALESCE(private."normalize"(find_loc), ''::text), COALESCE(private."normalize"(category), ''::text)) WHERE (notified_at IS NULL);
CREATE INDEX search_alerts_user_idx ON public.search_alerts USING btree (user_id, created_at DESC);
CREATE UNIQUE INDEX seller_applications_current_key ON public.seller_applications USING btree (user_id) WHERE (superseded_at IS NULL);
CREATE UNIQUE INDEX seller_applications_open_key ON public.seller_applications USING btree (user_id) WHERE (status = 'pending'::text);
CREATE INDEX seller_applications_reviewer_idx ON public.seller_applications USING btree (reviewed_by);
CREATE INDEX seller_applications_status_idx ON public.seller_applications USING btree (status, created_at DESC);
CREATE INDEX seller_applications_user_idx ON public.seller_applications USING btree (user_id, created_at DESC);
CREATE INDEX services_business_name_idx ON public.services USING btree (business_id, name);
CREATE INDEX support_tickets_answered_by_idx ON public.support_tickets USING btree (answered_by);
CREATE INDEX support_tickets_open_idx ON public.support_tickets USING btree (is_priority DESC, created_at) WHERE (answer IS NULL);
CREATE INDEX support_tickets_user_idx ON public.support_tickets USING btree (user_id, created_at DESC);
CREATE INDEX towns_spellings_idx ON public.towns USING gin (spellings);
CREATE INDEX url_mappings_original_idx ON public.url_mappings USING btree (type, original);
CREATE UNIQUE INDEX url_mappings_original_key ON public.url_mappings USING btree (type, lower(original));
CREATE INDEX url_redirects_business_idx ON public.url_redirects USING btree (business_id);
CREATE INDEX url_redirects_new_url_idx ON public.url_redirects USING btree (new_url);
CREATE INDEX user_security_events_user_idx ON ONLY public.user_security_events USING btree (user_id, created_at DESC);
CREATE INDEX user_sessions_user_idx ON public.user_sessions USING btree (user_id, last_activity_at DESC);
CREATE INDEX user_subscriptions_plan_idx ON public.user_subscriptions USING btree (plan_id);
CREATE TRIGGER bound BEFORE INSERT ON public.blackout_dates FOR EACH ROW EXECUTE FUNCTION private.before_blackout_date();
CREATE TRIGGER touch BEFORE UPDATE ON public.booking_notes FOR EACH ROW EXECUTE FUNCTION private.touch_updated_at();
CREATE TRIGGER check_end BEFORE UPDATE OF start_time, end_time ON public.bookings FOR EACH ROW EXECUTE FUNCTION private.check_booking_end();
CREATE TRIGGER mail_changed AFTER UPDATE OF status, booking_date, start_time, proposed_date, proposed_start, proposed_by ON public.bookings FOR EACH ROW WHEN (((((((old.status IS DISTINCT FROM new.status) OR (old.booking_date IS DISTINCT FROM new.booking_date)) OR (old.start_time IS DISTINCT FROM new.start_time)) OR (old.proposed_date IS DISTINCT FROM new.proposed_date)) OR (old.proposed_start IS DISTINCT FROM new.proposed_start)) OR (old.proposed_by IS DISTINCT FROM new.proposed_by))) EXECUTE FUNCTION private.mail_booking();
CREATE TRIGGER mail_made AFTER INSERT ON public.bookings FOR EACH ROW EXECUTE FUNCTION private.mail_booking();
CREATE TRIGGER make BEFORE INSERT ON public.bookings FOR EACH ROW EXECUTE FUNCTION private.before_booking();
CREATE TRIGGER mark_test BEFORE INSERT ON public.bookings FOR EACH ROW EXECUTE FUNCTION private.mark_test_row();
CREATE TRIGGER notify_made AFTER INSERT ON public.bookings FOR EACH ROW EXECUTE FUNCTION private.after_booking();
CREATE TRIGGER notify_status AFTER UPDATE OF status ON public.bookings FOR EACH ROW WHEN ((old.status IS DISTINCT FROM new.status)) EXECUTE FUNCTION private.after_booking();
CREATE TRIGGER place BEFORE INSERT ON public.bookings FOR EACH ROW WHEN (((new.business_id IS NOT NULL) AND (new.status <> 'cancelled'::text))) EXECUTE FUNCTION private.place_booking();
CREATE TRIGGER place_again BEFORE UPDATE ON public.bookings FOR EACH ROW WHEN (((new.business_id IS NOT NULL) AND (new.status <> 'cancelled'::text) AND ((old.status = 'cancelled'::text) OR ((((old.business_id IS DISTINCT FROM new.business_id) OR (old.booking_date IS DISTINCT FROM new.booking_date)) OR (old.start_time IS DISTINCT FROM new.start_time)) OR (old.end_time IS DISTINCT FROM new.end_time))))) EXECUTE FUNCTION private.place_booking();
CREATE TRIGGER tell_slots AFTER INSERT ON public.bookings FOR EACH ROW WHEN ((new.status <> 'cancelled'::text)) EXECUTE FUNCTION private.tell_slots();
CREATE TRIGGER tell_slots_changed AFTER UPDATE ON public.bookings FOR EACH ROW WHEN ((((((old.business_id IS DISTINCT FROM new.business_id) OR (old.booking_date IS DISTINCT FROM new.booking_date)) OR (old.start_time IS DISTINCT FROM new.start_time)) OR (old.end_time IS DISTINCT FROM new.end_time)) OR ((old.status = 'cancelled'::text) IS DISTINCT FROM (new.status = 'cancelled'::text)))) EXECUTE FUNCTION private.tell_slots();
CREATE TRIGGER tell_slots_freed AFTER DELETE ON public.bookings FOR EACH ROW WHEN ((old.status <> 'cancelled'::text)) EXECUTE FUNCTION private.tell_slots();
CREATE TRIGGER touch BEFORE UPDATE ON public.bookings FOR EACH ROW EXECUTE FUNCTION private.touch_updated_at();
CREATE TRIGGER zz_audit AFTER INSERT OR DELETE OR UPDATE ON public.bookings FOR EACH ROW WHEN ((NOT private.is_seeding())) EXECUTE FUNCTION private.audit('id');
CREATE TRIGGER keep_last_slots_added AFTER INSERT ON public.business_availability REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.keep_last_slots();
CREATE TRIGGER keep_last_slots_changed AFTER UPDATE ON public.business_availability REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.keep_last_slots();
CREATE TRIGGER keep_last_slots_removed AFTER DELETE ON public.business_availability REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION private.keep_last_slots();
CREATE TRIGGER keep_newest_added AFTER INSERT ON public.business_metrics REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.keep_newest_metrics();
CREATE TRIGGER keep_newest_changed AFTER UPDATE ON public.business_metrics REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.keep_newest_metrics();
CREATE TRIGGER keep_newest_removed AFTER DELETE ON public.business_metrics REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION private.keep_newest_metrics();
CREATE TRIGGER sum_added AFTER INSERT ON public.business_metrics REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.sum_metrics();
CREATE TRIGGER sum_changed AFTER UPDATE ON public.business_metrics REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.sum_metrics();
CREATE TRIGGER sum_removed AFTER DELETE ON public.business_metrics REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION private.sum_metrics();
CREATE TRIGGER cover AFTER INSERT OR DELETE ON public.business_photos FOR EACH ROW EXECUTE FUNCTION private.after_photo();
CREATE TRIGGER note_added AFTER INSERT ON public.business_photos REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.note_parts();
CREATE TRIGGER note_changed AFTER UPDATE ON public.business_photos REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.note_parts();
CREATE TRIGGER note_removed AFTER DELETE ON public.business_photos REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION private.note_parts();
CREATE TRIGGER touch BEFORE UPDATE ON public.business_photos FOR EACH ROW EXECUTE FUNCTION private.touch_updated_at();
CREATE TRIGGER write BEFORE INSERT OR UPDATE ON public.business_photos FOR EACH ROW EXECUTE FUNCTION private.before_photo();
CREATE TRIGGER zz_audit AFTER INSERT OR DELETE OR UPDATE ON public.business_photos FOR EACH ROW WHEN ((NOT private.is_seeding())) EXECUTE FUNCTION private.audit('id');
CREATE TRIGGER cancel_bookings BEFORE DELETE ON public.businesses FOR EACH ROW WHEN ((current_setting('plaza.clearing'::text, true) IS DISTINCT FROM 'on'::text)) EXECUTE FUNCTION private.before_business_deleted();
CREATE TRIGGER count_added AFTER INSERT ON public.businesses REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.count_businesses();
CREATE TRIGGER count_moved AFTER UPDATE ON public.businesses REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.count_businesses();
CREATE TRIGGER count_removed AFTER DELETE ON public.businesses REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION private.count_businesses();
CREATE TRIGGER given AFTER UPDATE OF owner_id ON public.businesses FOR EACH ROW WHEN (((new.owner_id IS NOT NULL) AND (new.owner_id IS DISTINCT FROM old.owner_id))) EXECUTE FUNCTION private.after_business_given();
CREATE TRIGGER keep_former_slugs AFTER UPDATE ON public.businesses FOR EACH ROW WHEN (((new.slug <> old.slug) OR (new.old_slug IS DISTINCT FROM old.old_slug))) EXECUTE FUNCTION private.keep_former_slugs();
CREATE TRIGGER learn_added AFTER INSERT ON public.businesses REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.learn_documents();
CREATE TRIGGER learn_changed AFTER UPDATE ON public.businesses REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.learn_documents();
CREATE TRIGGER logo_changed AFTER UPDATE OF logo_url ON public.businesses FOR EACH ROW WHEN ((old.logo_url IS DISTINCT FROM new.logo_url)) EXECUTE FUNCTION private.after_logo();
CREATE TRIGGER mark_test BEFORE INSERT ON public.businesses FOR EACH ROW EXECUTE FUNCTION private.mark_test_row();
CREATE TRIGGER note_added AFTER INSERT ON public.businesses REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.note_businesses();
CREATE TRIGGER note_changed AFTER UPDATE ON public.businesses REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.note_businesses();
CREATE TRIGGER note_removed AFTER DELETE ON public.businesses REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION private.note_businesses();
CREATE TRIGGER redirect AFTER UPDATE ON public.businesses FOR EACH ROW WHEN (((old.url_path IS NOT NULL) AND (new.url_path IS NOT NULL) AND (new.url_path <> old.url_path))) EXECUTE FUNCTION private.after_url_path();
CREATE TRIGGER shorten_buffers AFTER UPDATE OF booking_buffer_minutes ON public.businesses FOR EACH ROW WHEN ((new.booking_buffer_minutes < old.booking_buffer_minutes)) EXECUTE FUNCTION private.shorten_buffers();
CREATE TRIGGER write BEFORE INSERT OR UPDATE ON public.businesses FOR EACH ROW EXECUTE FUNCTION private.before_business();
CREATE TRIGGER zz_audit AFTER INSERT OR DELETE OR UPDATE ON public.businesses FOR EACH ROW WHEN ((NOT private.is_seeding())) EXECUTE FUNCTION private.audit('id');
CREATE TRIGGER write BEFORE INSERT OR UPDATE ON public.categories FOR EACH ROW EXECUTE FUNCTION private.before_category();
CREATE TRIGGER zz_audit AFTER INSERT OR DELETE OR UPDATE ON public.categories FOR EACH ROW WHEN ((NOT private.is_seeding())) EXECUTE FUNCTION private.audit('id');
CREATE TRIGGER note AFTER INSERT OR DELETE OR UPDATE ON public."categories-plaza" FOR EACH STATEMENT EXECUTE FUNCTION private.note_directory();
CREATE TRIGGER zz_audit AFTER INSERT OR DELETE OR UPDATE ON public."categories-plaza" FOR EACH ROW WHEN ((NOT private.is_seeding())) EXECUTE FUNCTION private.audit('id');
CREATE TRIGGER learn_added AFTER INSERT ON public.category_synonyms REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.learn_synonyms();
CREATE TRIGGER learn_changed AFTER UPDATE ON public.category_synonyms REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.learn_synonyms();
CREATE TRIGGER note AFTER INSERT OR DELETE OR UPDATE ON public.category_synonyms FOR EACH STATEMENT EXECUTE FUNCTION private.note_directory();
CREATE TRIGGER learn_added AFTER INSERT ON public.cities REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.learn_spellings();
CREATE TRIGGER learn_changed AFTER UPDATE ON public.cities REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.learn_spellings();
CREATE TRIGGER note AFTER INSERT OR DELETE OR UPDATE ON public.cities FOR EACH STATEMENT EXECUTE FUNCTION private.note_directory();
CREATE TRIGGER a_request BEFORE INSERT ON public.claim_requests FOR EACH ROW EXECUTE FUNCTION private.before_request();
CREATE TRIGGER b_claim BEFORE INSERT ON public.claim_requests FOR EACH ROW EXECUTE FUNCTION private.before_claim();
CREATE TRIGGER decide BEFORE UPDATE ON public.claim_requests FOR EACH ROW EXECUTE FUNCTION private.before_decision();
CREATE TRIGGER decided AFTER UPDATE OF status ON public.claim_requests FOR EACH ROW WHEN (((old.status = 'pending'::text) AND (new.status <> 'pending'::text))) EXECUTE FUNCTION private.after_claim_decided();
CREATE TRIGGER notify_made AFTER INSERT ON public.claim_requests FOR EACH ROW EXECUTE FUNCTION private.after_request();
CREATE TRIGGER zz_audit AFTER INSERT OR DELETE OR UPDATE ON public.claim_requests FOR EACH ROW WHEN ((NOT private.is_seeding())) EXECUTE FUNCTION private.audit('id');
CREATE TRIGGER bound BEFORE INSERT ON public.favorites FOR EACH ROW EXECUTE FUNCTION private.before_favorite();
CREATE TRIGGER mail_made AFTER INSERT ON public.messages FOR EACH ROW EXECUTE FUNCTION private.mail_message();
CREATE TRIGGER notify_made AFTER INSERT ON public.messages FOR EACH ROW EXECUTE FUNCTION private.after_message();
CREATE TRIGGER write BEFORE INSERT ON public.messages FOR EACH ROW EXECUTE FUNCTION private.before_message();
CREATE TRIGGER delete_profile INSTEAD OF DELETE ON public.profiles FOR EACH ROW EXECUTE FUNCTION private.delete_profile();
CREATE TRIGGER update_profile INSTEAD OF UPDATE ON public.profiles FOR EACH ROW EXECUTE FUNCTION private.update_profile();
CREATE TRIGGER keep_ten AFTER INSERT ON public.recent_searches FOR EACH ROW EXECUTE FUNCTION private.after_search();
CREATE TRIGGER a_request BEFORE INSERT ON public.reports FOR EACH ROW EXECUTE FUNCTION private.before_request();
CREATE TRIGGER b_report BEFORE INSERT ON public.reports FOR EACH ROW EXECUTE FUNCTION private.before_report();
CREATE TRIGGER decide BEFORE UPDATE ON public.reports FOR EACH ROW EXECUTE FUNCTION private.before_decision();
CREATE TRIGGER mark_test BEFORE INSERT ON public.reports FOR EACH ROW EXECUTE FUNCTION private.mark_test_row();
CREATE TRIGGER notify_made AFTER INSERT ON public.reports FOR EACH ROW EXECUTE FUNCTION private.after_request();
CREATE TRIGGER zz_audit AFTER INSERT OR DELETE OR UPDATE ON public.reports FOR EACH ROW WHEN ((NOT private.is_seeding())) EXECUTE FUNCTION private.audit('id');
CREATE TRIGGER notify_made AFTER INSERT ON public.review_responses FOR EACH ROW EXECUTE FUNCTION private.after_review_response();
CREATE TRIGGER write BEFORE INSERT OR UPDATE ON public.review_responses FOR EACH ROW EXECUTE FUNCTION private.before_response();
CREATE TRIGGER mark_test BEFORE INSERT ON public.reviews FOR EACH ROW EXECUTE FUNCTION private.mark_test_row();
CREATE TRIGGER notify_made AFTER INSERT ON public.reviews FOR EACH ROW EXECUTE FUNCTION private.after_review();
CREATE TRIGGER rate AFTER INSERT OR DELETE ON public.reviews FOR EACH ROW WHEN ((NOT private.is_seeding())) EXECUTE FUNCTION private.on_review_changed();
CREATE TRIGGER rate_changed AFTER UPDATE OF rating ON public.reviews FOR EACH ROW WHEN ((old.rating <> new.rating)) EXECUTE FUNCTION private.on_review_changed();
CREATE TRIGGER write BEFORE INSERT OR UPDATE ON public.reviews FOR EACH ROW EXECUTE FUNCTION private.before_review();
CREATE TRIGGER zz_audit AFTER INSERT OR DELETE OR UPDATE ON public.reviews FOR EACH ROW WHEN ((NOT private.is_seeding())) EXECUTE FUNCTION private.audit('id');
CREATE TRIGGER write BEFORE INSERT ON public.search_alerts FOR EACH ROW EXECUTE FUNCTION private.before_search_alert();
CREATE TRIGGER a_request BEFORE INSERT ON public.seller_applications FOR EACH ROW EXECUTE FUNCTION private.before_request();
CREATE TRIGGER b_application BEFORE INSERT ON public.seller_applications FOR EACH ROW EXECUTE FUNCTION private.before_application();
CREATE TRIGGER c_supersede BEFORE INSERT ON public.seller_applications FOR EACH ROW EXECUTE FUNCTION private.supersede_applications();
CREATE TRIGGER decide BEFORE UPDATE ON public.seller_applications FOR EACH ROW EXECUTE FUNCTION private.before_decision();
CREATE TRIGGER decided AFTER UPDATE OF status ON public.seller_applications FOR EACH ROW WHEN (((old.status = 'pending'::text) AND (new.status <> 'pending'::text))) EXECUTE FUNCTION private.after_application_decided();
CREATE TRIGGER notify_made AFTER INSERT ON public.seller_applications FOR EACH ROW EXECUTE FUNCTION private.after_request();
CREATE TRIGGER touch BEFORE UPDATE ON public.seller_applications FOR EACH ROW EXECUTE FUNCTION private.touch_updated_at();
CREATE TRIGGER zz_audit AFTER INSERT OR DELETE OR UPDATE ON public.seller_applications FOR EACH ROW WHEN ((NOT private.is_seeding())) EXECUTE FUNCTION private.audit('id');
CREATE TRIGGER bound BEFORE INSERT ON public.services FOR EACH ROW EXECUTE FUNCTION private.before_service();
CREATE TRIGGER count_names_added AFTER INSERT ON public.services REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.count_service_names();
CREATE TRIGGER count_names_changed AFTER UPDATE ON public.services REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.count_service_names();
CREATE TRIGGER count_names_removed AFTER DELETE ON public.services REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION private.count_service_names();
CREATE TRIGGER document_added AFTER INSERT ON public.services REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.document_services();
CREATE TRIGGER document_changed AFTER UPDATE ON public.services REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.document_services();
CREATE TRIGGER document_removed AFTER DELETE ON public.services REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION private.document_services();
CREATE TRIGGER note_added AFTER INSERT ON public.services REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.note_parts();
CREATE TRIGGER note_changed AFTER UPDATE ON public.services REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.note_parts();
CREATE TRIGGER note_removed AFTER DELETE ON public.services REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION private.note_parts();
CREATE TRIGGER touch BEFORE UPDATE ON public.services FOR EACH ROW EXECUTE FUNCTION private.touch_updated_at();
CREATE TRIGGER zz_audit AFTER INSERT OR DELETE OR UPDATE ON public.services FOR EACH ROW WHEN ((NOT private.is_seeding())) EXECUTE FUNCTION private.audit('id');
CREATE TRIGGER zz_audit AFTER INSERT OR DELETE OR UPDATE ON public.subscription_plans FOR EACH ROW WHEN ((NOT private.is_seeding())) EXECUTE FUNCTION private.audit('id');
CREATE TRIGGER write BEFORE INSERT OR UPDATE ON public.support_tickets FOR EACH ROW EXECUTE FUNCTION private.before_ticket();
CREATE TRIGGER write BEFORE INSERT OR UPDATE ON public.url_mappings FOR EACH ROW EXECUTE FUNCTION private.before_mapping();
CREATE TRIGGER zz_audit AFTER INSERT OR DELETE OR UPDATE ON public.url_mappings FOR EACH ROW WHEN ((NOT private.is_seeding())) EXECUTE FUNCTION private.audit('id');
CREATE TRIGGER note_added AFTER INSERT ON public.url_redirects REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.note_redirects();
CREATE TRIGGER note_changed AFTER UPDATE ON public.url_redirects REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.note_redirects();
CREATE TRIGGER note_removed AFTER DELETE ON public.url_redirects REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION private.note_redirects();
CREATE TRIGGER write BEFORE INSERT OR UPDATE ON public.url_redirects FOR EACH ROW EXECUTE FUNCTION private.before_redirect();
CREATE TRIGGER zz_audit AFTER INSERT OR DELETE OR UPDATE ON public.url_redirects FOR EACH ROW WHEN ((NOT private.is_seeding())) EXECUTE FUNCTION private.audit('id');
CREATE TRIGGER ended AFTER UPDATE OF is_active ON public.user_sessions FOR EACH ROW WHEN ((old.is_active AND (NOT new.is_active))) EXECUTE FUNCTION private.after_user_session_ended();
CREATE TRIGGER write BEFORE UPDATE ON public.user_sessions FOR EACH ROW EXECUTE FUNCTION private.before_user_session();
CREATE TRIGGER fill BEFORE INSERT OR UPDATE ON public.user_subscriptions FOR EACH ROW EXECUTE FUNCTION private.fill_subscription();
CREATE TRIGGER zz_audit AFTER INSERT OR DELETE OR UPDATE ON public.user_subscriptions FOR EACH ROW WHEN ((NOT private.is_seeding())) EXECUTE FUNCTION private.audit('user_id');

view audit_logs_with_actor as
 SELECT l.id,
    l.user_id,
    l.table_name,
    l.action,
    l.record_id,
    l.changed_fields,
    l.old_data,
    l.new_data,
    l.created_at,
    p.full_name AS actor_name,
    p.display_id AS actor_display_id
   FROM (public.audit_logs l
     LEFT JOIN public.profiles p ON ((p.id = l.user_id)));

view category_counts as
 SELECT place.city_slug,
    k.category_code,
    k.category_name,
    k.category_level,
    k.parent_category,
    (sum(d.businesses))::bigint AS businesses
   FROM (((public."categories-plaza" k
     JOIN public."categories-plaza" part ON (((part.category_code = k.category_code) OR (part.parent_category = k.category_code))))
     JOIN public.directory_counts d ON ((d.category_code = part.category_code)))
     CROSS JOIN LATERAL ( SELECT d.city_slug
          WHERE (d.city_slug <> ''::text)
        UNION
         SELECT c.part_of
           FROM public.cities c
          WHERE ((c.slug = d.city_slug) AND (c.part_of IS NOT NULL))
        UNION
         SELECT ''::text) place(city_slug))
  WHERE (d.businesses > 0)
  GROUP BY place.city_slug, k.category_code, k.category_name, k.category_level, k.parent_category;

view city_counts as
 SELECT slug,
    name,
    local_name,
    country,
    is_popular,
    "position",
    (COALESCE(( SELECT sum(d.businesses) AS sum
           FROM public.directory_counts d
          WHERE (d.city_slug IN ( SELECT k.slug
                   FROM public.cities k
                  WHERE ((k.slug = c.slug) OR (k.part_of = c.slug))))), (0)::numeric))::bigint AS businesses
   FROM public.cities c;

view import_rows as
 SELECT r.import_id,
    r.line,
    r.state,
    (r.fields ->> 'name'::text) AS name,
    (r.fields ->> 'type'::text) AS type,
    (r.fields ->> 'location'::text) AS location,
    r.fields,
    r.faults,
    r.duplicate_line,
    r.duplicate_business,
    b.name AS duplicate_name,
    b.slug AS duplicate_slug
   FROM (private.import_rows r
     LEFT JOIN public.businesses b ON ((b.id = r.duplicate_business)))
  WHERE (r.import_id IN ( SELECT i.id
           FROM private.business_imports i
          WHERE ((i.created_by = ( SELECT auth.uid() AS uid)) AND ( SELECT public.is_admin() AS is_admin))));

view profiles as
 SELECT id,
    full_name,
    avatar_url,
    ( SELECT a.role
           FROM private.accounts a
          WHERE (a.id = p.id)) AS role,
    ( SELECT a.session_timeout_minutes
           FROM private.accounts a
          WHERE (a.id = p.id)) AS session_timeout_minutes,
    ( SELECT a.display_id
           FROM private.accounts a
          WHERE (a.id = p.id)) AS display_id,
    ( SELECT a.totp_enabled
           FROM private.accounts a
          WHERE (a.id = p.id)) AS totp_enabled,
    ( SELECT a.wants_to_sell
           FROM private.accounts a
          WHERE (a.id = p.id)) AS wants_to_sell,
    ( SELECT a.created_at
           FROM private.accounts a
          WHERE (a.id = p.id)) AS created_at,
    updated_at
   FROM private.profiles p;

view reports_with_entity as
 SELECT r.id,
    r.type,
    r.reason,
    r.details,
    r.status,
    r.created_at,
    r.reviewed_at,
    r.reported_id,
    r.reporter_id,
    reporter.full_name AS reporter_name,
    reporter.avatar_url AS reporter_avatar,
        CASE r.type
            WHEN 'business'::text THEN b.name
            WHEN 'review'::text THEN COALESCE(author.full_name, of_review.name)
            ELSE person.full_name
        END AS entity_name,
        CASE r.type
            WHEN 'business'::text THEN b.image_url
            WHEN 'review'::text THEN author.avatar_url
            ELSE person.avatar_url
        END AS entity_image,
    "left"(v.comment, 50) AS entity_preview,
        CASE r.type
            WHEN 'business'::text THEN ('/business/'::text || b.id)
            WHEN 'review'::text THEN (('/business/'::text || v.business_id) || '#reviews'::text)
            ELSE ('/admin?tab=users&q='::text || person.display_id)
        END AS entity_link
   FROM ((((((public.reports r
     LEFT JOIN public.profiles reporter ON ((reporter.id = r.reporter_id)))
     LEFT JOIN public.businesses b ON (((r.type = 'business'::text) AND (b.id = r.reported_id))))
     LEFT JOIN public.reviews v ON (((r.type = 'review'::text) AND (v.id = r.reported_id))))
     LEFT JOIN public.profiles author ON ((author.id = v.user_id)))
     LEFT JOIN public.businesses of_review ON ((of_review.id = v.business_id)))
     LEFT JOIN public.profiles person ON (((r.type = 'user'::text) AND (person.id = r.reported_id))));

view url_migration_preview as
 SELECT b.id,
    b.name,
    ('/business/'::text || b.slug) AS old_url,
    private.migrated_path(b.*) AS new_url,
        CASE
            WHEN ((c.slug IS NULL) AND (COALESCE(private.slugify(b.location), ''::text) = ''::text)) THEN private.missing_parts()
            ELSE NULL::text
        END AS error
   FROM (public.businesses b
     LEFT JOIN public.cities c ON ((c.slug = b.city_slug)))
  WHERE ((NOT b.migrated_url) AND ( SELECT public.is_admin() AS is_admin));

view user_totp_secrets as
 SELECT id,
    user_id,
    friendly_name,
    (status = 'verified'::auth.factor_status) AS is_verified,
    last_used_at,
    created_at
   FROM auth.mfa_factors f
  WHERE ((factor_type = 'totp'::auth.factor_type) AND (user_id = ( SELECT auth.uid() AS uid)));
create policy advertiser_metrics_select_owner on advertiser_metrics as PERMISSIVE for SELECT to authenticated using ((((business_id IN ( SELECT b.id
   FROM public.businesses b
  WHERE (b.owner_id = ( SELECT auth.uid() AS uid)))) AND ( SELECT private.plan_allows(( SELECT auth.uid() AS uid), 'analytics'::text) AS plan_allows)) OR ( SELECT public.is_admin() AS is_admin)));
create policy audit_logs_select_admin on audit_logs as PERMISSIVE for SELECT to authenticated using (( SELECT public.is_admin() AS is_admin));
create policy blackout_dates_select_all on blackout_dates as PERMISSIVE for SELECT to anon, authenticated using (true);
create policy blackout_dates_write_manager on blackout_dates as PERMISSIVE for ALL to authenticated using (private.manages(business_id)) with check (private.manages(business_id));
create policy booking_notes_all_manager on booking_notes as PERMISSIVE for ALL to authenticated using ((EXISTS ( SELECT
   FROM public.bookings b
  WHERE ((b.id = booking_notes.booking_id) AND private.manages(b.business_id))))) with check ((EXISTS ( SELECT
   FROM public.bookings b
  WHERE ((b.id = booking_notes.booking_id) AND private.manages(b.business_id)))));
create policy bookings_insert_user on bookings as PERMISSIVE for INSERT to authenticated with check ((user_id = ( SELECT auth.uid() AS uid)));
create policy bookings_select_admin on bookings as PERMISSIVE for SELECT to authenticated using (( SELECT public.is_admin() AS is_admin));
create policy bookings_select_owner on bookings as PERMISSIVE for SELECT to authenticated using ((business_id IN ( SELECT b.id
   FROM public.businesses b
  WHERE (b.owner_id = ( SELECT auth.uid() AS uid)))));
create policy bookings_select_user on bookings as PERMISSIVE for SELECT to authenticated using ((user_id = ( SELECT auth.uid() AS uid)));
create policy business_availability_select_all on business_availability as PERMISSIVE for SELECT to anon, authenticated using (true);
create policy business_availability_write_manager on business_availability as PERMISSIVE for ALL to authenticated using (private.manages(business_id)) with check (private.manages(business_id));
create policy business_categories_select_all on business_categories as PERMISSIVE for SELECT to anon, authenticated using (true);
create policy business_categories_write_manager on business_categories as PERMISSIVE for ALL to authenticated using (private.manages(business_id)) with check (private.manages(business_id));
create policy business_former_slugs_select_all on business_former_slugs as PERMISSIVE for SELECT to anon, authenticated using (true);
create policy business_metrics_select_owner on business_metrics as PERMISSIVE for SELECT to authenticated using ((((business_id IN ( SELECT b.id
   FROM public.businesses b
  WHERE (b.owner_id = ( SELECT auth.uid() AS uid)))) AND ( SELECT private.plan_allows(( SELECT auth.uid() AS uid), 'analytics'::text) AS plan_allows)) OR ( SELECT public.is_admin() AS is_admin)));
create policy business_photos_select_all on business_photos as PERMISSIVE for SELECT to anon, authenticated using (true);
create policy business_photos_write_manager on business_photos as PERMISSIVE for ALL to authenticated using (private.manages(business_id)) with check (private.manages(business_id));
create policy businesses_delete_admin on businesses as PERMISSIVE for DELETE to authenticated using (( SELECT public.is_admin() AS is_admin));
create policy businesses_insert_owner on businesses as PERMISSIVE for INSERT to authenticated with check (((owner_id = ( SELECT auth.uid() AS uid)) AND ( SELECT public.has_role('owner'::text) AS has_role)));
create policy businesses_select_all on businesses as PERMISSIVE for SELECT to anon, authenticated using (true);
create policy businesses_update_owner on businesses as PERMISSIVE for UPDATE to authenticated using (((owner_id = ( SELECT auth.uid() AS uid)) OR ( SELECT public.is_admin() AS is_admin))) with check (((owner_id = ( SELECT auth.uid() AS uid)) OR ( SELECT public.is_admin() AS is_admin)));
create policy categories_select_all on categories as PERMISSIVE for SELECT to anon, authenticated using (true);
create policy categories_write_admin on categories as PERMISSIVE for ALL to authenticated using (( SELECT public.is_admin() AS is_admin)) with check (( SELECT public.is_admin() AS is_admin));
create policy categories_plaza_select_all on "categories-plaza" as PERMISSIVE for SELECT to anon, authenticated using (true);
create policy categories_plaza_write_admin on "categories-plaza" as PERMISSIVE for ALL to authenticated using (( SELECT public.is_admin() AS is_admin)) with check (( SELECT public.is_admin() AS is_admin));
create policy category_synonyms_select_all on category_synonyms as PERMISSIVE for SELECT to anon, authenticated using (true);
create policy category_synonyms_write_admin on category_synonyms as PERMISSIVE for ALL to authenticated using (( SELECT public.is_admin() AS is_admin)) with check (( SELECT public.is_admin() AS is_admin));
create policy cities_select_all on cities as PERMISSIVE for SELECT to anon, authenticated using (true);
create policy claim_requests_insert_self on claim_requests as PERMISSIVE for INSERT to authenticated with check ((user_id = ( SELECT auth.uid() AS uid)));
create policy claim_requests_select_self on claim_requests as PERMISSIVE for SELECT to authenticated using (((user_id = ( SELECT auth.uid() AS uid)) OR ( SELECT public.is_admin() AS is_admin)));
create policy claim_requests_update_admin on claim_requests as PERMISSIVE for UPDATE to authenticated using (( SELECT public.is_admin() AS is_admin)) with check (( SELECT public.is_admin() AS is_admin));
create policy conversations_select_party on conversations as PERMISSIVE for SELECT to authenticated using (((customer_id = ( SELECT auth.uid() AS uid)) OR (owner_id = ( SELECT auth.uid() AS uid))));
create policy directory_counts_select_all on directory_counts as PERMISSIVE for SELECT to anon, authenticated using (true);
create policy favorites_all_self on favorites as PERMISSIVE for ALL to authenticated using ((user_id = ( SELECT auth.uid() AS uid))) with check ((user_id = ( SELECT auth.uid() AS uid)));
create policy messages_insert_sender on messages as PERMISSIVE for INSERT to authenticated with check ((sender_id = ( SELECT auth.uid() AS uid)));
create policy messages_select_party on messages as PERMISSIVE for SELECT to authenticated using (((sender_id = ( SELECT auth.uid() AS uid)) OR (recipient_id = ( SELECT auth.uid() AS uid))));
create policy messages_update_recipient on messages as PERMISSIVE for UPDATE to authenticated using ((recipient_id = ( SELECT auth.uid() AS uid))) with check ((recipient_id = ( SELECT auth.uid() AS uid)));
create policy notification_settings_all_self on notification_settings as PERMISSIVE for ALL to authenticated using ((user_id = ( SELECT auth.uid() AS uid))) with check ((user_id = ( SELECT auth.uid() AS uid)));
create policy notifications_select_self on notifications as PERMISSIVE for SELECT to authenticated using ((user_id = ( SELECT auth.uid() AS uid)));
create policy notifications_update_self on notifications as PERMISSIVE for UPDATE to authenticated using ((user_id = ( SELECT auth.uid() AS uid))) with check ((user_id = ( SELECT auth.uid() AS uid)));
create policy recent_searches_all_self on recent_searches as PERMISSIVE for ALL to authenticated using ((user_id = ( SELECT auth.uid() AS uid))) with check ((user_id = ( SELECT auth.uid() AS uid)));
create policy reports_delete_admin on reports as PERMISSIVE for DELETE to authenticated using (( SELECT public.is_admin() AS is_admin));
create policy reports_insert_self on reports as PERMISSIVE for INSERT to authenticated with check ((reporter_id = ( SELECT auth.uid() AS uid)));
create policy reports_select_self on reports as PERMISSIVE for SELECT to authenticated using (((reporter_id = ( SELECT auth.uid() AS uid)) OR ( SELECT public.is_admin() AS is_admin)));
create policy reports_update_admin on reports as PERMISSIVE for UPDATE to authenticated using (( SELECT public.is_admin() AS is_admin)) with check (( SELECT public.is_admin() AS is_admin));
create policy review_responses_select_all on review_responses as PERMISSIVE for SELECT to anon, authenticated using (true);
create policy review_responses_write_owner on review_responses as PERMISSIVE for ALL to authenticated using ((EXISTS ( SELECT
   FROM (public.reviews r
     JOIN public.businesses b ON ((b.id = r.business_id)))
  WHERE ((r.id = review_responses.review_id) AND (b.owner_id = ( SELECT auth.uid() AS uid)))))) with check ((EXISTS ( SELECT
   FROM (public.reviews r
     JOIN public.businesses b ON ((b.id = r.business_id)))
  WHERE ((r.id = review_responses.review_id) AND (b.owner_id = ( SELECT auth.uid() AS uid))))));
create policy reviews_delete_user on reviews as PERMISSIVE for DELETE to authenticated using (((user_id = ( SELECT auth.uid() AS uid)) OR ( SELECT public.is_admin() AS is_admin)));
create policy reviews_insert_user on reviews as PERMISSIVE for INSERT to authenticated with check ((user_id = ( SELECT auth.uid() AS uid)));
create policy reviews_select_all on reviews as PERMISSIVE for SELECT to anon, authenticated using (true);
create policy reviews_update_user on reviews as PERMISSIVE for UPDATE to authenticated using ((user_id = ( SELECT auth.uid() AS uid))) with check ((user_id = ( SELECT auth.uid() AS uid)));
create policy search_alerts_all_self on search_alerts as PERMISSIVE for ALL to authenticated using ((user_id = ( SELECT auth.uid() AS uid))) with check ((user_id = ( SELECT auth.uid() AS uid)));
create policy seller_applications_delete_admin on seller_applications as PERMISSIVE for DELETE to authenticated using (( SELECT public.is_admin() AS is_admin));
create policy seller_applications_insert_self on seller_applications as PERMISSIVE for INSERT to authenticated with check ((user_id = ( SELECT auth.uid() AS uid)));
create policy seller_applications_select_self on seller_applications as PERMISSIVE for SELECT to authenticated using ((((user_id = ( SELECT auth.uid() AS uid)) AND (superseded_at IS NULL)) OR ( SELECT public.is_admin() AS is_admin)));
create policy seller_applications_update_admin on seller_applications as PERMISSIVE for UPDATE to authenticated using (( SELECT public.is_admin() AS is_admin)) with check (( SELECT public.is_admin() AS is_admin));
create policy services_select_all on services as PERMISSIVE for SELECT to anon, authenticated using (true);
create policy services_write_manager on services as PERMISSIVE for ALL to authenticated using (private.manages(business_id)) with check (private.manages(business_id));
create policy subscription_plans_select_active on subscription_plans as PERMISSIVE for SELECT to anon, authenticated using (is_active);
create policy subscription_plans_write_admin on subscription_plans as PERMISSIVE for ALL to authenticated using (( SELECT public.is_admin() AS is_admin)) with check (( SELECT public.is_admin() AS is_admin));
create policy support_tickets_insert_own on support_tickets as PERMISSIVE for INSERT to authenticated with check ((user_id = ( SELECT auth.uid() AS uid)));
create policy support_tickets_select_own on support_tickets as PERMISSIVE for SELECT to authenticated using (((user_id = ( SELECT auth.uid() AS uid)) OR ( SELECT public.is_admin() AS is_admin)));
create policy support_tickets_update_admin on support_tickets as PERMISSIVE for UPDATE to authenticated using (( SELECT public.is_admin() AS is_admin)) with check (( SELECT public.is_admin() AS is_admin));
create policy towns_select_all on towns as PERMISSIVE for SELECT to anon, authenticated using (true);
create policy url_mappings_select_all on url_mappings as PERMISSIVE for SELECT to anon, authenticated using (true);
create policy url_mappings_write_admin on url_mappings as PERMISSIVE for ALL to authenticated using (( SELECT public.is_admin() AS is_admin)) with check (( SELECT public.is_admin() AS is_admin));
create policy url_redirects_select_active on url_redirects as PERMISSIVE for SELECT to anon, authenticated using (is_active);
create policy url_redirects_write_admin on url_redirects as PERMISSIVE for ALL to authenticated using (( SELECT public.is_admin() AS is_admin)) with check (( SELECT public.is_admin() AS is_admin));
create policy user_security_events_select_self on user_security_events as PERMISSIVE for SELECT to authenticated using (((user_id = ( SELECT auth.uid() AS uid)) AND ( SELECT private.second_factor_shown() AS second_factor_shown)));
create policy user_sessions_select_self on user_sessions as PERMISSIVE for SELECT to authenticated using (((user_id = ( SELECT auth.uid() AS uid)) AND ( SELECT private.second_factor_shown() AS second_factor_shown)));
create policy user_sessions_update_self on user_sessions as PERMISSIVE for UPDATE to authenticated using (((user_id = ( SELECT auth.uid() AS uid)) AND ( SELECT private.second_factor_shown() AS second_factor_shown))) with check ((user_id = ( SELECT auth.uid() AS uid)));
create policy user_subscriptions_select_self on user_subscriptions as PERMISSIVE for SELECT to authenticated using (((user_id = ( SELECT auth.uid() AS uid)) OR ( SELECT public.is_admin() AS is_admin)));
grant select on advertiser_metrics to authenticated;
grant select on audit_logs to authenticated;
grant select on audit_logs_with_actor to authenticated;
grant select on blackout_dates to anon;
grant delete, select on blackout_dates to authenticated;
grant delete, select on booking_notes to authenticated;
grant select on bookings to authenticated;
grant select on business_availability to anon;
grant delete, select on business_availability to authenticated;
grant select on business_categories to anon;
grant delete, insert, select on business_categories to authenticated;
grant select on business_former_slugs to anon;
grant select on business_former_slugs to authenticated;
grant select on business_metrics to authenticated;
grant select on business_photos to anon;
grant delete, select on business_photos to authenticated;
grant select on businesses to anon;
grant delete, select on businesses to authenticated;
grant select on categories to anon;
grant delete, select on categories to authenticated;
grant select on "categories-plaza" to anon;
grant delete, select on "categories-plaza" to authenticated;
grant select on category_counts to anon;
grant select on category_counts to authenticated;
grant select on category_synonyms to anon;
grant delete, select on category_synonyms to authenticated;
grant select on cities to anon;
grant select on cities to authenticated;
grant select on city_counts to anon;
grant select on city_counts to authenticated;
grant select on claim_requests to authenticated;
grant select on directory_counts to anon;
grant select on directory_counts to authenticated;
grant delete, select on favorites to authenticated;
grant select on import_rows to authenticated;
grant select on messages to authenticated;
grant select on notification_settings to authenticated;
grant select on notifications to authenticated;
grant select on profiles to anon;
grant delete, select on profiles to authenticated;
grant delete, select on recent_searches to authenticated;
grant delete, select on reports to authenticated;
grant select on reports_with_entity to authenticated;
grant select on review_responses to anon;
grant delete, select on review_responses to authenticated;
grant select on reviews to anon;
grant delete, select on reviews to authenticated;
grant delete, select on search_alerts to authenticated;
grant delete, select on seller_applications to authenticated;
grant select on services to anon;
grant delete, select on services to authenticated;
grant select on subscription_plans to anon;
grant select on subscription_plans to authenticated;
grant select on support_tickets to authenticated;
grant select on towns to anon;
grant select on towns to authenticated;
grant select on url_mappings to anon;
grant delete, select on url_mappings to authenticated;
grant select on url_migration_preview to authenticated;
grant select on url_redirects to anon;
grant delete, select on url_redirects to authenticated;
grant select on user_security_events to authenticated;
grant select on user_subscriptions to authenticated;
grant select on user_totp_secrets to authenticated;
grant insert (blackout_date, business_id) on blackout_dates to authenticated;
grant insert (booking_id, note) on booking_notes to authenticated;
grant update (booking_id, note) on booking_notes to authenticated;
grant insert (booking_date, business_id, end_time, id, notes, service_id, start_time, status, user_id) on bookings to authenticated;
grant insert (business_id, is_open, slots, weekday) on business_availability to authenticated;
grant update (business_id, is_open, slots, weekday) on business_availability to authenticated;
grant insert (business_id, caption, display_order, photo_url) on business_photos to authenticated;
grant update (caption, display_order) on business_photos to authenticated;
grant insert (address, amenities, booking_days_ahead, company_values, description, hours, image_url, is_promoted, languages, latitude, location, longitude, name, owner_id, phone, tagline, type, types, website, weekday_text) on businesses to authenticated;
grant update (address, amenities, booking_days_ahead, company_values, description, hours, image_url, is_claimed, is_promoted, languages, latitude, location, logo_url, longitude, migrated_url, name, old_slug, owner_id, phone, tagline, type, types, url_path, verification_status, website, weekday_text) on businesses to authenticated;
grant insert (icon, name) on categories to authenticated;
grant update (icon, name) on categories to authenticated;
grant insert (category_code, category_level, category_name, is_active, parent_category) on "categories-plaza" to authenticated;
grant update (category_code, category_level, category_name, is_active, parent_category) on "categories-plaza" to authenticated;
grant insert (category_slug, language_code, priority, synonym_term) on category_synonyms to authenticated;
grant update (category_slug, language_code, priority, synonym_term) on category_synonyms to authenticated;
grant insert (business_email, business_id, business_phone, document_path, full_name, role_at_company, status, user_id, verification_method) on claim_requests to authenticated;
grant update (admin_notes, reviewed_at, reviewed_by, status) on claim_requests to authenticated;
grant select (business_id, created_at, customer_id, id, last_at, owner_id) on conversations to authenticated;
grant insert (business_id, user_id) on favorites to authenticated;
grant insert (attachments, business_id, content, recipient_id, sender_id) on messages to authenticated;
grant update (read) on messages to authenticated;
grant insert (by_mail, kind, user_id) on notification_settings to authenticated;
grant update (by_mail, kind, user_id) on notification_settings to authenticated;
grant update (read) on notifications to authenticated;
grant insert (avatar_url, full_name, id, updated_at) on profiles to authenticated;
grant update (avatar_url, full_name, id, role, session_timeout_minutes, updated_at) on profiles to authenticated;
grant insert (category, location, query, user_id) on recent_searches to authenticated;
grant insert (details, reason, reported_id, reporter_id, status, type) on reports to authenticated;
grant update (status) on reports to authenticated;
grant insert (content, review_id) on review_responses to authenticated;
grant update (content) on review_responses to authenticated;
grant insert (business_id, comment, rating, user_id) on reviews to authenticated;
grant update (comment, rating) on reviews to authenticated;
grant insert (category, find_desc, find_loc, user_id) on search_alerts to authenticated;
grant insert (business_description, business_name, business_type, location, status, user_id) on seller_applications to authenticated;
grant update (status) on seller_applications to authenticated;
grant insert (business_id, description, duration, name, price) on services to authenticated;
grant update (description, duration, name, price) on services to authenticated;
grant insert (analytics_access, description, is_active, logo_upload, max_businesses, max_description_length, max_photos_per_business, name, price_monthly, price_yearly, priority_support, promoted_listings, tier) on subscription_plans to authenticated;
grant update (analytics_access, description, is_active, logo_upload, max_businesses, max_description_length, max_photos_per_business, name, price_monthly, price_yearly, priority_support, promoted_listings, tier) on subscription_plans to authenticated;
grant insert (message, subject) on support_tickets to authenticated;
grant update (answer) on support_tickets to authenticated;
grant insert (original, slug, type) on url_mappings to authenticated;
grant update (original, slug) on url_mappings to authenticated;
grant insert (business_id, is_active, new_url, old_url, redirect_type) on url_redirects to authenticated;
grant update (business_id, is_active, new_url, old_url, redirect_type) on url_redirects to authenticated;
grant select (created_at, expires_at, id, ip_address, is_active, last_activity_at, session_id, user_agent, user_id) on user_sessions to authenticated;
grant update (is_active) on user_sessions to authenticated;

CREATE OR REPLACE FUNCTION public.add_walk_in(p_business_id uuid, p_service_id uuid, p_date date, p_start time without time zone, p_customer_name text, p_customer_phone text DEFAULT NULL::text)
 RETURNS public.bookings
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  declare
    most_a_day constant integer := 200;
    today date;
    booking public.bookings;
  begin
    perform private.require_user();
    if not private.manages(p_business_id) then
      perform private.fail(403, 'not_your_business', 'You do not have permission to perform this action');
    end if;
    select (now() at time zone b.time_zone)::date into today from public.businesses b where b.id = p_business_id;
    if today is null then
      perform private.fail(404, 'business_not_found', 'This business does not exist');
    elsif p_date is null or p_date < today then
      perform private.fail(422, 'booking_in_past', 'Booking date cannot be in the past');
    elsif p_date > today + 730 then
      perform private.fail(422, 'booking_too_far_ahead', 'Bookings can be made two years ahead', 'Choose an earlier date.');
    end if;
    perform private.lock('walk_ins.' || p_business_id);
    if (select count(*) from public.bookings b
        where b.business_id = p_business_id and b.source = 'business' and b.created_at > now() - interval '1 day') >= most_a_day then
      perform private.fail(429, 'too_many_bookings', format('%s bookings were entered within a day', most_a_day), 'Try again tomorrow.');
    end if;
    insert into public.bookings (business_id, user_id, service_id, booking_date, start_time, status, source, customer_name, customer_phone)
    values (p_business_id, null, p_service_id, p_date, date_trunc('minute', p_start), 'confirmed', 'business',
      btrim(p_customer_name), nullif(btrim(p_customer_phone), ''))
    returning * into booking;
    return booking;
  end
  $function$
;

CREATE OR REPLACE FUNCTION public.admin_audit_tables()
 RETURNS TABLE(name text)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  begin
    perform private.require_admin();
    return query select c.relname::text from pg_catalog.pg_trigger t join pg_catalog.pg_class c on c.oid = t.tgrelid
      where t.tgname = 'zz_audit' order by 1;
  end
  $function$
;

CREATE OR REPLACE FUNCTION public.admin_audit_totals(p_zone text DEFAULT 'UTC'::text)
 RETURNS TABLE(logs bigint, today bigint, active_users bigint, tables bigint)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  declare
    midnight constant timestamptz := date_trunc('day', now() at time zone p_zone) at time zone p_zone;
  begin
    perform private.require_admin();
    return query select
      (select count(*) from public.audit_logs),
      (select count(*) from public.audit_logs l where l.created_at >= midnight),
      (select count(distinct l.user_id) from public.audit_logs l where l.created_at >= midnight),
      (select count(*) from pg_catalog.pg_trigger t where t.tgname = 'zz_audit');
  end
  $function$
;

CREATE OR REPLACE FUNCTION public.admin_begin_import(p_file_name text)
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET statement_timeout TO '60s'
AS $function$
  declare
    id uuid;
  begin
    perform private.require_admin();
    perform private.lock('import.' || auth.uid());
    if exists (select from private.business_imports i where i.created_by = auth.uid() and i.state = 'queued') then
      perform private.fail(409, 'import_running', 'Your last import is still running');
    end if;
    perform private.remove_old_imports(auth.uid());
    insert into private.business_imports as i (created_by, file_name)
    values (auth.uid(), coalesce(nullif(left(btrim(p_file_name), 200), ''), 'file.csv')) returning i.id into id;
    return id;
  end
  $function$
;

CREATE OR REPLACE FUNCTION public.admin_business_effects(p_business_id uuid)
 RETURNS TABLE(services bigint, photos bigint, reviews bigint, open_bookings bigint)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  begin
    perform private.require_admin();
    return query select
      (select count(*) from public.services s where s.business_id = p_business_id),
      (select count(*) from public.business_photos p where p.business_id = p_business_id),
      (select count(*) from public.reviews r where r.business_id = p_business_id),
      (select count(*) from public.bookings k where k.business_id = p_business_id and k.status in ('pending', 'confirmed'));
  end
  $function$
;

CREATE OR REPLACE FUNCTION public.admin_business_metrics(p_search text DEFAULT NULL::text)
 RETURNS TABLE(id uuid, name text, display_id text, owner_id uuid, metric_date date, num_total_page_views integer, online_bookings integer, total_leads integer, num_bookmarks integer, rating numeric)
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
    select b.id, b.name, b.display_id, b.owner_id, m.metric_date, m.num_total_page_views,
      m.online_bookings, m.total_leads, m.num_bookmarks, m.rating
    from public.admin_businesses(p_search) b
    join private.metrics_newest m on m.business_id = b.id
  $function$
;

CREATE OR REPLACE FUNCTION public.admin_business_types()
 RETURNS TABLE(type text)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  begin
    perform private.require_admin();
    return query
      with recursive types (one) as (
        select min(b.type) from public.businesses b
        union all
        select (select min(b.type) from public.businesses b where b.type > t.one) from types t where t.one is not null
      )
      select one from types where one is not null;
  end
  $function$
;

CREATE OR REPLACE FUNCTION public.admin_businesses(p_search text DEFAULT NULL::text, p_type text DEFAULT NULL::text)
 RETURNS SETOF public.businesses
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
    select b.*
    from public.businesses b
    where (coalesce(btrim(p_search), '') = ''
        or ' ' || private.normalize(b.name) || ' ' like private.search_pattern(p_search)
        or b.display_id like private.display_id_pattern(p_search))
      and (p_type is null or b.type = p_type)
  $function$
;

CREATE OR REPLACE FUNCTION public.admin_categories(p_search text DEFAULT NULL::text)
 RETURNS SETOF public.categories
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
    select c.*
    from public.categories c
    where coalesce(btrim(p_search), '') = ''
      or ' ' || private.normalize(c.name) || ' ' like private.search_pattern(p_search)
  $function$
;

CREATE OR REPLACE FUNCTION public.admin_check_import(p_import uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET statement_timeout TO '60s'
AS $function$
  begin
    perform private.own_import(p_import, 'staging', 'checked', 'failed');
    update private.business_imports i set state = 'checked', error = null, attempts = 0 where i.id = p_import;
    perform private.count_import(p_import);
  end
  $function$
;

CREATE OR REPLACE FUNCTION public.admin_claims(p_search text DEFAULT NULL::text)
 RETURNS SETOF public.claim_requests
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
    select c.*
    from public.claim_requests c
    where coalesce(btrim(p_search), '') = ''
      or ' ' || private.normalize(c.full_name) || ' ' like private.search_pattern(p_search)
      or strpos(lower(c.business_email), lower(btrim(p_search))) > 0
      or exists (
        select from public.businesses b
        where b.id = c.business_id and ' ' || private.normalize(b.name) || ' ' like private.search_pattern(p_search))
  $function$
;

CREATE OR REPLACE FUNCTION public.admin_clear_all_data(p_phrase text)
 RETURNS TABLE(what text, removed bigint)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET statement_timeout TO '28s'
AS $function$
  declare
    counts jsonb := '{}';
    deleted bigint;
    cleared text;
    rest bigint := private.clear_limit();
    remaining bigint := 0;
    kept bigint;
    acting text[];
  begin
    perform private.require_test_tools();
    if p_phrase is distinct from private.clear_all_phrase() then
      perform private.fail(422, 'wrong_phrase', format('Type %s to confirm', private.clear_all_phrase()));
    end if;
    perform private.lock('test_tools');
    acting := private.act_as_server();
    perform set_config('plaza.clearing', 'on', true);
    lock table public.businesses, public.bookings in share row exclusive mode;
    -- Those that refer to others come first.
    foreach cleared in array array['reports', 'claim_requests', 'seller_applications', 'support_tickets', 'conversations', 'messages', 'bookings',
        'reviews', 'favorites', 'notifications', 'recent_searches', 'search_alerts', 'businesses'] loop
      execute format('delete from public.%1$I where (tableoid, ctid) in (select t.tableoid, t.ctid from public.%1$I t limit %2$s)', cleared, rest);
      get diagnostics deleted = row_count;
      rest := rest - deleted;
      counts := counts || jsonb_build_object(cleared, deleted);
      if rest = 0 then
        execute format('select count(*) from public.%I', cleared) into kept;
        remaining := remaining + kept;
      end if;
    end loop;
    deleted := private.delete_accounts(array(
      select u.id from auth.users u where not exists (select from private.profiles p where p.id = u.id and p.role = 'admin') order by u.id limit rest));
    remaining := remaining
      + (select count(*) from auth.users u where not exists (select from private.profiles p where p.id = u.id and p.role = 'admin'));
    counts := counts || jsonb_build_object('profiles', deleted, 'remaining', remaining);
    perform private.log_test_tool('DELETE', 'all data', counts);
    perform set_config('plaza.clearing', '', true);
    perform private.act_as_server(acting);
    return query select key, value::bigint from jsonb_each_text(counts);
  end
  $function$
;

CREATE OR REPLACE FUNCTION public.admin_clear_test_data(p_with_profiles boolean DEFAULT false)
 RETURNS TABLE(what text, removed bigint)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET statement_timeout TO '28s'
AS $function$
  declare
    rated uuid[];
    users uuid[];
    counts jsonb;
    acting text[];
  begin
    perform private.require_test_tools();
    perform private.lock('test_tools');
    acting := private.act_as_server();
    select array_agg(distinct r.business_id) into rated from public.reviews r where r.is_test;
    counts := jsonb_build_object('reports', private.delete_test_rows('public.reports'));
    counts := counts || jsonb_build_object('bookings', private.delete_test_rows('public.bookings'));
    counts := counts || jsonb_build_object('reviews', private.delete_test_rows('public.reviews'));
    counts := counts || jsonb_build_object('businesses', private.delete_test_rows('public.businesses'));
    if p_with_profiles then
      select array_agg(p.id order by p.id) into users from private.profiles p where p.is_test and p.role <> 'admin';
      -- A listing that a test user has claimed is real, and nobody's again.
      update public.businesses set is_claimed = false, verification_status = 'unverified' where owner_id = any (users);
      counts := counts || jsonb_build_object('profiles', private.delete_accounts(users));
    end if;
    perform private.refresh_rating(b.id) from public.businesses b where b.id = any (rated);
    perform private.log_test_tool('DELETE', 'test data', counts);
    perform private.act_as_server(acting);
    return query select key, value::bigint from jsonb_each_text(counts);
  end
  $function$
;

CREATE OR REPLACE FUNCTION public.admin_create_sample_reports(p_complete boolean)
 RETURNS TABLE(what text, made bigint)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET statement_timeout TO '28s'
AS $function$
  declare
    most constant integer := 10;
    reports bigint;
    acting text[];
  begin
    perform private.require_test_tools();
    perform private.lock('test_tools');
    if exists (select from public.reports) then
      perform private.fail(409, 'sample_exists', 'Sample data already exists');
    elsif p_complete then
      return query select s.what, s.made from public.admin_seed_test_data('standard') s;
      return;
    elsif not exists (select from private.profiles p where p.role <> 'admin') then
      perform private.fail(422, 'no_users', 'No users found in the database. Create test users first, or create a complete sample dataset.');
    elsif not exists (select from public.businesses) then
      perform private.fail(422, 'no_businesses', 'No businesses found in the database. Create businesses first, or create a complete sample dataset.');
    end if;
    acting := private.act_as_server();
    insert into public.reports (reporter_id, reported_id, type, reason, details, created_at, is_test)
    select reporter, business, 'business', private.test_reason(n::integer), 'Please have a look at this.', now() - make_interval(hours => n::integer * 5), true
    from (
      select p.id as reporter, b.id as business, row_number() over (order by md5(p.id::text || b.id)) as n
      from (select id from private.profiles where role <> 'admin' order by id limit most) p
      cross join (select id from public.businesses order by id limit most) b
    ) pair
    where n <= most;
    get diagnostics reports = row_count;
    perform private.log_test_tool('INSERT', 'sample reports', jsonb_build_object('reports', reports));
    perform private.act_as_server(acting);
    return query select 'reports', reports;
  end
  $function$
;

CREATE OR REPLACE FUNCTION public.admin_create_test_scenario()
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  declare
    seller constant uuid := private.test_user('scenario-seller');
    buyer constant uuid := private.test_user('scenario-buyer');
    salon constant uuid := private.seed_id('test scenario salon');
    kiosk constant uuid := private.seed_id('test scenario kiosk');
    haircut constant uuid := private.seed_id('test scenario haircut');
    acting text[];
    made integer;
  begin
    perform private.require_test_tools();
    perform private.lock('test_tools');
    acting := private.act_as_server();
    made := private.add_test_accounts(array['Scenario Seller', 'Scenario Buyer'],
      array[private.test_email('scenario-seller'), private.test_email('scenario-buyer')], array['owner', 'user']);
    insert into public.businesses (id, owner_id, name, type, location, address, phone, latitude, longitude, hours, description, source, is_claimed,
      verification_status, category_code, city_slug, time_zone, is_test)
    select v.id, v.owner, v.name, v.type, 'Centro, ' || c.local_name, v.address, v.phone, c.latitude, c.longitude, private.test_hours(),
      'Un negocio de prueba, abierto todos los días.', 'seeded', v.owner is not null, case when v.owner is null then 'unverified' else 'verified' end,
      v.category, c.slug, c.time_zone, true
    from (values
      (salon, seller, 'Barbería de Prueba', 'Barbería', 'barbers', 'Calle de Fuencarral 1, 28004 Madrid', '+34 000 000 901'),
      (kiosk, null, 'Floristería sin Dueño', 'Floristería', 'florists', 'Calle de Velázquez 1, 28001 Madrid', '+34 000 000 902')
    ) as v (id, owner, name, type, category, address, phone)
    join public.cities c on c.slug = 'madrid'
    on conflict (id) do update set owner_id = excluded.owner_id, hours = excluded.hours;
    insert into public.services (id, business_id, name, price, duration)
    values (haircut, salon, 'Corte y barba', 25, 60), (private.seed_id('test scenario shave'), salon, 'Afeitado clásico', 18, 30)
    on conflict (id) do nothing;
    insert into public.business_availability (business_id, weekday, is_open, slots)
    select salon, weekday, true, '[{"start": "09:00", "end": "14:00"}, {"start": "16:00", "end": "20:00"}]'
    from unnest(array['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']) as weekday
    on conflict (business_id, weekday) do nothing;
    insert into public.bookings (id, business_id, user_id, service_id, booking_date, start_time, status, created_at, is_test)
    select v.id, salon, buyer, haircut, v.day, v.starts, v.status, now() - v.age, true
    from (values
      (private.seed_id('test scenario visit'), current_date - 7, '10:00'::time, 'completed', interval '9 days'),
      (private.seed_id('test scenario request'), current_date + 7, '11:00', 'pending', interval '0')
    ) as v (id, day, starts, status, age)
    where not private.is_full(salon, tsrange(v.day + v.starts, v.day + v.starts + interval '1 hour'), v.id)
    on conflict (id) do nothing;
    insert into public.reviews (id, business_id, user_id, rating, comment, created_at, is_test)
    values (private.seed_id('test scenario review'), salon, buyer, 4, 'Muy bien en general, aunque tuve que esperar un poco.', now() - interval '6 days', true)
    on conflict do nothing;
    insert into public.claim_requests (id, user_id, business_id, full_name, business_email, role_at_company, verification_method)
    values (private.seed_id('test scenario claim'), buyer, kiosk, 'Scenario Buyer', 'hola@floristeria.example', 'Gerente', 'email_domain')
    on conflict do nothing;
    perform private.refresh_rating(salon);
    perform private.log_test_tool('INSERT', 'test scenario', jsonb_build_object('profiles', made));
    perform private.act_as_server(acting);
    return made;
  end
  $function$
;

CREATE OR REPLACE FUNCTION public.admin_create_test_users()
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  declare
    acting text[];
    made integer;
  begin
    perform private.require_test_tools();
    perform private.lock('test_tools');
    acting := private.act_as_server();
    made := private.add_test_accounts(array['Test Admin', 'Test Seller', 'Test Buyer'],
      array[private.test_email('admin'), private.test_email('owner'), private.test_email('user')], array['admin', 'owner', 'user']);
    perform private.log_test_tool('INSERT', 'test users', jsonb_build_object('profiles', made));
    perform private.act_as_server(acting);
    return made;
  end
  $function$
;

CREATE OR REPLACE FUNCTION public.admin_delete_user(p_user_ids uuid[])
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  declare
    deleted integer;
  begin
    perform private.require_admin();
    delete from public.profiles p where p.id = any (p_user_ids);
    get diagnostics deleted = row_count;
    return deleted;
  end
  $function$
;

CREATE OR REPLACE FUNCTION public.admin_discard_import(p_import uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET statement_timeout TO '60s'
AS $function$
  begin
    perform private.own_import(p_import, 'staging', 'checked', 'queued', 'done', 'failed');
    perform from private.business_imports i where i.id = p_import for update skip locked;
    if not found then
      perform private.fail(409, 'import_running', 'This import is running');
    end if;
    delete from private.business_imports i where i.id = p_import;
  end
  $function$
;

CREATE OR REPLACE FUNCTION public.admin_import()
 RETURNS TABLE(id uuid, file_name text, state text, total integer, ready integer, faulty integer, duplicates integer, skip_duplicates boolean, imported integer, done integer, error text, created_at timestamp with time zone)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  begin
    perform private.require_admin();
    return query
      select i.id, i.file_name, i.state, i.total, i.ready, i.faulty, i.duplicates, i.skip_duplicates, i.imported,
        case when i.state = 'queued' and p.last_value / 1000000 = i.number then p.last_value % 1000000 else 0 end::integer,
        i.error, i.created_at
      from private.business_imports i, private.import_progress p
      where i.created_by = auth.uid()
      order by i.created_at desc limit 1;
  end
  $function$
;

CREATE OR REPLACE FUNCTION public.admin_integrity_check(p_check text)
 RETURNS TABLE(check_key text, name text, status text, total bigint, findings jsonb, error text)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET statement_timeout TO '5s'
AS $function$
  begin
    perform private.require_admin();
    return query select * from private.run_integrity_check(p_check);
  end
  $function$
;

CREATE OR REPLACE FUNCTION public.admin_integrity_checks()
 RETURNS TABLE(check_key text, name text, severity text, is_repairable boolean, last_status text, last_total bigint, last_error text, last_checked_at timestamp with time zone)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  begin
    perform private.require_admin();
    return query
      select k.key, k.name, k.severity, k.is_repairable, r.status, r.total, r.error, r.checked_at
      from private.integrity_kinds() k left join private.integrity_results r on r.check_key = k.key
      order by k."position";
  end
  $function$
;

CREATE OR REPLACE FUNCTION public.admin_integrity_findings(p_check text)
 RETURNS TABLE(id text, name text, link text, detail text)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  begin
    perform private.require_admin();
    if not exists (select from private.integrity_kinds() k where k.key = p_check) then
      perform private.fail(404, 'check_not_found', 'There is no such check');
    end if;
    return query execute format('select f.id, f.name, f.link, f.detail from private.%I() f', 'find_' || p_check);
  end
  $function$
;

CREATE OR REPLACE FUNCTION public.admin_locations(p_search text DEFAULT NULL::text)
 RETURNS SETOF public.url_mappings
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
    select u.*
    from public.url_mappings u
    where u.type = 'location' and (coalesce(btrim(p_search), '') = ''
      or ' ' || private.normalize(u.original) || ' ' like private.search_pattern(p_search))
  $function$
;

CREATE OR REPLACE FUNCTION public.admin_log_in_as(p_user_id uuid)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  declare
    address text;
  begin
    perform private.require_test_tools();
    select u.email into address from auth.users u join private.profiles p on p.id = u.id where u.id = p_user_id and p.is_test;
    if address is null then
      perform private.fail(404, 'not_a_test_user', 'This is no test user');
    end if;
    insert into public.audit_logs (user_id, table_name, action, record_id, new_data)
    values (auth.uid(), 'test_data', 'INSERT', p_user_id::text, jsonb_build_object('logged_in_as', address));
    return address;
  end
  $function$
;

CREATE OR REPLACE FUNCTION public.admin_metrics_days(p_first date, p_last date)
 RETURNS TABLE(metric_date date, businesses bigint, num_total_page_views bigint, num_search_views bigint, num_photo_views bigint, num_calls bigint, num_directions_and_map_views bigint, url_clicks bigint, num_messages_to_business bigint, online_bookings bigint, num_bookmarks bigint, reviews bigint, total_leads bigint, num_user_photos bigint, num_check_ins bigint)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  begin
    perform private.require_metrics_range(p_first, p_last);
    return query select d.* from private.metrics_days d
      where d.metric_date between p_first and p_last and d.businesses > 0 order by d.metric_date;
  end
  $function$
;

CREATE OR REPLACE FUNCTION public.admin_migrate_urls(p_after uuid DEFAULT NULL::uuid, p_limit integer DEFAULT 200)
 RETURNS TABLE(business_id uuid, name text, old_url text, new_url text, error text)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  declare
    least_id constant uuid := '00000000-0000-0000-0000-000000000000';
    business public.businesses;
  begin
    perform private.require_admin();
    for business in
      select b.* from public.businesses b
      where not b.migrated_url and b.id > coalesce(p_after, least_id)
      order by b.id
      limit least(greatest(p_limit, 1), 1000)
      for update
    loop
      business_id := business.id;
      name := business.name;
      old_url := '/business/' || business.slug;
      new_url := private.migrated_path(business);
      error := case when new_url is null then private.missing_parts() end;
      if error is null then
        begin
          insert into public.url_redirects as r (old_url, new_url, business_id)
          values (admin_migrate_urls.old_url, admin_migrate_urls.new_url, business.id)
          on conflict on constraint url_redirects_old_url_key do nothing;
          update public.businesses b
          set url_path = admin_migrate_urls.new_url, old_slug = coalesce(b.old_slug, b.slug), migrated_url = true
          where b.id = business.id;
        exception
          when sqlstate 'PT422' then
            -- Such as a redirect by hand that the new one would make a loop of.
            error := sqlerrm;
          when others then
            raise log 'the URL of business % was not migrated: % %', business.id, sqlstate, sqlerrm;
            error := 'Something went wrong. Please try again.';
        end;
      end if;
      return next;
    end loop;
  end
  $function$
;

CREATE OR REPLACE FUNCTION public.admin_repair_integrity(p_check text, p_ids text[])
 RETURNS TABLE(id text, result text)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  declare
    most constant integer := 100;
    repair constant text := case when p_check in ('rating_range', 'rating_deviates', 'review_counts') then 'repair_rating' else 'repair_' || p_check end;
    before text[];
    refused text[] := '{}';
    one text;
  begin
    perform private.require_admin();
    if not exists (select from private.integrity_kinds() k where k.key = p_check and k.is_repairable) then
      perform private.fail(422, 'not_repairable', 'What this check finds cannot be repaired here');
    elsif cardinality(p_ids) > most then
      perform private.fail(422, 'too_many_rows', format('At most %s rows are repaired at once', most));
    end if;
    before := private.still_found(p_check, p_ids);
    foreach one in array before loop
      begin
        execute format('select private.%I($1)', repair) using one;
      exception when others then
        raise log 'integrity repair % of % failed: % %', p_check, one, sqlstate, sqlerrm;
        refused := refused || one;
      end;
    end loop;
    refused := refused || private.still_found(p_check, before);
    return query
      select asked.one, case when asked.one = any (refused) then 'failed' when asked.one = any (before) then 'repaired' else 'unchanged' end
      from (select distinct unnest(p_ids) as one) asked;
  end
  $function$
;

CREATE OR REPLACE FUNCTION public.admin_replace_category(p_category_id uuid, p_replacement_id uuid)
 RETURNS bigint
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  declare
    moved bigint;
  begin
    perform private.require_admin();
    perform from public.categories c where c.id in (p_category_id, p_replacement_id) order by c.id for update;
    if p_category_id = p_replacement_id or 2 <> (
        select count(*) from public.categories c where c.id in (p_category_id, p_replacement_id)) then
      perform private.fail(404, 'category_not_found', 'This category no longer exists');
    end if;
    insert into public.business_categories (business_id, category_id)
    select k.business_id, p_replacement_id from public.business_categories k where k.category_id = p_category_id
    on conflict do nothing;
    delete from public.business_categories k where k.category_id = p_category_id;
    get diagnostics moved = row_count;
    delete from public.categories c where c.id = p_category_id;
    return moved;
  end
  $function$
;

CREATE OR REPLACE FUNCTION public.admin_run_import(p_import uuid, p_skip_duplicates boolean)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  declare
    wanted private.business_imports := private.own_import(p_import, 'checked');
  begin
    if wanted.ready + (case when p_skip_duplicates then 0 else wanted.duplicates end) = 0 then
      perform private.fail(422, 'nothing_to_import', 'No row can be imported');
    end if;
    update private.business_imports i set state = 'queued', skip_duplicates = p_skip_duplicates, attempts = 0, error = null where i.id = p_import;
  end
  $function$
;

CREATE OR REPLACE FUNCTION public.admin_schema()
 RETURNS TABLE(name text, kind text, comment text, row_estimate bigint, bytes bigint, has_rls boolean, columns jsonb, policies jsonb)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  begin
    perform private.require_admin();
    return query
    select c.relname::text,
      case c.relkind when 'v' then 'view' when 'm' then 'view' else 'table' end,
      pg_catalog.obj_description(c.oid, 'pg_class'),
      size.estimate, size.bytes, c.relrowsecurity,
      (select coalesce(jsonb_agg(jsonb_build_object(
            'name', a.attname, 'type', pg_catalog.format_type(a.atttypid, a.atttypmod), 'required', a.attnotnull) order by a.attnum), '[]')
        from pg_catalog.pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped),
      (select coalesce(jsonb_agg(jsonb_build_object(
            'name', p.policyname, 'command', p.cmd, 'roles', p.roles, 'using', p.qual, 'check', p.with_check) order by p.policyname), '[]')
        from pg_catalog.pg_policies p where p.schemaname = 'public' and p.tablename = c.relname)
    from pg_catalog.pg_class c
    cross join lateral (
      select sum(greatest(part.reltuples, 0))::bigint as estimate, sum(pg_catalog.pg_total_relation_size(part.oid))::bigint as bytes
      from pg_catalog.pg_class part
      where part.oid = c.oid or part.oid in (select i.inhrelid from pg_catalog.pg_inherits i where i.inhparent = c.oid)
    ) size
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm')
      and not exists (select from pg_catalog.pg_depend d where d.objid = c.oid and d.deptype = 'e')
    order by c.relname;
  end
  $function$
;

CREATE OR REPLACE FUNCTION public.admin_seed_test_data(p_intensity text)
 RETURNS TABLE(what text, made bigint)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET statement_timeout TO '28s'
AS $function$
  declare
    counts jsonb;
  begin
    perform private.require_test_tools();
    select jsonb_object_agg(s.what, s.made) into counts from private.seed_test_data(p_intensity) s;
    perform private.log_test_tool('INSERT', p_intensity || ' test data', counts);
    return query select key, value::bigint from jsonb_each_text(counts);
  end
  $function$
;

CREATE OR REPLACE FUNCTION public.admin_set_role(p_user_ids uuid[], p_role text)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  declare
    changed integer;
  begin
    perform private.require_admin();
    perform private.require_role_name(p_role);
    update public.profiles p set role = p_role where p.id = any (p_user_ids) and p.role <> p_role;
    get diagnostics changed = row_count;
    return changed;
  end
  $function$
;

CREATE OR REPLACE FUNCTION public.admin_stage_import(p_import uuid, p_columns text[], p_rows jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET statement_timeout TO '60s'
AS $function$
  declare
    most_rows constant integer := 1000;
    last_line constant integer := 50001;
  begin
    perform private.own_import(p_import, 'staging');
    if cardinality(p_columns) = 0 or not p_columns <@ private.import_columns()
        or (select count(distinct c) from unnest(p_columns) as c) <> cardinality(p_columns) then
      perform private.fail(422, 'import_columns', 'The columns are not those of an import');
    elsif jsonb_typeof(p_rows) <> 'array' or jsonb_array_length(p_rows) > most_rows or octet_length(p_rows::text) > 16000000 or exists (
        select from jsonb_array_elements(p_rows) as r
        where case when r ->> 0 ~ '^[0-9]{1,6}$' then (r ->> 0)::integer not between 2 and last_line else true end) then
      perform private.fail(422, 'import_too_large', 'A file has up to 50,000 rows, which are staged by up to 1,000');
    elsif jsonb_array_length(p_rows) > 0 then
      perform private.stage_import_rows(p_import, p_columns, p_rows);
    end if;
  end
  $function$
;

CREATE OR REPLACE FUNCTION public.admin_test_tools()
 RETURNS TABLE(is_on boolean, profiles bigint, businesses bigint, reviews bigint, bookings bigint, reports bigint)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  begin
    perform private.require_admin();
    return query select private.test_tools_are_on(),
      (select count(*) from private.profiles p where p.is_test),
      (select count(*) from public.businesses b where b.is_test),
      (select count(*) from public.reviews r where r.is_test),
      (select count(*) from public.bookings k where k.is_test),
      (select count(*) from public.reports r where r.is_test);
  end
  $function$
;

CREATE OR REPLACE FUNCTION public.admin_test_users()
 RETURNS TABLE(id uuid, full_name text, avatar_url text, role text, display_id text, email text, last_sign_in_at timestamp with time zone)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  begin
    perform private.require_admin();
    return query
      select p.id, p.full_name, p.avatar_url, p.role, p.display_id, u.email::text, u.last_sign_in_at
      from private.profiles p join auth.users u on u.id = p.id
      where p.is_test
      order by array_position(array['admin', 'owner', 'user'], p.role), p.display_id
      limit 200;
  end
  $function$
;

CREATE OR REPLACE FUNCTION public.admin_top_businesses(p_first_month date, p_last_month date)
 RETURNS TABLE(metric text, place integer, business_id uuid, name text, figure numeric)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
  $function$
;

CREATE OR REPLACE FUNCTION public.admin_url_totals()
 RETURNS TABLE(total bigint, migrated bigint, remaining bigint)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  begin
    perform private.require_admin();
    return query select everything, everything - left_over, left_over
      from (select (select count(*) from public.businesses) as everything,
        (select count(*) from public.businesses b where not b.migrated_url) as left_over) counted;
  end
  $function$
;

CREATE OR REPLACE FUNCTION public.admin_user_effects(p_user_ids uuid[])
 RETURNS TABLE(businesses bigint, bookings bigint, reviews bigint)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  begin
    perform private.require_admin();
    return query select
      (select count(*) from public.businesses b where b.owner_id = any (p_user_ids)),
      (select count(*) from public.bookings k where k.user_id = any (p_user_ids)),
      (select count(*) from public.reviews r where r.user_id = any (p_user_ids));
  end
  $function$
;

CREATE OR REPLACE FUNCTION public.admin_users(p_search text DEFAULT NULL::text, p_role text DEFAULT NULL::text, p_order text DEFAULT 'newest'::text, p_page integer DEFAULT 1, p_page_size integer DEFAULT 20)
 RETURNS TABLE(id uuid, full_name text, avatar_url text, role text, display_id text, created_at timestamp with time zone, total bigint)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  declare
    size constant integer := least(greatest(p_page_size, 1), 100);
    ordering constant text := case p_order
      when 'newest' then 'm.created_at desc, m.id'
      when 'oldest' then 'm.created_at, m.id desc'
      when 'name' then 'm.full_name, m.id'
      when 'name_desc' then 'm.full_name desc nulls last, m.id' end;
    matching bigint;
  begin
    perform private.require_admin();
    if ordering is null then
      perform private.fail(422, 'unknown_order', 'The order must be newest, oldest, name or name_desc');
    end if;
    select count(*) into matching from private.matching_users(p_search, p_role);
    return query execute format(
      'select m.id, m.full_name, m.avatar_url, m.role, m.display_id, m.created_at, $3
      from private.matching_users($1, $2) m order by %s limit $4 offset $5', ordering)
    using p_search, p_role, matching, size,
      least(greatest(p_page, 1) - 1, greatest(matching - 1, 0) / size) * size;
  end
  $function$
;

CREATE OR REPLACE FUNCTION public.analytics_hours(p_business_id uuid, p_first date, p_last date)
 RETURNS TABLE(weekday integer, hour integer, bookings bigint)
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
  begin
    perform private.require_analytics(p_business_id, p_first, p_last);
    return query
      select extract(isodow from b.booking_date)::integer, extract(hour from b.start_time)::integer, count(*)
      from public.bookings b
      where b.business_id = p_business_id and b.booking_date between p_first and p_last
      group by 1, 2
      order by 1, 2;
  end
  $function$
;

CREATE OR REPLACE FUNCTION public.analytics_revenue(p_business_id uuid, p_first date, p_last date, p_bucket text)
 RETURNS TABLE(starts date, ends date, completed bigint, revenue numeric)
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
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
  $function$
;

CREATE OR REPLACE FUNCTION public.analytics_services(p_business_id uuid, p_first date, p_last date)
 RETURNS TABLE(key text, name text, bookings bigint, pending bigint, confirmed bigint, completed bigint, cancelled bigint, revenue numeric)
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
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
  $function$
;

CREATE OR REPLACE FUNCTION public.analytics_totals(p_business_id uuid, p_first date, p_last date)
 RETURNS TABLE(period text, bookings bigint, completed bigint, cancelled bigint, revenue numeric)
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
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
  $function$
;

CREATE OR REPLACE FUNCTION public.answer_booking_time(p_booking_id uuid, p_accept boolean, p_date date, p_start time without time zone)
 RETURNS public.bookings
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  declare
    booking public.bookings;
    before public.bookings;
    by_business boolean;
    is_own boolean;
  begin
    before := private.lock_booking(p_booking_id);
    booking := before;
    by_business := private.manages(booking.business_id) and booking.user_id is distinct from auth.uid();
    is_own := booking.proposed_by = case when by_business then 'business' else 'customer' end;
    if booking.proposed_by is null or p_date is distinct from booking.proposed_date or p_start is distinct from booking.proposed_start then
      perform private.fail(409, 'proposal_changed', 'That time is not proposed any more');
    elsif p_accept and is_own then
      perform private.fail(403, 'own_proposal', 'The other side accepts a proposed time');
    elsif p_accept and (private.has_started(booking)
        or (now() at time zone booking.time_zone) >= booking.proposed_date + booking.proposed_start) then
      perform private.fail(409, 'booking_started', 'It is too late to move this booking');
    end if;
    update public.bookings b
    set booking_date = case when p_accept then b.proposed_date else b.booking_date end,
      start_time = case when p_accept then b.proposed_start else b.start_time end,
      end_time = case when p_accept
        then private.clock(extract(epoch from b.proposed_start)::integer / 60 + b.service_duration) else b.end_time end,
      status = case when p_accept then 'confirmed' else b.status end,
      proposed_date = null, proposed_start = null, proposed_by = null
    where b.id = booking.id returning * into booking;
    if is_own then
      return booking;
    elsif by_business then
      perform private.notify(booking.user_id, 'booking',
        booking.business_name || case when p_accept then ' moved your booking' else ' cannot take the other time' end,
        private.proposal_words(before), '/bookings');
    else
      perform private.notify(b.owner_id, 'booking', 'A customer ' || case when p_accept then 'accepted' else 'refused' end || ' the other time',
        booking.business_name || ': ' || private.proposal_words(before), private.owner_booking_link(booking))
      from public.businesses b where b.id = booking.business_id;
    end if;
    return booking;
  end
  $function$
;

CREATE OR REPLACE FUNCTION public.best_businesses(find_desc text DEFAULT NULL::text, find_loc text DEFAULT NULL::text, category text DEFAULT NULL::text, with_amenities text[] DEFAULT NULL::text[], min_rating numeric DEFAULT NULL::numeric, open_now boolean DEFAULT NULL::boolean, free_on date DEFAULT NULL::date, min_price numeric DEFAULT NULL::numeric, max_price numeric DEFAULT NULL::numeric, near_latitude double precision DEFAULT NULL::double precision, near_longitude double precision DEFAULT NULL::double precision, within_km numeric DEFAULT NULL::numeric, bounds double precision[] DEFAULT NULL::double precision[], sort_by text DEFAULT NULL::text)
 RETURNS SETOF public.businesses
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
    select b.* from private.ordered_businesses(private.tried(private.search_of(find_desc, find_loc, category, with_amenities, min_rating,
      open_now, free_on, min_price, max_price, near_latitude, near_longitude, within_km, bounds, sort_by))) b
  $function$
;

CREATE OR REPLACE FUNCTION public.block_conversation(p_conversation_id uuid, p_blocked boolean)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  begin
    perform private.require_user();
    update public.conversations c
    set blocked_by_customer = case when c.customer_id = auth.uid() then coalesce(p_blocked, true) else c.blocked_by_customer end,
      blocked_by_owner = case when c.owner_id = auth.uid() then coalesce(p_blocked, true) else c.blocked_by_owner end
    where c.id = p_conversation_id and auth.uid() in (c.customer_id, c.owner_id);
    if not found then
      perform private.fail(404, 'conversation_not_found', 'This conversation does not exist');
    end if;
  end
  $function$
;

CREATE OR REPLACE FUNCTION public.booked_slots(p_business_id uuid, p_date date)
 RETURNS TABLE(start_time time without time zone, end_time time without time zone)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
    with business as materialized (
      select b.booking_capacity, private.booked(b.id, p_date) as booked from public.businesses b where b.id = p_business_id
    ), moments as (
      select distinct greatest(p_date::timestamp, least(p_date + interval '1 day', edge.at)) as at
      from business, unnest(booked) as each (range), lateral (values (lower(each.range)), (upper(each.range))) as edge (at)
    ), spans as (
      select at as starts, lead(at) over (order by at) as ends from moments
    )
    select starts::time, case when ends::date > p_date then '24:00' else ends::time end
    from spans, business
    where ends is not null and booking_capacity <= private.most_at_once(booked, tsrange(starts, ends))
    order by starts
  $function$
;

CREATE OR REPLACE FUNCTION public.booking_slots(p_business_id uuid, p_service_id uuid, p_date date)
 RETURNS TABLE(start_time time without time zone, end_time time without time zone, available boolean, reason text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
    select private.clock(s.starts), private.clock(s.ends), s.reason is null, s.reason
    from private.slots(p_business_id, p_date, case
      when p_service_id is null then 30
      else (select v.duration from public.services v where v.id = p_service_id and v.business_id = p_business_id)
    end) s
    where s.ends is not null
    order by s.starts
  $function$
;

CREATE OR REPLACE FUNCTION public.build_business_url(location text, category text, id text, company_name text)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  declare
    path constant text := private.business_path(location, category, id, company_name);
  begin
    if path is null then
      perform private.fail(422, 'missing_url_parts', private.missing_parts());
    end if;
    return path;
  end
  $function$
;

CREATE OR REPLACE FUNCTION public.cancel_booking(p_booking_id uuid, p_reason text DEFAULT NULL::text)
 RETURNS public.bookings
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
    select public.set_booking_status(p_booking_id, 'cancelled', p_reason)
  $function$
;

CREATE OR REPLACE FUNCTION public.claim_code_state(p_claim_id uuid)
 RETURNS TABLE(sent_to text, problem text, seconds_left integer, tries_left integer, resend_in integer)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
    select target.shown, target.problem,
      case when newest.id is not null then greatest(0, ceil(extract(epoch from newest.expires_at - now())))::integer end,
      5 - newest.tries,
      greatest(0, ceil(extract(epoch from newest.created_at + interval '1 minute' - now())))::integer
    from public.claim_requests c
    cross join private.claim_code_target(c) target
    left join lateral (
      select * from private.claim_codes k
      where k.claim_id = c.id and k.sent_to = target.address
      order by k.created_at desc limit 1) newest on true
    where c.id = p_claim_id and c.user_id = (select auth.uid()) and c.status = 'pending'
  $function$
;

CREATE OR REPLACE FUNCTION public.count_businesses(find_desc text DEFAULT NULL::text, find_loc text DEFAULT NULL::text, category text DEFAULT NULL::text, with_amenities text[] DEFAULT NULL::text[], min_rating numeric DEFAULT NULL::numeric, open_now boolean DEFAULT NULL::boolean, free_on date DEFAULT NULL::date, min_price numeric DEFAULT NULL::numeric, max_price numeric DEFAULT NULL::numeric, near_latitude double precision DEFAULT NULL::double precision, near_longitude double precision DEFAULT NULL::double precision, within_km numeric DEFAULT NULL::numeric, bounds double precision[] DEFAULT NULL::double precision[])
 RETURNS bigint
 LANGUAGE sql
 STABLE PARALLEL SAFE
 SET search_path TO ''
AS $function$
    select private.count_of(private.search_of(find_desc, find_loc, category, with_amenities, min_rating,
      open_now, free_on, min_price, max_price, near_latitude, near_longitude, within_km, bounds, null))
  $function$
;

CREATE OR REPLACE FUNCTION public.ensure_profile()
 RETURNS TABLE(id uuid, full_name text, avatar_url text, role text)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  begin
    perform private.require_user();
    perform private.create_profile(u.id, u.raw_user_meta_data) from auth.users u where u.id = auth.uid();
    return query select p.id, p.full_name, p.avatar_url, p.role from private.profiles p where p.id = auth.uid();
    if not found then
      perform private.fail(404, 'user_not_found', 'This account no longer exists');
    end if;
  end
  $function$
;

CREATE OR REPLACE FUNCTION public.extract_city_name(full_address text)
 RETURNS text
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
    select c.name from public.cities c where c.slug = private.city_of(full_address)
  $function$
;

CREATE OR REPLACE FUNCTION public.has_role(required text)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
    select exists (
      select from private.profiles p
      join auth.users u on u.id = p.id
      where p.id = (select auth.uid())
        and (u.banned_until is null or u.banned_until <= now())
        and array_position(array['user', 'owner', 'admin'], p.role) >= array_position(array['user', 'owner', 'admin'], required)
        and (p.role <> 'admin' or not p.totp_enabled or (select auth.jwt() ->> 'aal') = 'aal2')
    )
  $function$
;

CREATE OR REPLACE FUNCTION public.is_account_locked(p_user_id uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
    select coalesce(p_user_id = auth.uid() or public.is_admin(), false) and exists (
      select from private.sign_in_failures f where f.user_id = p_user_id and f.locked_until > now())
  $function$
;

CREATE OR REPLACE FUNCTION public.is_admin()
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
    select public.has_role('admin')
  $function$
;

CREATE OR REPLACE FUNCTION public.log_security_event(p_user_id uuid, p_event_type text, p_user_agent text DEFAULT NULL::text, p_metadata jsonb DEFAULT '{}'::jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  begin
    if auth.uid() is null then
      return;
    end if;
    if p_event_type is null
        or p_event_type not in ('successful_login', 'failed_login', 'account_locked', 'password_changed') then
      perform private.fail(422, 'unknown_event_type', 'Unknown security event type');
    elsif char_length(p_metadata::text) > 2000 then
      perform private.fail(422, 'metadata_too_large', 'The metadata is too large');
    end if;
    perform private.lock('requests.' || auth.uid());
    if exists (select from public.user_security_events e
        where e.user_id = auth.uid() and e.event_type = p_event_type and e.created_at > now() - interval '1 minute')
      or (select count(*) from public.user_security_events e
        where e.user_id = auth.uid() and e.created_at > now() - interval '1 hour') >= 60 then
      return;
    end if;
    perform private.record_event(auth.uid(), p_event_type, p_user_agent, null, p_metadata || '{"reported_by": "client"}');
  end
  $function$
;

CREATE OR REPLACE FUNCTION public.logo(business public.businesses)
 RETURNS text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
    select b.logo_url from public.businesses b
    where b.id = business.id and b.logo_url is not null and private.plan_allows(b.owner_id, 'logo')
  $function$
;

CREATE OR REPLACE FUNCTION public.map_business_type_to_category(business_type text)
 RETURNS text
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
    select coalesce((
      select match.category_code
      from (select private.normalize(business_type) as term) wanted,
        lateral (
          select c.category_code, 0 as distance, -c.category_level as level, 0 as size
          from public."categories-plaza" c
          where c.normalized_name = term or c.category_code = private.slugify(business_type)
          union all
          select s.category_slug, 1, 0, -s.priority
          from public.category_synonyms s where s.normalized_term = term
          union all
          select s.category_slug, 2, 0, -char_length(s.normalized_term)
          from public.category_synonyms s where ' ' || term || ' ' like '% ' || s.normalized_term || ' %'
          union all
          select c.category_code, 3, -c.category_level, -char_length(c.category_name)
          from public."categories-plaza" c
          where ' ' || term || ' ' like '% ' || c.normalized_name || ' %'
        ) match
      where term <> ''
      order by distance, level, size, category_code
      limit 1), 'localservices')
  $function$
;

CREATE OR REPLACE FUNCTION public.mark_conversation_read(p_conversation_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  begin
    perform private.require_user();
    update public.messages m set read = true
    where m.conversation_id = p_conversation_id and m.recipient_id = auth.uid() and not m.read;
    update public.notifications n set read = true
    where n.user_id = auth.uid() and not n.read and n.link = '/messages?conversation=' || p_conversation_id;
  end
  $function$
;

CREATE OR REPLACE FUNCTION public.mark_no_show(p_booking_id uuid)
 RETURNS public.bookings
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  declare
    booking public.bookings;
  begin
    booking := private.lock_booking(p_booking_id);
    if booking.cancel_kind = 'no_show' then
      return booking;
    elsif not private.manages(booking.business_id) or booking.status not in ('confirmed', 'completed') then
      perform private.fail(409, 'status_not_allowed', format('A %s booking cannot become a no-show', booking.status));
    elsif not private.has_started(booking) then
      perform private.fail(409, 'booking_not_started', 'Nobody can miss a booking before it starts');
    end if;
    update public.bookings b
    set status = 'cancelled', cancel_kind = 'no_show', proposed_date = null, proposed_start = null, proposed_by = null
    where b.id = booking.id returning * into booking;
    return booking;
  end
  $function$
;

CREATE OR REPLACE FUNCTION public.matching_services(p_business_ids uuid[], find_desc text)
 RETURNS TABLE(business_id uuid, name text, price numeric)
 LANGUAGE sql
 STABLE SECURITY DEFINER ROWS 12
 SET search_path TO ''
AS $function$
    with sought as materialized (
      select word from unnest(private.understood_words(find_desc)) as word
    )
    select distinct on (s.business_id) s.business_id, s.name, s.price
    from public.services s,
      lateral (
        select count(*) as words from sought where private.is_form_of(sought.word, private.words(s.name))
      ) found
    where s.business_id = any (p_business_ids[:50]) and found.words > 0
    order by s.business_id, found.words desc, s.price, s.name
  $function$
;

CREATE OR REPLACE FUNCTION public.my_conversations()
 RETURNS TABLE(id uuid, business_id uuid, business_name text, business_image_url text, business_category text, is_owner boolean, other_id uuid, other_name text, other_avatar_url text, last_content text, last_has_photos boolean, last_sent_by_me boolean, last_at timestamp with time zone, unread bigint, blocked_by_me boolean, is_open boolean)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
    select c.id, b.id, b.name, b.image_url, coalesce(b.category_code, b.type),
      c.is_owner, p.id, p.full_name, p.avatar_url,
      m.content, cardinality(m.attachments) > 0, m.sender_id = c.me, c.last_at,
      (select count(*) from public.messages u where u.conversation_id = c.id and u.recipient_id = c.me and not u.read),
      case when c.is_owner then c.blocked_by_owner else c.blocked_by_customer end,
      not c.blocked_by_owner and not c.blocked_by_customer and p.id is not null and b.owner_id is not distinct from c.owner_id
    from (
      select k.*, false as is_owner, k.owner_id as other_id, k.customer_id as me from public.conversations k where k.customer_id = (select auth.uid())
      union all
      select k.*, true, k.customer_id, k.owner_id from public.conversations k where k.owner_id = (select auth.uid())
    ) c
    left join public.businesses b on b.id = c.business_id
    left join private.profiles p on p.id = c.other_id
    left join lateral (
      select x.content, x.attachments, x.sender_id from public.messages x
      where x.conversation_id = c.id order by x.created_at desc, x.id limit 1) m on true
  $function$
;

CREATE OR REPLACE FUNCTION public.next_free_slot(p_business_id uuid, p_service_id uuid DEFAULT NULL::uuid)
 RETURNS TABLE(booking_date date, start_time time without time zone, end_time time without time zone)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  declare
    minutes constant integer := coalesce((
      select v.duration from public.services v where v.id = p_service_id and v.business_id = p_business_id), 30);
    today constant date := (select (now() at time zone b.time_zone)::date from public.businesses b where b.id = p_business_id);
  begin
    for ahead in 0..30 loop
      return query
        select today + ahead, private.clock(s.starts), private.clock(s.ends)
        from private.slots(p_business_id, today + ahead, minutes) s
        where s.reason is null
        order by s.starts
        limit 1;
      if found then
        return;
      end if;
    end loop;
  end
  $function$
;

CREATE OR REPLACE FUNCTION public.next_free_slots(p_business_ids uuid[])
 RETURNS TABLE(business_id uuid, booking_date date, start_time time without time zone)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
    select wanted.id, free.booking_date, free.start_time
    from (select distinct id from unnest(p_business_ids[1:50]) as id) wanted
    cross join lateral public.next_free_slot(wanted.id) free
  $function$
;

CREATE OR REPLACE FUNCTION public.promoted_businesses(find_desc text DEFAULT NULL::text, find_loc text DEFAULT NULL::text, category text DEFAULT NULL::text, with_amenities text[] DEFAULT NULL::text[], min_rating numeric DEFAULT NULL::numeric, open_now boolean DEFAULT NULL::boolean, free_on date DEFAULT NULL::date, min_price numeric DEFAULT NULL::numeric, max_price numeric DEFAULT NULL::numeric, near_latitude double precision DEFAULT NULL::double precision, near_longitude double precision DEFAULT NULL::double precision, within_km numeric DEFAULT NULL::numeric, bounds double precision[] DEFAULT NULL::double precision[], sort_by text DEFAULT NULL::text)
 RETURNS SETOF public.businesses
 LANGUAGE sql
 STABLE SECURITY DEFINER ROWS 20
 SET search_path TO ''
AS $function$
    with asked as materialized (
      select private.search_of(find_desc, find_loc, category, with_amenities, min_rating, open_now, free_on, min_price, max_price,
        near_latitude, near_longitude, within_km, bounds, sort_by) as search
    )
    select b.*
    from asked a
    cross join public.businesses b
    join public.user_subscriptions s on s.user_id = b.owner_id
    join public.subscription_plans p on p.id = s.plan_id
    where b.is_promoted and p.promoted_listings and private.subscription_runs(s.subscribed, s.subscription_end)
      and private.matches_all(b.search_document, (a.search).queries) and private.passes(b, a.search)
    order by md5(b.id::text || date_trunc('hour', now())::text)
    limit 20
  $function$
;

CREATE OR REPLACE FUNCTION public.propose_booking_time(p_booking_id uuid, p_date date, p_start time without time zone)
 RETURNS public.bookings
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  declare
    booking public.bookings;
    new_start constant time := date_trunc('minute', p_start);
    by_business boolean;
  begin
    booking := private.lock_booking(p_booking_id);
    by_business := private.manages(booking.business_id);
    if booking.status not in ('pending', 'confirmed') or private.has_started(booking) then
      perform private.fail(409, 'booking_over', 'Only a booking that is to come can be moved');
    end if;
    perform private.check_new_time(booking, p_date, new_start, by_business);
    if by_business and coalesce(booking.user_id, auth.uid()) = auth.uid() then
      update public.bookings b
      set booking_date = p_date, start_time = new_start, status = 'confirmed',
        end_time = private.clock(extract(epoch from new_start)::integer / 60 + b.service_duration),
        proposed_date = null, proposed_start = null, proposed_by = null
      where b.id = booking.id returning * into booking;
      return booking;
    end if;
    -- The same proposal again tells the other side nothing.
    if (booking.proposed_date, booking.proposed_start) = (p_date, new_start)
      and booking.proposed_by = (case when by_business then 'business' else 'customer' end) then
      return booking;
    end if;
    if 10 <= (select count(*) from public.audit_logs l
      where l.record_id = booking.id::text and l.user_id = auth.uid() and l.created_at > now() - interval '1 day'
        and l.changed_fields && array['proposed_date', 'proposed_start'])
    then
      perform private.fail(429, 'too_many_proposals', 'You have proposed another time often enough today', 'Try again tomorrow.');
    end if;
    update public.bookings b
    set proposed_date = p_date, proposed_start = new_start, proposed_by = case when by_business then 'business' else 'customer' end
    where b.id = booking.id returning * into booking;
    if by_business then
      perform private.notify(booking.user_id, 'booking', booking.business_name || ' proposes another time',
        private.proposal_words(booking), '/bookings');
    else
      perform private.notify(b.owner_id, 'booking', 'A customer asks for another time', booking.business_name || ': ' || private.proposal_words(booking),
        private.owner_booking_link(booking)) from public.businesses b where b.id = booking.business_id;
    end if;
    return booking;
  end
  $function$
;

CREATE OR REPLACE FUNCTION public.rating_distribution(p_business_id uuid)
 RETURNS TABLE(stars integer, reviews integer)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
    select r.rating, count(*)::integer
    from public.reviews r
    where r.business_id = p_business_id
    group by r.rating
    order by r.rating desc
  $function$
;

CREATE OR REPLACE FUNCTION public.refresh_metrics()
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  begin
    if coalesce(current_setting('role', true), '') <> 'service_role' then
      perform private.require_admin();
    end if;
    return private.roll_up_metrics();
  end
  $function$
;

CREATE OR REPLACE FUNCTION public.reorder_business_photos(p_business_id uuid, p_photo_ids uuid[])
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
  begin
    if not private.manages(p_business_id) then
      perform private.fail(403, 'not_manager', 'You do not have permission to perform this action');
    end if;
    perform private.lock('photos.' || p_business_id);
    if (select array_agg(p.id order by p.id) from public.business_photos p where p.business_id = p_business_id)
      is distinct from (select array_agg(id order by id) from unnest(p_photo_ids) as id) then
      perform private.fail(409, 'photos_changed', 'The photos of this business have changed', 'Load them again.');
    end if;
    update public.business_photos p set display_order = wanted.position - 1
    from unnest(p_photo_ids) with ordinality as wanted (id, position)
    where p.id = wanted.id and p.display_order <> wanted.position - 1;
  end
  $function$
;

CREATE OR REPLACE FUNCTION public.review_applications(p_ids uuid[], p_decision text)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  declare
    decided integer;
  begin
    perform private.require_admin();
    perform private.require_decision(p_decision, array['approved', 'rejected']);
    update public.seller_applications a set status = p_decision where a.id = any (p_ids) and a.status = 'pending';
    get diagnostics decided = row_count;
    return decided;
  end
  $function$
;

CREATE OR REPLACE FUNCTION public.review_claim(p_claim_id uuid, p_decision text, p_notes text DEFAULT NULL::text)
 RETURNS public.claim_requests
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  declare
    claim public.claim_requests;
  begin
    perform private.require_admin();
    perform private.require_decision(p_decision, array['approved', 'rejected']);
    update public.claim_requests c set status = p_decision, admin_notes = nullif(btrim(p_notes), '')
    where c.id = p_claim_id and c.status = 'pending'
    returning * into claim;
    if claim.id is null then
      perform private.fail(409, 'already_reviewed', 'This claim is not pending');
    end if;
    return claim;
  end
  $function$
;

CREATE OR REPLACE FUNCTION public.review_reports(p_ids uuid[], p_status text)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  declare
    decided integer;
  begin
    perform private.require_admin();
    perform private.require_decision(p_status, array['resolved', 'rejected']);
    update public.reports r set status = p_status where r.id = any (p_ids) and r.status = 'pending';
    get diagnostics decided = row_count;
    return decided;
  end
  $function$
;

CREATE OR REPLACE FUNCTION public.save_availability(p_business_id uuid, p_weekly_schedule jsonb, p_blackout_dates date[], p_notice_minutes integer DEFAULT NULL::integer, p_days_ahead integer DEFAULT NULL::integer, p_buffer_minutes integer DEFAULT NULL::integer, p_capacity integer DEFAULT NULL::integer, p_revision integer DEFAULT NULL::integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  declare
    revision integer;
  begin
    perform private.require_user();
    if not private.manages(p_business_id) then
      perform private.fail(403, 'not_your_business', 'You do not have permission to perform this action');
    end if;
    if coalesce(cardinality(p_blackout_dates), 0) > 366 then
      perform private.fail(422, 'too_many_blackout_dates', 'At most 366 blackout dates can be set');
    end if;
    -- First, as the rules may change what its bookings hold.
    perform private.lock_bookings(p_business_id, null);
    perform private.lock('business.' || p_business_id);
    update public.businesses b
    set booking_notice_minutes = coalesce(p_notice_minutes, b.booking_notice_minutes),
      booking_days_ahead = coalesce(p_days_ahead, b.booking_days_ahead),
      booking_buffer_minutes = coalesce(p_buffer_minutes, b.booking_buffer_minutes),
      booking_capacity = coalesce(p_capacity, b.booking_capacity),
      availability_revision = b.availability_revision + 1
    where b.id = p_business_id and b.availability_revision = coalesce(p_revision, b.availability_revision)
    returning b.availability_revision into revision;
    if revision is null then
      perform private.fail(409, 'availability_changed', 'The availability was changed in another window', 'Read it again before you save.');
    end if;
    insert into public.business_availability (business_id, weekday, is_open, slots)
    select p_business_id, weekday,
      coalesce((p_weekly_schedule -> weekday ->> 'isOpen')::boolean, false),
      coalesce(p_weekly_schedule -> weekday -> 'slots', '[]')
    from unnest(array['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']) as weekday
    where jsonb_typeof(p_weekly_schedule) <> 'null'
    on conflict (business_id, weekday) do update
      set is_open = excluded.is_open, slots = excluded.slots, updated_at = now();
    delete from public.blackout_dates d
    where d.business_id = p_business_id and not d.blackout_date = any (coalesce(p_blackout_dates, '{}'));
    insert into public.blackout_dates (business_id, blackout_date)
    select p_business_id, day from unnest(p_blackout_dates) as day
    on conflict do nothing;
    return revision;
  end
  $function$
;

CREATE OR REPLACE FUNCTION public.search_alternatives(find_desc text DEFAULT NULL::text, find_loc text DEFAULT NULL::text, category text DEFAULT NULL::text, with_amenities text[] DEFAULT NULL::text[], min_rating numeric DEFAULT NULL::numeric, open_now boolean DEFAULT NULL::boolean, free_on date DEFAULT NULL::date, min_price numeric DEFAULT NULL::numeric, max_price numeric DEFAULT NULL::numeric, near_latitude double precision DEFAULT NULL::double precision, near_longitude double precision DEFAULT NULL::double precision, within_km numeric DEFAULT NULL::numeric, bounds double precision[] DEFAULT NULL::double precision[])
 RETURNS TABLE(kind text, name text, target text, distance_km numeric, businesses bigint)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER ROWS 8
 SET search_path TO ''
AS $function$
  declare
    most_places constant integer := 4;
    asked constant private.search := private.search_of(find_desc, find_loc, category, with_amenities, min_rating,
      open_now, free_on, min_price, max_price, near_latitude, near_longitude, within_km, bounds, null);
    has bigint := private.count_of(asked);
    names text[] := '{}';
    targets text[] := '{}';
    counts bigint[] := '{}';
    lifted record;
    place record;
    origin record;
    elsewhere private.search := asked;
    others bigint;
    places integer := 0;
  begin
    for lifted in select * from private.lifted(asked, find_loc) loop
      others := private.count_of(private.understood(lifted.search));
      if others > has then
        names := names || lifted.name;
        targets := targets || lifted.target;
        counts := counts || others;
      end if;
    end loop;
    return query
      select 'filter', one.name, one.target, null::numeric, one.businesses
      from unnest(names, targets, counts) with ordinality as one (name, target, businesses, place)
      order by one.businesses desc, one.place;

    select * into origin from private.located(find_loc);
    if origin.latitude is null and asked.latitude is not null then
      select null as slug, null as name, asked.latitude, asked.longitude into origin;
    end if;
    elsewhere.find_loc := null;
    elsewhere.within_km := null;
    elsewhere.bounds := null;
    if origin.latitude is null or private.gather_count(private.understood(elsewhere), 1) = 0 then
      return;
    end if;
    for place in
      select c.slug, c.name, private.distance_km(origin.latitude, origin.longitude, c.latitude, c.longitude) as away
      from public.cities c join public.city_counts n using (slug)
      where n.businesses > 0 and c.slug is distinct from origin.slug and (c.part_of = origin.slug) is not true
        and not exists (select from public.cities part where part.part_of = c.slug)
      order by away, c.slug
    loop
      elsewhere.find_loc := place.slug;
      others := private.count_of(private.understood(elsewhere));
      if others > 0 then
        return query select 'place', place.name, place.slug, round(place.away::numeric, 1), others;
        places := places + 1;
        exit when places = most_places;
      end if;
    end loop;
  end
  $function$
;

CREATE OR REPLACE FUNCTION public.search_businesses(find_desc text DEFAULT NULL::text, find_loc text DEFAULT NULL::text, category text DEFAULT NULL::text)
 RETURNS SETOF public.businesses
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
    select b.* from private.found_businesses(private.tried(private.search_of(find_desc, find_loc, category,
      null, null, null, null, null, null, null, null, null, null, null))) b
  $function$
;

CREATE OR REPLACE FUNCTION public.search_meaning(find_desc text)
 RETURNS TABLE(typed text, meant text)
 LANGUAGE sql
 STABLE SECURITY DEFINER ROWS 3
 SET search_path TO ''
AS $function$
    select word, case when string_to_array(near, ' ') <@ (private.sought(find_desc)).words then coalesce((
        select s.synonym_term from public.category_synonyms s where s.normalized_term = near
        order by s.priority desc, s.synonym_term limit 1), near) end
    from unnest(private.typed_words(find_desc)) as word,
      lateral (select private.as_known(word) as near) known
    where near is distinct from word or near <> all ((private.sought(find_desc)).words)
  $function$
;

CREATE OR REPLACE FUNCTION public.security_overview()
 RETURNS TABLE(event_type text, events bigint)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
    select e.event_type, count(*) from public.user_security_events e
    where e.user_id = (select auth.uid()) and e.created_at > now() - interval '30 days'
    group by e.event_type
  $function$
;

CREATE OR REPLACE FUNCTION public.session_cleanup(p_token text)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
    update public.user_sessions s set closing_at = now()
    where s.session_token = encode(extensions.digest(left(p_token, 200), 'sha256'), 'hex') and s.is_active
  $function$
;

CREATE OR REPLACE FUNCTION public.set_booking_status(p_booking_id uuid, p_status text, p_reason text DEFAULT NULL::text)
 RETURNS public.bookings
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  declare
    booking public.bookings;
    reason constant text := nullif(btrim(p_reason), '');
    is_customer boolean;
    is_manager boolean;
    kind text;
  begin
    booking := private.lock_booking(p_booking_id);
    is_customer := booking.user_id is not distinct from auth.uid();
    is_manager := private.manages(booking.business_id);
    if booking.status = p_status then
      return booking;
    end if;

    if not (case booking.status || ' ' || coalesce(p_status, '')
        when 'pending confirmed' then is_manager
        when 'pending cancelled' then true
        when 'confirmed completed' then is_manager
        when 'confirmed cancelled' then true
        when 'cancelled completed' then is_manager and booking.cancel_kind is not distinct from 'no_show'
        else false end) then
      perform private.fail(409, 'status_not_allowed',
        format('A %s booking cannot become %s', booking.status, coalesce(p_status, 'unknown')));
    elsif p_status = 'cancelled' and private.has_started(booking) and not is_manager then
      perform private.fail(409, 'booking_started', 'A booking that has started cannot be cancelled');
    elsif p_status = 'completed' and not private.has_started(booking) then
      perform private.fail(409, 'booking_not_started', 'A booking cannot be completed before it starts');
    elsif p_status = 'confirmed' and private.has_started(booking) then
      perform private.fail(409, 'booking_started', 'A booking that has started cannot be confirmed');
    elsif p_status = 'cancelled' and booking.status = 'pending' and not is_customer and reason is null then
      perform private.fail(422, 'reason_required', 'Tell the customer why', 'Give a reason of up to 500 characters.');
    elsif char_length(reason) > 500 then
      perform private.fail(422, 'reason_too_long', 'A reason has at most 500 characters');
    end if;
    if p_status = 'cancelled' then
      kind := case when is_customer then 'customer' when booking.status = 'pending' then 'declined' else 'business' end;
    end if;
    update public.bookings b
    set status = p_status, cancel_kind = kind, cancel_reason = case when kind is not null then reason end,
      proposed_date = null, proposed_start = null, proposed_by = null
    where b.id = booking.id returning * into booking;
    return booking;
  end
  $function$
;

CREATE OR REPLACE FUNCTION public.start_session()
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  declare
    token text := encode(extensions.gen_random_bytes(32), 'hex');
    session public.user_sessions := private.current_session();
  begin
    perform private.require_user();
    if session.id is null then
      perform private.fail(401, 'session_ended', 'Your session has expired. Please sign in again.');
    end if;
    update public.user_sessions s set session_token = encode(extensions.digest(token, 'sha256'), 'hex'), closing_at = null
    where s.id = session.id;
    return token;
  end
  $function$
;

CREATE OR REPLACE FUNCTION public.suggest_places(term text)
 RETURNS TABLE(name text, slug text, country text, latitude double precision, longitude double precision, businesses bigint)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER ROWS 6
 SET search_path TO ''
AS $function$
  declare
    most constant integer := 6;
    wanted constant text := private.normalize(left(term, 60));
  begin
    if coalesce(char_length(wanted), 0) < 2 then
      return;
    end if;
    return query
      with known as (
        select c.local_name as its_name, c.slug as its_slug, c.country as its_country, c.latitude as north, c.longitude as east,
          c.spellings, 1000000000 - c.position as size, n.businesses
        from public.cities c join public.city_counts n on n.slug = c.slug
        union all
        select t.name, t.slug, t.country, t.latitude, t.longitude, t.spellings, t.population, 0::bigint from public.towns t
      ), compared as (
        select k.*, (
          select min(case when starts_with(spelling, wanted) then 0 when strpos(spelling, ' ' || wanted) > 0 then 1
            when char_length(wanted) >= 4 and extensions.levenshtein_less_equal(left(left(spelling, char_length(wanted)), 60), wanted, 2)
              <= least(2, char_length(wanted) / 4) then 2 end)
          from unnest(k.spellings) as spelling) as step
        from known k
      )
      select k.its_name, k.its_slug, k.its_country, k.north, k.east, k.businesses
      from compared k
      where k.step < 2 or (k.step = 2 and not exists (select from compared other where other.step < 2))
      order by k.businesses > 0 desc, k.step, k.size desc, k.its_slug
      limit most;
  end
  $function$
;

CREATE OR REPLACE FUNCTION public.suggest_searches(term text)
 RETURNS TABLE(kind text, label text, detail text, target text)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER ROWS 10
 SET search_path TO ''
AS $function$
  declare
    most_letters constant integer := 60;
    first_rows constant integer := 1000;
    most_gathered constant integer := 1000;
    least_suggested constant integer := 40;
    typed constant text := private.normalize(left(term, most_letters));
    meant constant text := array_to_string(private.understood_words(left(term, most_letters)), ' ');
    wanted text;
    named private.search;
    is_found boolean;
  begin
    if coalesce(char_length(typed), 0) < 2 then
      return;
    end if;
    foreach wanted in array array[typed, nullif(meant, typed)] loop
      exit when wanted is null;
      return query
        select 'category', s.synonym_term, k.category_name, k.category_code
        from (
          select distinct on (s.category_slug) s.*
          from public.category_synonyms s
          where s.normalized_term like wanted || '%' and (s.priority >= least_suggested or s.normalized_term = wanted)
          order by s.category_slug, s.normalized_term = wanted desc, s.priority desc, s.synonym_term
        ) s
        join public."categories-plaza" k on k.category_code = s.category_slug
        order by s.normalized_term = wanted desc, s.priority desc, s.synonym_term
        limit 3;
      is_found := found;
      return query
        select 'service', n.name, null, null
        from private.service_names n
        where ' ' || n.normalized_name like '% ' || wanted || '%'
          and not exists (select from public.category_synonyms s where s.normalized_term = n.normalized_name and s.priority >= least_suggested)
        order by starts_with(n.normalized_name, wanted) desc, n.offered desc, n.name
        limit 4;
      is_found := is_found or found;
      select string_agg(quote_literal(word) || case when place = cardinality(words) then ':*A' else ':A' end, '&')::tsquery into named.rest
      from (select string_to_array(regexp_replace(wanted, ' .$', ''), ' ') as words) each, unnest(words) with ordinality as one (word, place)
      group by words;
      if private.fills_page(named, first_rows) then
        return query
          select 'business', b.name, b.location, b.slug
          from public.businesses b
          where b.search_document @@ named.rest
          order by b.ranking desc, b.created_at desc
          limit 3;
      else
        return query
          select 'business', b.name, b.location, b.slug
          from (
            select * from public.businesses k
            where k.ctid = any (array(select hit.ctid from public.businesses hit where hit.search_document @@ named.rest limit most_gathered))
          ) b
          order by b.ranking desc, b.created_at desc
          limit 3;
      end if;
      exit when is_found or found;
    end loop;
  end
  $function$
;

CREATE OR REPLACE FUNCTION public.suggest_synonyms(term text)
 RETURNS TABLE(category_slug text, synonym_term text, language_code text, priority integer, match text)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
    with wanted as (select private.normalize(left(term, 100)) as word),
    found as (
      (select s.*, 'exact' as match, 1 as step from public.category_synonyms s, wanted
        where char_length(word) >= 2 and s.normalized_term = word
        order by s.priority desc, s.synonym_term limit 5)
      union all
      (select s.*, 'partial', 2 from public.category_synonyms s, wanted
        where char_length(word) >= 2 and s.normalized_term like '%' || word || '%' and s.normalized_term <> word
        order by s.priority desc, s.synonym_term limit 3)
      union all
      (select s.*, 'contained', 3 from public.category_synonyms s, wanted
        where char_length(word) >= 2 and ' ' || word || ' ' like '% ' || s.normalized_term || ' %' and s.normalized_term <> word
        order by s.priority desc, s.synonym_term limit 3)
      union all
      (select s.*, 'fuzzy', 4 from public.category_synonyms s, wanted
        where char_length(word) >= 2 and extensions.similarity(s.normalized_term, word) between 0.45 and 0.999
        order by extensions.similarity(s.normalized_term, word) desc, s.synonym_term limit 2)
    )
    select f.category_slug, f.synonym_term, f.language_code, f.priority, f.match
    from found f
    order by f.step, f.priority desc, f.synonym_term
  $function$
;

CREATE OR REPLACE FUNCTION public.terminate_session(p_session_id uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  begin
    perform private.require_user();
    update public.user_sessions s set is_active = false
    where s.id = p_session_id and s.user_id = auth.uid() and s.is_active;
    return found;
  end
  $function$
;

CREATE OR REPLACE FUNCTION public.touch_session()
 RETURNS TABLE(active boolean, expires_at timestamp with time zone, times_out_at timestamp with time zone, timeout_minutes integer)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  declare
    session public.user_sessions := private.current_session();
    minutes integer := coalesce((select p.session_timeout_minutes from private.profiles p where p.id = auth.uid()), 480);
    idle constant interval := make_interval(mins => minutes);
  begin
    perform private.require_user();
    if session.id is null then
      return query select false, null::timestamptz, null::timestamptz, minutes;
      return;
    end if;
    if session.expires_at <= now() or session.last_activity_at + idle <= now()
        or session.closing_at < now() - private.closing_grace() then
      update public.user_sessions s set is_active = false where s.id = session.id;
      return query select false, session.expires_at, session.last_activity_at + idle, minutes;
      return;
    end if;
    if session.last_activity_at <= now() - interval '1 minute' or session.closing_at is not null then
      update public.user_sessions s set last_activity_at = now(), closing_at = null where s.id = session.id;
      session.last_activity_at := now();
    end if;
    update auth.sessions a set not_after = least(session.expires_at, session.last_activity_at + idle)
    where a.id = session.session_id
      and a.not_after is distinct from least(session.expires_at, session.last_activity_at + idle);
    return query select true, session.expires_at, session.last_activity_at + idle, minutes;
  end
  $function$
;

CREATE OR REPLACE FUNCTION public.validate_password_strength(password text)
 RETURNS jsonb
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
    select jsonb_build_object(
      'valid', long_enough and short_enough and lower_case and upper_case and digit,
      'score', long_enough::integer + lower_case::integer + upper_case::integer + digit::integer + extra::integer,
      'errors', to_jsonb(array_remove(array[
        case when not long_enough then 'Password must be at least 8 characters' end,
        case when not short_enough then 'Password cannot exceed 128 characters' end,
        case when not (lower_case and upper_case and digit)
          then 'Password must contain at least one lowercase letter, one uppercase letter, and one number' end
      ], null)))
    from (select
      char_length(value) >= 8 as long_enough,
      char_length(value) <= 128 as short_enough,
      value ~ '[a-z]' as lower_case,
      value ~ '[A-Z]' as upper_case,
      value ~ '[0-9]' as digit,
      value ~ '[^A-Za-z0-9]' or char_length(value) >= 12 as extra
      from (select coalesce(password, '') as value) given) checks
  $function$
;
