-- Vault, for the service role alone.
do $$
begin
  if not exists (select from pg_catalog.pg_extension where extname = 'supabase_vault') then
    create schema if not exists vault;
    create extension supabase_vault with schema vault cascade;
    revoke execute on all functions in schema vault from public;
    grant usage on schema vault to service_role;
    grant select, delete on vault.secrets, vault.decrypted_secrets to service_role;
    grant execute on all functions in schema vault to service_role;
  end if;
end
$$;
