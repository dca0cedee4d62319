-- What visitors do, the table with the most writes, by business. It has no triggers and no policies, and only functions
-- of its owner read and write it.
select create_distributed_table('private.business_events', 'business_id');
