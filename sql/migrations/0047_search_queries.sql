-- A search has several queries, and steps of the ranking by which hits are gathered (functions/search_results.sql).
alter type private.search rename attribute query to queries;
alter type private.search alter attribute queries type tsquery[];
alter type private.search rename attribute strict to intended;
alter type private.search add attribute best_steps integer[];
drop function if exists private.filters_query(private.search);
drop function if exists private.share_found(tsquery, private.search);
drop function if exists private.is_broad(tsquery, private.search);
drop function if exists private.is_among_best(private.search);
drop function if exists private.first_word(tsquery);
drop function if exists private.estimated_rows(tsquery);
drop function if exists private.sampled_rows();
