-- The rows of a part of plaza.volume businesses, for search and load tests: cities in proportion to their size, every
-- category, and realistic ratings. The files run once per part and add to the existing rows. For each 20 businesses there are
-- ten accounts, a business that can be booked, whose owner is one of the accounts, and a hundred bookings of it.
set local plaza.seeding = 'on';
set local work_mem = '256MB';
-- If a crash loses a part, the next run loads it again.
set local synchronous_commit = off;

create temporary table volume_types on commit drop as
select row_number() over (order by s.category_slug, s.synonym_term) as place, s.category_slug,
  upper(left(s.synonym_term, 1)) || substr(s.synonym_term, 2) as type
from public.category_synonyms s
join public."categories-plaza" k on k.category_code = s.category_slug and k.category_level = 2
where s.language_code in ('es', 'ca') and s.priority >= 76;

create temporary table volume_places on commit drop as
select c.slug, c.local_name, c.country, c.time_zone, c.latitude, c.longitude,
  sum(weight) over (order by c.slug) - weight as from_share, sum(weight) over (order by c.slug) as to_share
from public.cities c
join (values ('madrid', 225), ('barcelona', 200), ('valencia', 95), ('seville', 85), ('malaga', 75), ('zaragoza', 70), ('bilbao', 60),
  ('murcia', 50), ('palma', 50), ('las-palmas', 45), ('andorra-la-vella', 15), ('escaldes-engordany', 10), ('encamp', 6),
  ('la-massana', 4), ('ordino', 3), ('sant-julia-de-loria', 4), ('canillo', 3)) as size (slug, weight) using (slug);

create temporary table volume_rows on commit drop as
with words as (
  select
    array['Montoya','Ortega','Benítez','Lahoz','Santana','Núñez','Cabrera','Peña','Ibáñez','Lozano','Gallardo','Quintana','Alarcón','Muñoz',
      'Herrero','Márquez','Ferrer','Puig','Casals','Riera','Soler','Vila','Serra','Rovira','Camps','Bosch','Areny','Naudí','Torres','Pujol',
      'Etxeberria','Agirre','Zubiri','Larrañaga','Ibarra','Uriarte','García','Martínez','López','Sánchez','Pérez','Gómez','Díaz','Álvarez',
      'Romero','Navarro','Vázquez','Ramos','Gil','Serrano','Molina','Castro','Ortiz','Rubio','Sanz','Iglesias','Medina','Cortés','Castillo','Vega'] as surnames,
    array['Lola','Rafael','Carmen','Andrés','Rocío','Manuel','Inés','Tomás','Montserrat','Jordi','Aina','Pere','Núria','Martí','Laia','Joan',
      'Maite','Iker','Ane','Mikel','Sofía','Hugo','Elena','Diego','Paula','Óscar','Begoña','Íñigo','Úrsula','Ángel'] as firsts,
    array['Sol','Luna','Norte','Mar','Azahar','Olivo','Brisa','Alameda','Mirador','Jardín','Fuente','Puerto','Plaza','Rambla','Muralla','Faro',
      'Ribera','Arco','Torre','Campana'] as things
), numbered as (
  select n, private.pick('volume type ' || n, (select count(*)::integer from volume_types)) as type_at,
    private.pick('volume city ' || n, 1000) as share, private.pick('volume name ' || n, 1000000) as dice
  from (
    select case when is_called then last_value else 0 end + step as n
    from private.business_display_ids, generate_series(1, current_setting('plaza.volume')::integer) as step
  ) fresh
)
select numbered.n, private.seed_id('volume ' || n) as id, t.type, t.category_slug, p.*, dice,
  case dice % 5
    when 0 then t.type || ' ' || surnames[1 + dice / 5 % 60]
    when 1 then firsts[1 + dice / 5 % 30] || ' ' || surnames[1 + dice / 150 % 60]
    when 2 then t.type || ' ' || things[1 + dice / 5 % 20]
    when 3 then things[1 + dice / 5 % 20] || ' de ' || surnames[1 + dice / 100 % 60]
    else t.type || ' ' || firsts[1 + dice / 5 % 30] || ' ' || surnames[1 + dice / 150 % 60] end as name,
  things[1 + dice / 7 % 20] as street
from words, numbered
join volume_types t on t.place = type_at + 1
join volume_places p on share >= from_share and share < to_share;

-- Every second business comes with an account.
create temporary table volume_people on commit drop as
select row_number() over (order by n) - 1 as place, n, private.seed_id('volume user ' || n) as id, split_part(name, ' ', 1) || ' ' || n as name
from volume_rows where n % 2 = 0;
create unique index on volume_people (place);
analyze volume_rows, volume_people;
