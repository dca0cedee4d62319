-- The name that upstream gives it: projects look in all schemas for a function of
-- theirs called set_updated_at before they make one.
set local role supabase_storage_admin;
do $$
begin
  if to_regprocedure('storage.update_updated_at_column()') is null then
    alter function storage.set_updated_at() rename to update_updated_at_column;
  else
    drop function storage.set_updated_at(); -- upstream's is there, and its trigger
  end if;
end
$$;
reset role;
