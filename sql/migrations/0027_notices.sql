-- Notices by mail: what users want to be mailed about, and the mails on their way.

create table public.notification_settings (
  user_id uuid not null default auth.uid() references public.profiles (id) on delete cascade,
  kind text not null constraint notification_settings_kind_check check (kind in
    ('booking_asked', 'booking_answered', 'booking_changed', 'booking_reminder', 'message_unread', 'review_asked')),
  by_mail boolean not null default true,
  primary key (user_id, kind)
);
comment on table public.notification_settings is 'What a user is mailed about. A kind without a row is on.';

create table private.mail_outbox (
  id uuid primary key default gen_random_uuid(),
  -- What the mail tells of, so that nothing is told twice.
  event text not null unique constraint mail_outbox_event_size check (char_length(event) between 1 and 200),
  user_id uuid not null references public.profiles (id) on delete cascade,
  kind text not null constraint mail_outbox_kind_check check (kind in
    ('booking_asked', 'booking_answered', 'booking_changed', 'booking_reminder', 'message_unread', 'review_asked')),
  booking_id uuid references public.bookings (id) on delete cascade,
  message_id uuid references public.messages (id) on delete cascade,
  subject text not null constraint mail_outbox_subject_check
    check (char_length(subject) between 1 and 200 and subject !~ '[[:cntrl:]]'),
  content text not null constraint mail_outbox_content_size check (char_length(content) between 1 and 2000),
  action text not null constraint mail_outbox_action_size check (char_length(action) between 1 and 60),
  link text not null constraint mail_outbox_link_check check (link ~ '^/([^/\\\s]\S*)?$' and char_length(link) <= 500),
  state text not null default 'waiting' constraint mail_outbox_state_check check (state in
    ('waiting', 'sending', 'sent', 'failed', 'expired', 'unwanted', 'uncertain')),
  tries integer not null default 0,
  due_at timestamptz not null,
  expires_at timestamptz not null,
  changed_at timestamptz not null default now(),
  last_error text constraint mail_outbox_last_error_size check (char_length(last_error) <= 500),
  created_at timestamptz not null default now()
);
comment on table private.mail_outbox is
  'Notices by mail, written in the transaction of what they tell of. Only waiting ones are ever sent; one whose sending began and did not end becomes uncertain.';
comment on column private.mail_outbox.changed_at is 'When the state changed.';
comment on column private.mail_outbox.link is 'The page of this site that the mail leads to.';

create index mail_outbox_due_idx on private.mail_outbox (due_at) where state = 'waiting';
create index mail_outbox_sending_idx on private.mail_outbox (changed_at) where state = 'sending';
create index mail_outbox_done_idx on private.mail_outbox (changed_at) where state not in ('waiting', 'sending');
create index mail_outbox_user_recent_idx on private.mail_outbox (user_id, created_at);
create index mail_outbox_booking_idx on private.mail_outbox (booking_id);
create index mail_outbox_message_idx on private.mail_outbox (message_id);
