-- The supported places (RULE-22), with the requirements' English names.
set local plaza.seeding = 'on';

insert into public.cities (position, slug, name, local_name, country, time_zone, latitude, longitude, is_popular, part_of, aliases, regions) values
  (1,  'madrid',             'Madrid',                'Madrid',                'Spain',   'Europe/Madrid',    40.4168,  -3.7038, true,  null,      '{}',                                                         '{Comunidad de Madrid,España,Espanya,Spain}'),
  (2,  'barcelona',          'Barcelona',             'Barcelona',             'Spain',   'Europe/Madrid',    41.3874,   2.1686, true,  null,      '{BCN,Barna,Barcelone}',                                      '{Cataluña,Catalunya,Catalonia,España,Espanya,Spain}'),
  (3,  'valencia',           'Valencia',              'València',              'Spain',   'Europe/Madrid',    39.4699,  -0.3763, true,  null,      '{VLC}',                                                      '{Comunidad Valenciana,Comunitat Valenciana,País Valencià,España,Espanya,Spain}'),
  (4,  'seville',            'Seville',               'Sevilla',               'Spain',   'Europe/Madrid',    37.3891,  -5.9845, true,  null,      '{Séville}',                                                  '{Andalucía,Andalusia,España,Espanya,Spain}'),
  (5,  'bilbao',             'Bilbao',                'Bilbao',                'Spain',   'Europe/Madrid',    43.2630,  -2.9350, true,  null,      '{Bilbo}',                                                    '{País Vasco,Euskadi,Basque Country,Vizcaya,Bizkaia,España,Espanya,Spain}'),
  (6,  'malaga',             'Malaga',                'Málaga',                'Spain',   'Europe/Madrid',    36.7213,  -4.4214, true,  null,      '{}',                                                         '{Andalucía,Andalusia,Costa del Sol,España,Espanya,Spain}'),
  (7,  'andorra',            'Andorra',               'Andorra',               'Andorra', 'Europe/Andorra',   42.5063,   1.5218, true,  null,      '{Principat d''Andorra,Principado de Andorra,Andorre}',       '{}'),
  (8,  'zaragoza',           'Zaragoza',              'Zaragoza',              'Spain',   'Europe/Madrid',    41.6488,  -0.8891, false, null,      '{Saragossa,Saragosse}',                                      '{Aragón,España,Espanya,Spain}'),
  (9,  'murcia',             'Murcia',                'Murcia',                'Spain',   'Europe/Madrid',    37.9922,  -1.1307, false, null,      '{}',                                                         '{Región de Murcia,España,Espanya,Spain}'),
  (10, 'palma',              'Palma',                 'Palma',                 'Spain',   'Europe/Madrid',    39.5696,   2.6502, false, null,      '{Palma de Mallorca,Ciutat de Mallorca}',                     '{Mallorca,Majorca,Baleares,Islas Baleares,Illes Balears,Balearic Islands,España,Espanya,Spain}'),
  (11, 'las-palmas',         'Las Palmas',            'Las Palmas',            'Spain',   'Atlantic/Canary',  28.1235, -15.4363, false, null,      '{Las Palmas de Gran Canaria}',                               '{Gran Canaria,Canarias,Islas Canarias,Canary Islands,España,Espanya,Spain}'),
  (12, 'andorra-la-vella',   'Andorra la Vella',      'Andorra la Vella',      'Andorra', 'Europe/Andorra',   42.5063,   1.5218, false, 'andorra', '{Andorra la Vieja,Andorre-la-Vieille}',                      '{}'),
  (13, 'escaldes-engordany', 'Escaldes-Engordany',    'Escaldes-Engordany',    'Andorra', 'Europe/Andorra',   42.5085,   1.5388, false, 'andorra', '{Les Escaldes,Las Escaldas,Engordany}',                      '{}'),
  (14, 'encamp',             'Encamp',                'Encamp',                'Andorra', 'Europe/Andorra',   42.5345,   1.5801, false, 'andorra', '{}',                                                         '{}'),
  (15, 'la-massana',         'La Massana',            'La Massana',            'Andorra', 'Europe/Andorra',   42.5450,   1.5148, false, 'andorra', '{}',                                                         '{}'),
  (16, 'ordino',             'Ordino',                'Ordino',                'Andorra', 'Europe/Andorra',   42.5562,   1.5332, false, 'andorra', '{}',                                                         '{}'),
  (17, 'sant-julia-de-loria','Sant Julià de Lòria',   'Sant Julià de Lòria',   'Andorra', 'Europe/Andorra',   42.4637,   1.4913, false, 'andorra', '{}',                                                         '{}'),
  (18, 'canillo',            'Canillo',               'Canillo',               'Andorra', 'Europe/Andorra',   42.5676,   1.5976, false, 'andorra', '{}',                                                         '{}')
on conflict (slug) do update set
  position = excluded.position, name = excluded.name, local_name = excluded.local_name, country = excluded.country,
  time_zone = excluded.time_zone, latitude = excluded.latitude, longitude = excluded.longitude,
  is_popular = excluded.is_popular, part_of = excluded.part_of, aliases = excluded.aliases, regions = excluded.regions;

-- Later edits by admins are kept.
insert into public.url_mappings (type, original, slug)
select 'location', c.name, c.slug from public.cities c
on conflict (type, slug) do nothing;
