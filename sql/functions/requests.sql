-- What admins decide on: the list of claims, and the notification of a new request.

-- Claims by the claimant's name, the e-mail or the business (ADMIN-CLAIM-01). Inlined: the caller's filters, order and
-- range are applied within, and the caller's policies.
create or replace function public.admin_claims(p_search text default null) returns setof public.claim_requests
  language sql stable parallel safe rows 1000
  as $$
    select c.*
    from public.claim_requests c
    where coalesce(btrim(p_search), '') = ''
      or ' ' || private.normalize(c.full_name) || ' ' like private.search_pattern(p_search)
      or strpos(lower(c.business_email), lower(btrim(p_search))) > 0
      or exists (
        select from public.businesses b
        where b.id = c.business_id and ' ' || private.normalize(b.name) || ' ' like private.search_pattern(p_search))
  $$;
revoke execute on function public.admin_claims(text) from public, anon;

-- Tells every admin, except the caller, with a link that opens the row.
create or replace function private.notify_admins(p_title text, p_content text, p_link text) returns void
  language sql security definer
  set search_path = ''
  as $$
    select private.notify(p.id, 'other', p_title, p_content, p_link)
    from private.profiles p
    where p.role = 'admin' and p.id is distinct from auth.uid() and not private.is_seeding()
  $$;
revoke execute on function private.notify_admins(text, text, text) from public, anon, authenticated;

create or replace function private.after_request() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    case tg_table_name
      when 'claim_requests' then
        perform private.notify_admins('New claim', new.full_name || ' claims ' || b.name, '/admin?tab=claims&row=' || new.id)
        from public.businesses b where b.id = new.business_id;
      when 'seller_applications' then
        perform private.notify_admins('New seller application', new.business_name || ', ' || new.location, '/admin?tab=applications&row=' || new.id);
      when 'reports' then
        perform private.notify_admins('New report of a ' || new.type, new.reason, '/admin?tab=reports&row=' || new.id);
    end case;
    return null;
  end
  $$;
create or replace trigger notify_made after insert on public.claim_requests
  for each row execute function private.after_request();
create or replace trigger notify_made after insert on public.seller_applications
  for each row execute function private.after_request();
create or replace trigger notify_made after insert on public.reports
  for each row execute function private.after_request();
