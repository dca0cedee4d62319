-- Applications, claims and reports: a user's submission starts as pending (S-47); an admin's decision has all its
-- effects at once (S-45, S-46), even if it is a plain update of the table.

create or replace function private.before_request() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    if private.is_client() then
      perform private.require_user();
      new.status := 'pending';
      new.reviewed_at := null;
      new.reviewed_by := null;
    end if;
    return new;
  end
  $$;
create or replace trigger a_request before insert on public.seller_applications
  for each row execute function private.before_request();
create or replace trigger a_request before insert on public.claim_requests
  for each row execute function private.before_request();
create or replace trigger a_request before insert on public.reports
  for each row execute function private.before_request();

-- Only a user who is not yet a seller may apply.
create or replace function private.before_application() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    if private.is_client() and public.has_role('owner') then
      perform private.fail(409, 'already_seller', 'Your seller account is already active');
    end if;
    return new;
  end
  $$;
create or replace trigger b_application before insert on public.seller_applications
  for each row execute function private.before_application();

-- A new application replaces a decided one. A pending one is kept, and the unique index refuses the second.
create or replace function private.supersede_applications() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    update public.seller_applications a set superseded_at = now()
    where a.user_id = new.user_id and a.superseded_at is null and a.status <> 'pending' and a.id <> new.id;
    return new;
  end
  $$;
create or replace trigger c_supersede before insert on public.seller_applications
  for each row execute function private.supersede_applications();

create or replace function private.before_claim() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    if private.is_client() then
      new.submitted_at := now();
      new.admin_notes := null;
      if exists (select from public.businesses b where b.id = new.business_id and b.owner_id is not null) then
        perform private.fail(409, 'business_has_owner', 'This business already has an owner');
      end if;
      perform private.lock('requests.' || auth.uid());
      if (select count(*) from public.claim_requests c where c.user_id = auth.uid() and c.status = 'pending') >= 5 then
        perform private.fail(429, 'too_many_claims', 'You have 5 claims that are not decided yet', 'Wait until one of them is decided.');
      end if;
    end if;
    return new;
  end
  $$;
create or replace trigger b_claim before insert on public.claim_requests
  for each row execute function private.before_claim();

-- The reported object must exist; the author of a review or the owner of a business cannot report it.
create or replace function private.before_report() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    if new.reporter_id = new.reported_id then -- the constraint reports_not_oneself, with a text (SEED-13)
      perform private.fail(422, 'own_report', 'Reporter cannot report themselves');
    end if;
    if private.is_client() and not (case new.type
        when 'business' then exists (select from public.businesses b where b.id = new.reported_id)
        when 'review' then exists (select from public.reviews r where r.id = new.reported_id)
        else exists (select from private.profiles p where p.id = new.reported_id) end) then
      perform private.fail(404, 'reported_not_found', 'What you want to report does not exist');
    end if;
    if private.is_client() then
      perform private.lock('requests.' || auth.uid());
      if (select count(*) from public.reports r where r.reporter_id = auth.uid() and r.status = 'pending') >= 20 then
        perform private.fail(429, 'too_many_reports', 'You have 20 reports that are not decided yet', 'Wait until they are decided.');
      end if;
    end if;
    return new;
  end
  $$;
create or replace trigger b_report before insert on public.reports
  for each row execute function private.before_report();

-- A decision is made once, from pending, by an admin who is recorded.
create or replace function private.before_decision() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    if new.status = old.status then
      return new;
    end if;
    if old.status <> 'pending' then
      perform private.fail(409, 'already_reviewed', format('This request is already %s', old.status));
    end if;
    if private.is_client() then
      perform private.require_admin();
      new.reviewed_by := auth.uid();
      new.reviewed_at := now();
    end if;
    return new;
  end
  $$;
create or replace trigger decide before update on public.seller_applications
  for each row execute function private.before_decision();
create or replace trigger decide before update on public.claim_requests
  for each row execute function private.before_decision();
create or replace trigger decide before update on public.reports
  for each row execute function private.before_decision();
create or replace trigger touch before update on public.seller_applications
  for each row execute function private.touch_updated_at();

create or replace function private.after_application_decided() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    if new.status = 'approved' then
      perform private.make_owner(new.user_id);
      perform private.notify(new.user_id, 'other', 'Seller application approved',
        'You can now create your business: ' || new.business_name, '/business/new');
    else
      perform private.notify(new.user_id, 'other', 'Seller application rejected',
        'Contact support to appeal.', '/become-seller');
    end if;
    return null;
  end
  $$;
create or replace trigger decided after update of status on public.seller_applications
  for each row when (old.status = 'pending' and new.status <> 'pending')
  execute function private.after_application_decided();

create or replace function private.after_claim_decided() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    business public.businesses;
  begin
    select * into business from public.businesses b where b.id = new.business_id for update;
    if new.status = 'approved' then
      if business.owner_id is not null then
        perform private.fail(409, 'business_has_owner', 'This business already has an owner');
      end if;
      update public.businesses
      set owner_id = new.user_id, is_claimed = true, verification_status = 'verified'
      where id = new.business_id;
      perform private.notify(new.user_id, 'other', 'Claim approved',
        business.name || ' is now yours to manage.', '/my-businesses');
    else
      perform private.notify(new.user_id, 'other', 'Claim rejected',
        'Your claim of ' || business.name || ' was not approved.', '/business/' || business.id);
    end if;
    return null;
  end
  $$;
create or replace trigger decided after update of status on public.claim_requests
  for each row when (old.status = 'pending' and new.status <> 'pending')
  execute function private.after_claim_decided();

-- The same decisions as functions, for one claim and for many applications or reports.
create or replace function public.review_claim(p_claim_id uuid, p_decision text, p_notes text default null)
  returns public.claim_requests
  language plpgsql security definer
  set search_path = ''
  as $$
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
  $$;
revoke execute on function public.review_claim(uuid, text, text) from public, anon;

create or replace function private.require_decision(p_decision text, p_allowed text[]) returns void
  language plpgsql
  set search_path = ''
  as $$
  begin
    if p_decision is null or not p_decision = any (p_allowed) then
      perform private.fail(422, 'unknown_decision', 'The decision must be ' || array_to_string(p_allowed, ' or '));
    end if;
  end
  $$;

-- Returns how many were pending and are now decided; the others are not changed.
create or replace function public.review_applications(p_ids uuid[], p_decision text) returns integer
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    decided integer;
  begin
    perform private.require_admin();
    perform private.require_decision(p_decision, array['approved', 'rejected']);
    update public.seller_applications a set status = p_decision where a.id = any (p_ids) and a.status = 'pending';
    get diagnostics decided = row_count;
    return decided;
  end
  $$;
revoke execute on function public.review_applications(uuid[], text) from public, anon;

create or replace function public.review_reports(p_ids uuid[], p_status text) returns integer
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    decided integer;
  begin
    perform private.require_admin();
    perform private.require_decision(p_status, array['resolved', 'rejected']);
    update public.reports r set status = p_status where r.id = any (p_ids) and r.status = 'pending';
    get diagnostics decided = row_count;
    return decided;
  end
  $$;
revoke execute on function public.review_reports(uuid[], text) from public, anon;
