-- Guides are found by their meaning.
create extension if not exists vector with schema extensions;
create table public.guides (
  id bigint primary key generated always as identity,
  title text not null,
  embedding extensions.vector(3)
);
alter table public.guides enable row level security;
create policy "Guides are public" on public.guides for select using (true);
create index on public.guides using hnsw (embedding vector_cosine_ops) with (m = 16, ef_construction = 64);

create or replace function public.match_guides(query_embedding vector(3), match_threshold float, match_count int)
returns table (id bigint, title text, similarity float)
language sql stable
as $$
  select guides.id, guides.title, 1 - (guides.embedding <=> query_embedding) as similarity
  from guides
  where 1 - (guides.embedding <=> query_embedding) > match_threshold
  order by guides.embedding <=> query_embedding
  limit match_count;
$$;

-- Watering is planned in a queue, which gardeners may fill and only the service may read.
create extension if not exists pgmq;
select pgmq.create('watering');
grant insert on pgmq.q_watering to authenticated;
grant select (msg_id) on pgmq.q_watering to authenticated;
