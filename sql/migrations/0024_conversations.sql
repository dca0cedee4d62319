-- A conversation is between one customer and one owner about one business. It outlives
-- each of the three.
create table public.conversations (
  id uuid primary key default gen_random_uuid(),
  business_id uuid references public.businesses (id) on delete set null,
  customer_id uuid references public.profiles (id) on delete set null,
  owner_id uuid references public.profiles (id) on delete set null,
  blocked_by_customer boolean not null default false,
  blocked_by_owner boolean not null default false,
  last_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  constraint conversations_parties_key unique (business_id, customer_id, owner_id)
);
create index conversations_customer_idx on public.conversations (customer_id, last_at desc);
create index conversations_owner_idx on public.conversations (owner_id, last_at desc);

alter table public.messages
  add column conversation_id uuid references public.conversations (id) on delete cascade,
  add column attachments text[] not null default '{}'
    constraint messages_attachments_check check (private.are_short_texts(attachments, 4, 200)),
  drop constraint messages_content_check,
  add constraint messages_content_check check (char_length(content) <= 2000 and (btrim(content) <> '' or cardinality(attachments) > 0));
comment on column public.messages.attachments is 'Names of objects in the bucket message-photos.';

insert into public.conversations (business_id, customer_id, owner_id, last_at, created_at)
select m.business_id, parties.customer, parties.owner, max(m.created_at), min(m.created_at)
from public.messages m
left join public.businesses b on b.id = m.business_id
cross join lateral (select
  case when m.sender_id = b.owner_id then m.recipient_id else m.sender_id end as customer,
  case when m.sender_id = b.owner_id then m.sender_id else m.recipient_id end as owner) parties
group by 1, 2, 3;
update public.messages m set conversation_id = c.id
from public.messages x
left join public.businesses b on b.id = x.business_id
join public.conversations c on c.business_id is not distinct from x.business_id
  and c.customer_id is not distinct from case when x.sender_id = b.owner_id then x.recipient_id else x.sender_id end
  and c.owner_id is not distinct from case when x.sender_id = b.owner_id then x.sender_id else x.recipient_id end
where x.id = m.id;

create index messages_conversation_idx on public.messages (conversation_id, created_at desc, id);
create index messages_conversation_unread_idx on public.messages (conversation_id, recipient_id) where not read;
create index messages_attachments_idx on public.messages using gin (attachments) where attachments <> '{}';
drop function if exists public.conversations();

-- What is told of a conversation leads to it.
update public.notifications set link = '/messages' where type = 'message' and link like '/messages?business=%';
