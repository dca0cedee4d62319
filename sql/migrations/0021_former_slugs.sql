-- Every slug that a business once had, so that all its former addresses lead to it;
-- businesses.old_slug holds only the last one.
create table public.business_former_slugs (
  slug text primary key check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and char_length(slug) <= 50),
  business_id uuid not null references public.businesses (id) on delete cascade,
  created_at timestamptz not null default now()
);
create index business_former_slugs_business_idx on public.business_former_slugs (business_id);
comment on table public.business_former_slugs is 'Slugs that businesses had before they were renamed. A slug leads to the first business that had it.';

insert into public.business_former_slugs (slug, business_id)
select b.old_slug, b.id from public.businesses b
where b.old_slug is distinct from b.slug and b.old_slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'
order by b.created_at
on conflict (slug) do nothing;
