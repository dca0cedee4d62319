-- Trims names: 'Food ' is a duplicate of 'Food'.
create or replace function private.before_category() returns trigger
  language plpgsql
  set search_path = ''
  as $$
  begin
    new.name := btrim(new.name);
    new.icon := nullif(btrim(new.icon), '');
    return new;
  end
  $$;
create or replace trigger write before insert or update on public.categories
  for each row execute function private.before_category();

-- Deletes a category after moving its businesses to another one; returns how many were moved.
create or replace function public.admin_replace_category(p_category_id uuid, p_replacement_id uuid) returns bigint
  language plpgsql security definer
  set search_path = ''
  as $$
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
  $$;
revoke execute on function public.admin_replace_category(uuid, uuid) from public, anon;
