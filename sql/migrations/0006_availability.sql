-- An open day holds at least one slot, a closed one none, and slots are ordered and apart (METRICS-28, METRICS-29).
create function private.are_day_slots(is_open boolean, slots jsonb) returns boolean
  language sql immutable parallel safe
  set search_path = ''
  as $$
    select jsonb_typeof(slots) = 'array'
      and (jsonb_array_length(slots) > 0) = is_open
      and jsonb_array_length(slots) <= 12
      and not exists (
        select from (
          select slot ->> 'start' as starts, slot ->> 'end' as ends,
            lag(slot ->> 'end') over (order by place) as earlier_end
          from jsonb_array_elements(slots) with ordinality as each (slot, place)
        ) day
        where starts is null or ends is null
          or starts !~ '^([01][0-9]|2[0-3]):(00|30)$'
          or ends !~ '^(([01][0-9]|2[0-3]):(00|30)|24:00)$'
          or ends <= starts or starts < earlier_end
      )
  $$;

create table public.business_availability (
  business_id uuid not null references public.businesses (id) on delete cascade,
  weekday text not null check (weekday in ('monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday')),
  is_open boolean not null,
  slots jsonb not null default '[]',
  updated_at timestamptz not null default now(),
  primary key (business_id, weekday),
  check (private.are_day_slots(is_open, slots))
);
comment on column public.business_availability.slots is '[{"start": "09:00", "end": "17:00"}, …], wall time of the business, in steps of 30 minutes.';

create table public.blackout_dates (
  business_id uuid not null references public.businesses (id) on delete cascade,
  blackout_date date not null,
  created_at timestamptz not null default now(),
  primary key (business_id, blackout_date)
);
