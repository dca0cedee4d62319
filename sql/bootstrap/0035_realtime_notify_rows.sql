-- A statement's trigger, even one that is disabled, makes PostgreSQL keep 8 KB until the end of the transaction for each
-- subtransaction that inserts, and each realtime.send is one. A row's trigger does not.
do $$
declare
  enabled constant boolean := exists (select from pg_catalog.pg_trigger
    where tgrelid = 'realtime.messages'::regclass and tgname = 'note_message' and tgenabled <> 'D');
begin
  create or replace trigger note_message after insert on realtime.messages
    for each row execute function realtime.note_message();
  if not enabled then
    alter table realtime.messages disable trigger note_message;
  end if;
end
$$;
