-- share_found also returns how many pages of the sample have hits (functions/search_results.sql). This replaces finds_most,
-- which counted in a part of the table.
drop function if exists private.share_found(tsquery, private.search);
drop function if exists private.finds_most(private.search, integer, numeric);
