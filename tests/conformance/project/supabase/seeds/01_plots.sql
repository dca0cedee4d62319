insert into public.plots (name, width, depth, state, gardener_id) values
  ('Orchard corner', 4, 2.5, 'free', null), ('Pond side', 3, 3, 'free', null), ('North wall', 2, 6, 'resting', null), ('Shed row', 2, 2, 'taken', null);
