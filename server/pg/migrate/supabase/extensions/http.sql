-- http's types and functions, in the schema extensions; each call says that
-- requests cannot be sent from here.
do $$
begin
  if to_regtype('extensions.http_request') is null then
    create domain extensions.http_method as text;
    create type extensions.http_header as (field varchar, value varchar);
    create type extensions.http_request as (
      method extensions.http_method, uri varchar, headers extensions.http_header[], content_type varchar, content varchar);
    create type extensions.http_response as (status integer, content_type varchar, headers extensions.http_header[], content varchar);
  end if;
end
$$;
create or replace function extensions.http(request extensions.http_request) returns extensions.http_response
  language plpgsql
  as $$ begin raise feature_not_supported using message = format('cannot request %s: the extension http is not part of this PostgreSQL', request.uri); end $$;
create or replace function extensions.http_header(field varchar, value varchar) returns extensions.http_header
  language sql immutable
  as $$ select field, value $$;
create or replace function extensions.http_get(uri varchar) returns extensions.http_response
  language sql
  as $$ select extensions.http(row('GET', uri, null, null, null)::extensions.http_request) $$;
create or replace function extensions.http_get(uri varchar, data jsonb) returns extensions.http_response
  language sql
  as $$ select extensions.http(row('GET', uri, null, null, data)::extensions.http_request) $$;
create or replace function extensions.http_head(uri varchar) returns extensions.http_response
  language sql
  as $$ select extensions.http(row('HEAD', uri, null, null, null)::extensions.http_request) $$;
create or replace function extensions.http_post(uri varchar, content varchar, content_type varchar) returns extensions.http_response
  language sql
  as $$ select extensions.http(row('POST', uri, null, content_type, content)::extensions.http_request) $$;
create or replace function extensions.http_post(uri varchar, data jsonb) returns extensions.http_response
  language sql
  as $$ select extensions.http(row('POST', uri, null, 'application/x-www-form-urlencoded', data)::extensions.http_request) $$;
create or replace function extensions.http_put(uri varchar, content varchar, content_type varchar) returns extensions.http_response
  language sql
  as $$ select extensions.http(row('PUT', uri, null, content_type, content)::extensions.http_request) $$;
create or replace function extensions.http_patch(uri varchar, content varchar, content_type varchar) returns extensions.http_response
  language sql
  as $$ select extensions.http(row('PATCH', uri, null, content_type, content)::extensions.http_request) $$;
create or replace function extensions.http_delete(uri varchar) returns extensions.http_response
  language sql
  as $$ select extensions.http(row('DELETE', uri, null, null, null)::extensions.http_request) $$;
create or replace function extensions.http_delete(uri varchar, content varchar, content_type varchar) returns extensions.http_response
  language sql
  as $$ select extensions.http(row('DELETE', uri, null, content_type, content)::extensions.http_request) $$;
