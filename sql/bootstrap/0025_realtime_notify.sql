-- Servers that cannot read the log enable this trigger, and read what was inserted when it notifies
-- them. Otherwise it is disabled: commits that notify wait for one another.
create function realtime.note_message() returns trigger
  language plpgsql
  set search_path = ''
  as $$
  begin
    perform pg_catalog.pg_notify('plaza_realtime_messages', '');
    return null;
  end
  $$;
create trigger note_message after insert on realtime.messages
  for each statement execute function realtime.note_message();
alter table realtime.messages disable trigger note_message;
