-- Broadcasts that clients store for replay may expire before the others do.
alter table realtime.messages add column expires_at timestamp;
comment on column realtime.messages.expires_at is 'After which it is not replayed; null: after three days, as its partition.';
