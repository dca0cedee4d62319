set local plaza.seeding = 'on';

insert into public.subscription_plans (tier, name, description, price_monthly, price_yearly, analytics_access, logo_upload,
  promoted_listings, priority_support, max_businesses, max_photos_per_business, max_description_length) values
  ('free',    'Free',    'One listing with everything a customer needs to book.',        0.00,   0.00,   false, false, false, false, 1,  5,  500),
  ('pro',     'Pro',     'For a busy business: analytics, your logo and more photos.',   19.00,  190.00, true,  true,  false, false, 3,  20, 1500),
  ('premium', 'Premium', 'For several locations: promoted listings and fast support.',   49.00,  490.00, true,  true,  true,  true,  15, 50, 5000)
on conflict (tier) do nothing;
