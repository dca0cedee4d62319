-- A sample tells in how many pages it has hits, too (search_results.sql), and so what counts have read a part of the table for.
drop function if exists private.share_found(tsquery, private.search);
drop function if exists private.finds_most(private.search, integer, numeric);
