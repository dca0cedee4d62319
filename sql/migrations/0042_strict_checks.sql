-- Checks of columns that are null in most rows. A strict function is not called for null, and a check that is null passes:
-- an import of businesses calls them some 400,000 times.
alter function private.are_short_texts(text[], integer, integer) strict;
alter function private.are_rating_sources(jsonb) strict;
alter function private.are_hours(jsonb) strict;
alter function private.is_phone(text) strict;
alter function private.is_web_address(text) strict;
alter function private.is_public_url(text) strict;
