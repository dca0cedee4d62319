-- The supported places (RULE-22), with the documents' English names.
set local plaza.seeding = 'on';

insert into public.cities (position, slug, name, local_name, country, time_zone, latitude, longitude, is_popular, part_of, aliases) values
  (1,  'madrid',             'Madrid',                'Madrid',                'Spain',   'Europe/Madrid',    40.4168,  -3.7038, true,  null,      '{}'),
  (2,  'barcelona',          'Barcelona',             'Barcelona',             'Spain',   'Europe/Madrid',    41.3874,   2.1686, true,  null,      '{}'),
  (3,  'valencia',           'Valencia',              'València',              'Spain',   'Europe/Madrid',    39.4699,  -0.3763, true,  null,      '{}'),
  (4,  'seville',            'Seville',               'Sevilla',               'Spain',   'Europe/Madrid',    37.3891,  -5.9845, true,  null,      '{}'),
  (5,  'bilbao',             'Bilbao',                'Bilbao',                'Spain',   'Europe/Madrid',    43.2630,  -2.9350, true,  null,      '{Bilbo}'),
  (6,  'malaga',             'Malaga',                'Málaga',                'Spain',   'Europe/Madrid',    36.7213,  -4.4214, true,  null,      '{}'),
  (7,  'andorra',            'Andorra',               'Andorra',               'Andorra', 'Europe/Andorra',   42.5063,   1.5218, true,  null,      '{Principat d''Andorra}'),
  (8,  'zaragoza',           'Zaragoza',              'Zaragoza',              'Spain',   'Europe/Madrid',    41.6488,  -0.8891, false, null,      '{Saragossa}'),
  (9,  'murcia',             'Murcia',                'Murcia',                'Spain',   'Europe/Madrid',    37.9922,  -1.1307, false, null,      '{}'),
  (10, 'palma',              'Palma',                 'Palma',                 'Spain',   'Europe/Madrid',    39.5696,   2.6502, false, null,      '{Palma de Mallorca}'),
  (11, 'las-palmas',         'Las Palmas',            'Las Palmas',            'Spain',   'Atlantic/Canary',  28.1235, -15.4363, false, null,      '{Las Palmas de Gran Canaria}'),
  (12, 'andorra-la-vella',   'Andorra la Vella',      'Andorra la Vella',      'Andorra', 'Europe/Andorra',   42.5063,   1.5218, false, 'andorra', '{}'),
  (13, 'escaldes-engordany', 'Escaldes-Engordany',    'Escaldes-Engordany',    'Andorra', 'Europe/Andorra',   42.5085,   1.5388, false, 'andorra', '{Les Escaldes}'),
  (14, 'encamp',             'Encamp',                'Encamp',                'Andorra', 'Europe/Andorra',   42.5345,   1.5801, false, 'andorra', '{}'),
  (15, 'la-massana',         'La Massana',            'La Massana',            'Andorra', 'Europe/Andorra',   42.5450,   1.5148, false, 'andorra', '{}'),
  (16, 'ordino',             'Ordino',                'Ordino',                'Andorra', 'Europe/Andorra',   42.5562,   1.5332, false, 'andorra', '{}'),
  (17, 'sant-julia-de-loria','Sant Julià de Lòria',   'Sant Julià de Lòria',   'Andorra', 'Europe/Andorra',   42.4637,   1.4913, false, 'andorra', '{}'),
  (18, 'canillo',            'Canillo',               'Canillo',               'Andorra', 'Europe/Andorra',   42.5676,   1.5976, false, 'andorra', '{}')
on conflict (slug) do update set
  position = excluded.position, name = excluded.name, local_name = excluded.local_name, country = excluded.country,
  time_zone = excluded.time_zone, latitude = excluded.latitude, longitude = excluded.longitude,
  is_popular = excluded.is_popular, part_of = excluded.part_of, aliases = excluded.aliases;

-- What admins edit afterwards stays as they left it.
insert into public.url_mappings (type, original, slug)
select 'location', c.name, c.slug from public.cities c
on conflict (type, slug) do nothing;
