-- The caller's own second factor, without its secret (S-21).
create or replace view public.user_totp_secrets with (security_barrier) as
  select f.id, f.user_id, f.friendly_name, f.status = 'verified' as is_verified,
    f.last_used_at, f.created_at
  from auth.mfa_factors f
  where f.factor_type = 'totp' and f.user_id = (select auth.uid());
