-- Questions to the administrators.

-- Completes and checks a new ticket: the caller's own, not answered, with priority if the plan includes it.
create or replace function private.before_ticket() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    if tg_op = 'INSERT' then
      new.subject := btrim(new.subject);
      new.message := btrim(new.message);
      new.is_priority := private.plan_allows(new.user_id, 'support') and not exists (
        select from private.profiles p where p.id = new.user_id and p.role = 'admin');
      if private.is_client() then
        perform private.lock('requests.' || auth.uid());
        if (select count(*) from public.support_tickets t where t.user_id = auth.uid() and t.answer is null) >= 10 then
          perform private.fail(429, 'too_many_tickets', 'You have 10 questions that are not answered yet', 'Wait until one of them is answered.');
        end if;
      end if;
    elsif new.answer is not null and old.answer is null then
      new.answer := btrim(new.answer);
      new.answered_at := now();
      new.answered_by := auth.uid();
      perform private.notify(new.user_id, 'other', 'Your question was answered', new.subject, '/contact?ticket=' || new.id);
    elsif old.answer is not null and private.is_client() then
      perform private.fail(409, 'already_answered', 'This question is already answered');
    end if;
    return new;
  end
  $$;
create or replace trigger write before insert or update on public.support_tickets
  for each row execute function private.before_ticket();
