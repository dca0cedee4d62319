revoke all on public.import_rows from anon, authenticated;
grant select on public.import_rows to authenticated;
