-- A claim proved by a code that only the business could have received.
alter table public.claim_requests
  add column verified_at timestamptz,
  add column verified_by text constraint claim_requests_verified_by_check
    check (verified_by in ('email_domain', 'phone_verification')),
  add constraint claim_requests_verified_check check ((verified_at is null) = (verified_by is null));
comment on column public.claim_requests.verified_at is
  'When a code that was sent to the business came back. An admin still decides (S-45).';
comment on column public.claim_requests.verified_by is 'Where that code was sent: the business''s mail or telephone.';

create table private.claim_codes (
  id uuid primary key default gen_random_uuid(),
  claim_id uuid not null references public.claim_requests (id) on delete cascade,
  method text not null constraint claim_codes_method_check check (method in ('email_domain', 'phone_verification')),
  sent_to text not null constraint claim_codes_sent_to_size check (char_length(sent_to) <= 254),
  salt bytea not null constraint claim_codes_salt_size check (octet_length(salt) <= 16),
  code_hash bytea not null constraint claim_codes_code_hash_size check (octet_length(code_hash) <= 32),
  tries integer not null default 0 constraint claim_codes_tries_check check (tries between 0 and 5),
  expires_at timestamptz not null,
  -- Not now(): the newest code of a claim is the one that counts.
  created_at timestamptz not null default clock_timestamp()
);
comment on table private.claim_codes is 'Codes that prove a claim, kept for a day, since they are counted.';
comment on column private.claim_codes.code_hash is 'SHA-256 of salt and code; the code itself is not stored.';
create index claim_codes_claim_idx on private.claim_codes (claim_id, created_at desc);
create index claim_codes_made_idx on private.claim_codes (created_at);
