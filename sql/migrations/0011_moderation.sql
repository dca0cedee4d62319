create table public.seller_applications (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null default auth.uid() references public.profiles (id) on delete cascade,
  business_name text not null check (char_length(btrim(business_name)) between 2 and 100),
  business_type text not null check (char_length(btrim(business_type)) between 2 and 100),
  business_description text check (char_length(business_description) <= 2000),
  location text not null check (char_length(btrim(location)) between 2 and 200),
  status text not null default 'pending' check (status in ('pending', 'approved', 'rejected')),
  reviewed_at timestamptz,
  reviewed_by uuid references public.profiles (id) on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index seller_applications_open_key on public.seller_applications (user_id) where status = 'pending';
create index seller_applications_user_idx on public.seller_applications (user_id, created_at desc);
create index seller_applications_status_idx on public.seller_applications (status, created_at desc);
create index seller_applications_reviewer_idx on public.seller_applications (reviewed_by);

create table public.claim_requests (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null default auth.uid() references public.profiles (id) on delete cascade,
  business_id uuid not null references public.businesses (id) on delete cascade,
  full_name text not null check (char_length(btrim(full_name)) between 1 and 100),
  business_email text not null check (business_email ~ '^[^@\s]+@[^@\s]+\.[^@\s]+$' and char_length(business_email) <= 254),
  business_phone text check (private.is_phone(business_phone)),
  role_at_company text not null check (char_length(btrim(role_at_company)) between 1 and 100),
  verification_method text not null check (verification_method in ('email_domain', 'document_upload', 'phone_verification')),
  document_path text check (char_length(document_path) <= 500),
  status text not null default 'pending' check (status in ('pending', 'approved', 'rejected')),
  submitted_at timestamptz not null default now(),
  reviewed_at timestamptz,
  reviewed_by uuid references public.profiles (id) on delete set null,
  admin_notes text check (char_length(admin_notes) <= 2000)
);
comment on column public.claim_requests.admin_notes is 'The claimant may read them.';
create unique index claim_requests_open_key on public.claim_requests (user_id, business_id) where status = 'pending';
create index claim_requests_business_idx on public.claim_requests (business_id);
create index claim_requests_user_idx on public.claim_requests (user_id, submitted_at desc);
create index claim_requests_status_idx on public.claim_requests (status, submitted_at desc);
create index claim_requests_reviewer_idx on public.claim_requests (reviewed_by);
comment on column public.claim_requests.document_path is 'Object of the private bucket claim-documents, when verification_method is document_upload.';

create table public.reports (
  id uuid primary key default gen_random_uuid(),
  reporter_id uuid default auth.uid() references public.profiles (id) on delete set null,
  reported_id uuid not null,
  type text not null check (type in ('business', 'user', 'review')),
  reason text not null check (char_length(btrim(reason)) between 1 and 100),
  details text check (char_length(details) <= 1000),
  status text not null default 'pending' check (status in ('pending', 'resolved', 'rejected')),
  reviewed_at timestamptz,
  reviewed_by uuid references public.profiles (id) on delete set null,
  created_at timestamptz not null default now(),
  constraint reports_not_oneself check (reporter_id <> reported_id)
);
create index reports_reporter_idx on public.reports (reporter_id);
create index reports_reviewer_idx on public.reports (reviewed_by);
create index reports_status_idx on public.reports (status, created_at desc);
create unique index reports_open_key on public.reports (reporter_id, type, reported_id) where status = 'pending';
comment on column public.reports.reported_id is 'Id of a business, profile or review, as type says; no foreign key, since a report outlives it.';

create table public.audit_logs (
  id uuid primary key default gen_random_uuid(),
  user_id uuid,
  table_name text not null,
  action text not null check (action in ('INSERT', 'UPDATE', 'DELETE')),
  record_id text,
  changed_fields text[],
  old_data jsonb,
  new_data jsonb,
  created_at timestamptz not null default now()
);
create index audit_logs_recent_idx on public.audit_logs (created_at desc);
create index audit_logs_table_idx on public.audit_logs (table_name, created_at desc);
create index audit_logs_record_idx on public.audit_logs (record_id);
comment on column public.audit_logs.user_id is 'Who acted; no foreign key, since the entry outlives the account. Null for the server itself.';
