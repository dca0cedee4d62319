-- Some 240 businesses: for each city a selection of trades, with names, places and descriptions in the local language.
-- {s} is a surname, {n} a first name, {b} a neighbourhood.
set local plaza.seeding = 'on';

create temporary table demo_places on commit drop as
select * from (values
  ('madrid', 'es', array['Malasaña','Chamberí','Lavapiés','La Latina','Salamanca','Retiro'], array['Calle de Fuencarral','Calle de Ponzano','Calle del Ave María','Calle de la Cava Baja','Calle de Velázquez','Calle de Ibiza'], '280'),
  ('barcelona', 'ca', array['Gràcia','l''Eixample','el Born','Sant Antoni','Poblenou','Sarrià'], array['Carrer de Verdi','Carrer d''Enric Granados','Passeig del Born','Carrer del Parlament','Rambla del Poblenou','Carrer Major de Sarrià'], '080'),
  ('valencia', 'es', array['Ruzafa','El Carmen','Benimaclet','El Cabanyal','Patraix'], array['Calle de Cuba','Calle de Caballeros','Calle del Poeta Asins','Calle de la Reina','Calle de Cuenca'], '460'),
  ('seville', 'es', array['Triana','Santa Cruz','La Macarena','Nervión','Los Remedios'], array['Calle Betis','Calle Mateos Gago','Calle Feria','Calle Luis Montoto','Calle Asunción'], '410'),
  ('bilbao', 'eu', array['Casco Viejo','Abando','Deusto','Indautxu'], array['Somera Kalea','Ledesma Kalea','Lehendakari Agirre Etorbidea','Calle Licenciado Poza'], '480'),
  ('malaga', 'es', array['El Soho','La Malagueta','Pedregalejo','Centro Histórico'], array['Calle Tomás Heredia','Paseo de Reding','Avenida Juan Sebastián Elcano','Calle Granada'], '290'),
  ('zaragoza', 'es', array['El Tubo','Delicias','La Magdalena'], array['Calle Estébanes','Calle Delicias','Calle Mayor'], '500'),
  ('murcia', 'es', array['Santa Eulalia','El Carmen','Vistalegre'], array['Calle Simón García','Calle Floridablanca','Ronda Norte'], '300'),
  ('palma', 'ca', array['Santa Catalina','la Llotja','es Molinar'], array['Carrer de la Fàbrica','Carrer dels Apuntadors','Carrer del Vicari Joaquim Fuster'], '070'),
  ('las-palmas', 'es', array['Vegueta','Triana','Las Canteras'], array['Calle de los Balcones','Calle Mayor de Triana','Paseo de las Canteras'], '350'),
  ('andorra-la-vella', 'ca', array['Centre Històric','Santa Coloma'], array['Avinguda Meritxell','Avinguda d''Enclar'], 'AD50'),
  ('escaldes-engordany', 'ca', array['Caldea','Engordany'], array['Avinguda Carlemany','Carrer de la Vall'], 'AD70'),
  ('encamp', 'ca', array['la Mosquera','el Pas de la Casa'], array['Avinguda de Joan Martí','Carrer Major'], 'AD20'),
  ('la-massana', 'ca', array['el Pui','Arinsal'], array['Avinguda de Sant Antoni','Carretera d''Arinsal'], 'AD40'),
  ('ordino', 'ca', array['Casc Antic','la Cortinada'], array['Carrer Major','Carretera General'], 'AD30'),
  ('sant-julia-de-loria', 'ca', array['el Fener','Nagol'], array['Avinguda Verge de Canòlich','Carrer de les Moles'], 'AD60'),
  ('canillo', 'ca', array['Soldeu','el Tarter'], array['Carretera General','Carrer de Sant Miquel'], 'AD10')
) as place (city, language, quarters, streets, postcode);

-- Trades: category, type and name patterns in Spanish and Catalan, hours, services 'name=price=minutes'.
create temporary table demo_trades on commit drop as
select row_number() over () as trade, coalesce(k.parent_category, k.category_code) as parent, t.*
from (values
  ('gyms', 'Gimnasio', 'Gimnàs', array['Gimnasio {b}','Fuerza {s}'], array['Gimnàs {b}','Força {s}'], 'long', 'Clase de entrenamiento=12=60;Entrenamiento personal=35=60;Valoración física=25=45'),
  ('yoga', 'Estudio de yoga y pilates', 'Estudi de ioga i pilates', array['Yoga {b}','Aire Pilates'], array['Ioga {b}','Respira Pilates'], 'clinic', 'Clase de yoga=14=75;Pilates con máquinas=22=60;Meditación guiada=10=45'),
  ('ski', 'Escuela de esquí', 'Escola d''esquí', array['Esquí {s}'], array['Esquí {s}','Neu i Cims'], 'daily', 'Clase particular de esquí=48=60;Curso de fin de semana=130=240;Puesta a punto de esquís=25=30'),
  ('galleries', 'Galería de arte', 'Galeria d''art', array['Galería {s}','Espacio {b}'], array['Galeria {s}','Espai {b}'], 'shop', 'Visita comentada=8=45;Taller de grabado=40=120'),
  ('flamenco', 'Tablao flamenco', 'Sala de música en viu', array['Tablao {s}','El Duende de {b}'], array['Sala {s}','L''Envelat de {b}'], 'evening', 'Espectáculo con consumición=25=75;Clase de compás=20=60'),
  ('auto-repair', 'Taller mecánico', 'Taller mecànic', array['Talleres {s} e Hijos','Taller Hermanos {s}'], array['Taller {s}','Garatge {s} i Fills'], 'office', 'Cambio de aceite y filtros=79=60;Revisión pre-ITV=45=60;Pastillas de freno=110=90;Diagnosis electrónica=40=30'),
  ('car-wash', 'Lavado de coches', 'Rentat de cotxes', array['Lavado {b}','Brillo Express'], array['Rentat {b}','Brillant Express'], 'daily', 'Lavado a mano=22=45;Limpieza de tapicería=65=120;Pulido de faros=35=45'),
  ('hair', 'Peluquería', 'Perruqueria', array['Peluquería {n}','{n} {s} Peluqueros','La Tijera de {b}'], array['Perruqueria {n}','Cabells de {b}','{n} {s} Perruquers'], 'shop', 'Corte y peinado=28=45;Color completo=55=90;Mechas=75=120;Peinado=20=30;Corte infantil=15=30'),
  ('barbers', 'Barbería', 'Barberia', array['Barbería {s}','Navaja y Brocha'], array['Barberia {s}','Cal Barber de {b}'], 'shop', 'Corte de pelo=16=30;Arreglo de barba=12=30;Corte y barba=25=60;Afeitado clásico=18=30'),
  ('beauty-salon', 'Salón de belleza', 'Saló de bellesa', array['Estética {n}','Centro de Estética {b}'], array['Estètica {n}','Saló {n} {s}'], 'shop', 'Limpieza facial=42=60;Depilación de piernas=24=45;Manicura=18=45;Tratamiento antiedad=65=75'),
  ('spa-wellness', 'Spa y masajes', 'Spa i massatges', array['Baños de {b}','Aguas de {s}'], array['Banys de {b}','Aigües de {s}'], 'daily', 'Circuito de aguas=35=90;Masaje relajante=55=60;Masaje deportivo=60=60;Ritual para dos=140=120'),
  ('language-schools', 'Academia de idiomas', 'Acadèmia d''idiomes', array['Academia {s}','Idiomas {b}'], array['Acadèmia {s}','Idiomes {b}'], 'afternoon', 'Prueba de nivel=10=30;Clase particular de inglés=26=60;Preparación de examen=30=90'),
  ('music-schools', 'Escuela de música', 'Escola de música', array['Escuela de Música {s}','Do Re {b}'], array['Escola de Música {s}','L''Aula de {b}'], 'afternoon', 'Clase de piano=28=60;Clase de guitarra=25=60;Clase de canto=30=45'),
  ('photographers', 'Estudio de fotografía', 'Estudi de fotografia', array['Foto {s}','Estudio {n} {s}'], array['Foto {s}','Estudi {n} {s}'], 'office', 'Retrato de estudio=60=60;Reportaje familiar=150=120;Fotos de carné=9=30'),
  ('catering', 'Catering y eventos', 'Càtering i esdeveniments', array['Catering {s}','Mesa y Mantel'], array['Càtering {s}','Taula Parada'], 'office', 'Degustación de menú=35=90;Consulta para bodas=20=60'),
  ('tax-advisors', 'Asesoría fiscal', 'Assessoria fiscal', array['Asesoría {s}','Gestoría {s} y Asociados'], array['Assessoria {s}','Gestoria {s} i Associats'], 'office', 'Consulta fiscal=50=45;Declaración de la renta=75=60;Alta de autónomo=60=60'),
  ('bakeries', 'Panadería', 'Forn de pa', array['Horno {s}','Panadería de {b}'], array['Forn {s}','Fleca de {b}'], 'early', 'Taller de pan de masa madre=45=180;Encargo de tarta=28=30'),
  ('coffee', 'Cafetería', 'Cafeteria', array['Café {s}','Tostado {b}'], array['Cafè de {b}','El Cafè d''en {s}'], 'early', 'Desayuno para dos=16=60;Cata de cafés=22=90'),
  ('dentists', 'Clínica dental', 'Clínica dental', array['Clínica Dental {s}','Dental {b}'], array['Clínica Dental {s}','Dental {b}'], 'clinic', 'Revisión y limpieza=55=45;Empaste=70=60;Blanqueamiento=190=90;Primera visita=25=30'),
  ('physical-therapy', 'Fisioterapia', 'Fisioteràpia', array['Fisioterapia {s}','Fisio {b}'], array['Fisioteràpia {s}','Fisio {b}'], 'clinic', 'Sesión de fisioterapia=45=60;Punción seca=50=45;Suelo pélvico=55=60'),
  ('opticians', 'Óptica', 'Òptica', array['Óptica {s}'], array['Òptica {s}'], 'shop', 'Revisión de la vista=20=30;Adaptación de lentillas=45=60'),
  ('plumbing', 'Fontanería', 'Lampisteria', array['Fontanería {s}','Fontaneros de {b}'], array['Lampisteria {s}','Aigua i Gas {s}'], 'office', 'Visita y presupuesto=30=30;Desatasco=85=60;Cambio de grifo=60=60;Revisión de caldera=75=60'),
  ('cleaning', 'Limpieza del hogar', 'Neteja de la llar', array['Limpiezas {s}','Casa Clara'], array['Neteges {s}','Casa Neta'], 'office', 'Limpieza de tres horas=54=180;Limpieza a fondo=120=360;Plancha=32=120'),
  ('locksmiths', 'Cerrajería 24 horas', 'Serralleria 24 hores', array['Cerrajería {s}'], array['Serralleria {s}'], 'always', 'Apertura de puerta=90=60;Cambio de bombín=110=60;Copia de llave de seguridad=25=30'),
  ('hotels', 'Hotel', 'Hotel', array['Hotel {b}','Hostal {s}'], array['Hotel {b}','Hostal Cal {s}'], 'always', 'Desayuno buffet=14=60;Sala de reuniones=60=120'),
  ('tours', 'Visitas guiadas', 'Visites guiades', array['Paseos por {b}','Rutas {s}'], array['Passejades per {b}','Rutes {s}'], 'daily', 'Paseo por el centro=18=120;Ruta gastronómica=55=180;Visita privada=120=150'),
  ('tailors', 'Arreglos de ropa', 'Arranjaments de roba', array['Costura {n}','El Dedal de {b}'], array['La Costura de la {n}','El Didal'], 'shop', 'Bajo de pantalón=10=30;Arreglo de chaqueta=28=45;Prueba de vestido=20=60'),
  ('phone-repair', 'Reparación de móviles', 'Reparació de mòbils', array['Móvil {s}','Pixel {b}'], array['Mòbil {s}','Píxel {b}'], 'shop', 'Cambio de pantalla=89=60;Cambio de batería=45=30;Limpieza de portátil=40=60'),
  ('print-media', 'Imprenta y revista local', 'Impremta i revista local', array['Imprenta {s}','La Gaceta de {b}'], array['Impremta {s}','El Full de {b}'], 'office', 'Diseño de cartel=60=60;Anuncio en la revista=45=30'),
  ('bars', 'Vermutería', 'Vermuteria', array['Bar {s}','Vermut {b}','Casa {n}'], array['Bar {s}','Cal {n}','El Vermut de {b}'], 'evening', 'Mesa para cuatro=0=120;Cata de vermut=24=90'),
  ('cocktail-bars', 'Coctelería', 'Cocteleria', array['Coctelería {s}','La Luna de {b}'], array['Cocteleria {s}','La Lluna de {b}'], 'late', 'Mesa reservada=10=120;Taller de cócteles=45=120'),
  ('vets', 'Clínica veterinaria', 'Clínica veterinària', array['Veterinaria {b}','Clínica Veterinaria {s}'], array['Veterinària {b}','Clínica Veterinària {s}'], 'clinic', 'Consulta=35=30;Vacunación=42=30;Limpieza dental=120=90'),
  ('pet-grooming', 'Peluquería canina', 'Perruqueria canina', array['Guau {b}','Peluditos de {n}'], array['Bup {b}','Quatre Potes'], 'shop', 'Baño y secado=28=60;Corte completo=42=90;Corte de uñas=10=30'),
  ('lawyers', 'Bufete de abogados', 'Bufet d''advocats', array['{s} Abogados','Bufete {s} y {n}'], array['{s} Advocats','Bufet {s}'], 'office', 'Primera consulta=60=45;Revisión de contrato=120=60;Herencias=90=60'),
  ('architects', 'Estudio de arquitectura', 'Estudi d''arquitectura', array['{s} Arquitectos'], array['{s} Arquitectes'], 'office', 'Consulta de reforma=70=60;Certificado energético=95=60'),
  ('libraries', 'Biblioteca de barrio', 'Biblioteca de barri', array['Biblioteca de {b}'], array['Biblioteca de {b}'], 'afternoon', 'Visita guiada=0=45;Club de lectura=0=90'),
  ('real-estate-agents', 'Agencia inmobiliaria', 'Agència immobiliària', array['Fincas {s}','Pisos {b}'], array['Finques {s}','Pisos {b}'], 'office', 'Visita a un piso=0=30;Tasación=120=60;Asesoramiento hipotecario=0=45'),
  ('churches', 'Parroquia', 'Parròquia', array['Parroquia de {b}'], array['Parròquia de {b}'], 'daily', 'Visita a la torre=5=30;Concierto de órgano=12=60'),
  ('tapas', 'Bar de tapas', 'Bar de tapes', array['Taberna {s}','Tapas {b}','Casa {s}'], array['Can {s}','Tapes de {b}'], 'dinner', 'Mesa para dos=0=90;Menú degustación=38=120'),
  ('seafood', 'Arrocería', 'Arrosseria', array['Arrocería {s}','El Puerto de {b}'], array['Arrosseria {s}','El Port de {b}'], 'dinner', 'Paella para dos=36=120;Mesa para cuatro=0=120;Taller de paella=55=180'),
  ('catalan', 'Casa de comidas', 'Borda', array['Casa de Comidas {s}','La Mesa de {n}'], array['Borda {s}','Ca la {n}','Restaurant {s}'], 'dinner', 'Menú del día=15=90;Menú degustación=42=120;Mesa para cuatro=0=120'),
  ('pizza', 'Pizzería', 'Pizzeria', array['Pizzería {n}','Forno {b}'], array['Pizzeria {n}','Forn Napolità {b}'], 'dinner', 'Mesa para dos=0=90;Taller de pizza=30=120'),
  ('fashion', 'Tienda de moda', 'Botiga de moda', array['Moda {n}','Boutique {b}'], array['Moda {n}','Botiga {b}'], 'shop', 'Asesoría de imagen=50=60;Cita privada=0=60'),
  ('bookstores', 'Librería', 'Llibreria', array['Librería {s}','La Página de {b}'], array['Llibreria {s}','La Lletra de {b}'], 'shop', 'Club de lectura=8=90;Cuentacuentos=5=45'),
  ('florists', 'Floristería', 'Floristeria', array['Flores {n}','Floristería {b}'], array['Flors {n}','Floristeria {b}'], 'shop', 'Taller de ramos=38=90;Consulta para bodas=20=45')
) as t (category, type_es, type_ca, names_es, names_ca, hours, services)
join public."categories-plaza" k on k.category_code = t.category;

create temporary table demo_hours on commit drop as
select kind, case
  when kind = 'text' then to_jsonb('Lunes a viernes de 9:30 a 13:30 y de 16:30 a 20:00; sábados con cita'::text)
  else jsonb_build_object('structured', (
    select jsonb_object_agg(weekday, jsonb_build_object(
      'open', coalesce(split_part(span, '-', 1), '09:00'), 'close', coalesce(split_part(span, '-', 2), '17:00'),
      'isOpen', span is not null, 'closed', span is null))
    from (select weekday, nullif((string_to_array(week, ' '))[place], 'x') as span
      from unnest(array['monday','tuesday','wednesday','thursday','friday','saturday','sunday'])
        with ordinality as each (weekday, place)) days))
  end as hours
from (values
  ('office',    '09:00-18:00 09:00-18:00 09:00-18:00 09:00-18:00 09:00-15:00 x x'),
  ('shop',      '10:00-20:00 10:00-20:00 10:00-20:00 10:00-20:00 10:00-20:30 10:00-14:00 x'),
  ('clinic',    '09:00-20:00 09:00-20:00 09:00-20:00 09:00-20:00 09:00-19:00 09:30-13:30 x'),
  ('daily',     '09:00-20:00 09:00-20:00 09:00-20:00 09:00-20:00 09:00-21:00 09:00-21:00 10:00-18:00'),
  ('long',      '07:00-22:30 07:00-22:30 07:00-22:30 07:00-22:30 07:00-22:00 09:00-20:00 09:00-14:00'),
  ('early',     '07:00-15:00 07:00-20:00 07:00-20:00 07:00-20:00 07:00-20:00 08:00-20:00 08:00-14:30'),
  ('afternoon', '12:00-21:00 12:00-21:00 12:00-21:00 12:00-21:00 12:00-20:00 10:00-14:00 x'),
  ('dinner',    'x 12:30-23:30 12:30-23:30 12:30-23:30 12:30-00:30 12:30-00:30 12:30-17:00'),
  ('evening',   'x 12:00-00:00 12:00-00:00 12:00-01:00 12:00-02:00 12:00-02:00 12:00-18:00'),
  ('late',      'x x 17:00-02:00 17:00-02:30 17:00-03:30 16:00-03:30 16:00-01:00'),
  ('always',    '00:00-00:00 00:00-00:00 00:00-00:00 00:00-00:00 00:00-00:00 00:00-00:00 00:00-00:00'),
  ('text', null)
) as profile (kind, week);

-- Popular cities get one trade of each of the 21 parent categories and a few more; the others a part.
create temporary table demo_businesses on commit drop as
with offered as (
  select p.*, t.*, c.latitude, c.longitude, c.country, c.time_zone, c.local_name, c.is_popular,
    row_number() over (partition by p.city, t.parent order by md5(p.city || t.category)) as within_parent,
    row_number() over (partition by p.city order by md5(p.city || t.category || 'more')) as within_city
  from demo_places p
  join public.cities c on c.slug = p.city
  cross join demo_trades t
  where t.category <> 'ski' or c.country = 'Andorra'
), chosen as (
  select *, city || ' ' || category as key
  from offered
  where (is_popular and (within_parent = 1 or within_city <= 10)) or (not is_popular and within_city <= 11)
    -- The demo owner's own.
    or (city, category) in (('barcelona', 'hair'), ('barcelona', 'tapas'), ('andorra-la-vella', 'spa-wellness'))
), named as (
  select *,
    (case language when 'ca' then array['Ferrer','Puig','Casals','Riera','Soler','Vila','Serra','Rovira','Camps','Bosch','Areny','Naudi','Molné','Torres','Pujol','Salom','Font','Mir']
      when 'eu' then array['Etxeberria','Agirre','Goikoetxea','Zubiri','Larrañaga','Ibarra','Uriarte','Mendizabal']
      else array['Montoya','Ortega','Benítez','Lahoz','Santana','Núñez','Cabrera','Peña','Ibáñez','Lozano','Gallardo','Quintana','Alarcón','Muñoz','Herrero','Márquez'] end) as surnames,
    (case language when 'ca' then array['Montserrat','Jordi','Aina','Pere','Núria','Martí','Laia','Joan'] when 'eu' then array['Maite','Iker','Ane','Mikel','Nerea','Jon']
      else array['Lola','Rafael','Carmen','Andrés','Rocío','Manuel','Inés','Tomás'] end) as first_names,
    case when language = 'ca' then names_ca else names_es end as patterns,
    case when language = 'ca' then type_ca else type_es end as type,
    1 + private.pick(key || 'quarter', cardinality(quarters)) as spot
  from chosen
)
select key, private.seed_id('business ' || key) as id, city, country, time_zone, local_name, category, parent, type, hours, services, language,
  replace(replace(replace(patterns[1 + private.pick(key || 'pattern', cardinality(patterns))],
    '{s}', surnames[1 + private.pick(key || 'surname', cardinality(surnames))]),
    '{n}', first_names[1 + private.pick(key || 'first', cardinality(first_names))]),
    '{b}', quarters[spot]) as name,
  quarters[spot] as quarter, streets[spot] as street, 1 + private.pick(key || 'number', 140) as number,
  postcode || case when country = 'Andorra' then '0' else lpad((1 + private.pick(key || 'zip', 15))::text, 2, '0') end as postcode,
  latitude + (private.pick(key || 'lat', 2000) - 1000) * case when country = 'Andorra' then 0.000004 else 0.00002 end as latitude,
  longitude + (private.pick(key || 'lon', 2000) - 1000) * case when country = 'Andorra' then 0.000004 else 0.00002 end as longitude,
  1962 + private.pick(key || 'since', 61) as since
from named;

insert into public.businesses (id, owner_id, name, type, location, address, phone, website, latitude, longitude, hours, amenities,
  description, tagline, company_values, languages, rating_sources, source, is_claimed, verification_status,
  category_code, city_slug, time_zone, created_at)
select b.id, owner.id, b.name, b.type,
  b.quarter || ', ' || b.local_name || case when b.country = 'Andorra' and b.local_name <> 'Andorra' then ', Andorra' else '' end,
  format('%s %s, %s %s', b.street, b.number, b.postcode, b.local_name),
  case when private.pick(b.key || 'phone', 10) > 0 then
    case b.country when 'Andorra' then '+376 000 ' || lpad(private.pick(b.key, 1000)::text, 3, '0')
    else '+34 000 ' || lpad(private.pick(b.key || 'a', 1000)::text, 3, '0') || ' ' || lpad(private.pick(b.key || 'b', 1000)::text, 3, '0') end end,
  case when private.pick(b.key || 'web', 3) > 0 then format('https://%s.example', left(private.company_slug(b.name), 40)) end,
  round(b.latitude::numeric, 6), round(b.longitude::numeric, 6),
  case private.pick(b.key || 'hours', 16) when 0 then null
    when 1 then (select hours from demo_hours where kind = 'text')
    else (select h.hours from demo_hours h where h.kind = b.hours) end,
  coalesce((select jsonb_agg(jsonb_build_object('name', name, 'icon', icon, 'category', kind, 'available', true) order by place)
    from (values (1, 'Free Wi-Fi', 'wifi', 'connectivity'), (2, 'Parking', 'parking', 'accessibility'),
      (3, 'Wheelchair Accessible', 'accessibility', 'accessibility'), (4, 'Pet Friendly', 'paw-print', 'policy'),
      (5, 'Air Conditioning', 'snowflake', 'comfort'), (6, 'Outdoor Seating', 'sun', 'seating'), (7, 'Delivery', 'truck', 'service'),
      (8, 'Takeout', 'shopping-bag', 'service'), (9, 'Reservations', 'calendar', 'service'), (10, 'Credit Cards', 'credit-card', 'payment')
    ) as amenity (place, name, icon, kind)
    where case when name in ('Outdoor Seating', 'Delivery', 'Takeout')
      then b.parent in ('restaurants', 'food', 'nightlife') and private.pick(b.key || name, 2) = 0
      else private.pick(b.key || name, 5) > 1 end), '[]'),
  case when b.language = 'ca' then format((array[
      '%1$s obre la porta a %2$s des del %3$s. Som un equip petit que treballa sense presses i explica cada pas abans de començar.',
      'Des del %3$s, veïns i visitants de %2$s confien en %1$s. Treballem amb cita perquè ningú no hagi d''esperar.',
      '%1$s és un negoci familiar de %2$s, ja en segona generació. Vam començar el %3$s i encara ens agrada saludar pel nom.'
    ])[1 + private.pick(b.key || 'about', 3)], b.name, b.quarter, b.since)
    else format((array[
      '%1$s abrió sus puertas en %2$s en %3$s. Somos un equipo pequeño que trabaja sin prisas y explica cada paso antes de empezar.',
      'Desde %3$s, vecinos y visitantes de %2$s confían en %1$s. Trabajamos con cita para que nadie tenga que esperar.',
      '%1$s es un negocio familiar de %2$s, ya en segunda generación. Empezamos en %3$s y seguimos saludando por el nombre.',
      'En %1$s cuidamos los detalles: materiales buenos, precios claros y un trato cercano. Nos encontrarás en %2$s desde %3$s.'
    ])[1 + private.pick(b.key || 'about', 4)], b.name, b.quarter, b.since) end,
  (case when b.language = 'ca' then array['A prop de casa, com sempre', 'Fet amb cura i amb temps', 'El teu barri, la teva gent', 'Qualitat sense sorpreses']
    else array['Cerca de casa, como siempre', 'Hecho con cuidado y con tiempo', 'Tu barrio, tu gente', 'Calidad sin sorpresas'] end)[1 + private.pick(b.key || 'tag', 4)],
  array['Puntualidad', 'Trato cercano', 'Precios claros'],
  case b.language when 'ca' then array['Català', 'Castellano', 'English'] when 'eu' then array['Castellano', 'Euskara'] else array['Castellano', 'English'] end,
  case when private.pick(b.key || 'sources', 3) = 0 then jsonb_build_array(jsonb_build_object('source', 'Guía local',
    'rating', 3.6 + private.pick(b.key || 'score', 14) / 10.0, 'count', 8 + private.pick(b.key || 'votes', 140))) end,
  'seeded', owner.id is not null, case when owner.id is not null then 'verified' else 'unverified' end,
  b.category, b.city, b.time_zone, now() - make_interval(days => private.pick(b.key || 'created', 900), mins => private.pick(b.key, 1440))
from demo_businesses b
left join lateral (
  select case
    when b.key in ('barcelona hair', 'barcelona tapas', 'andorra-la-vella spa-wellness') then private.seed_id('owner@plaza.test')
    when private.pick(b.key || 'owned', 10) < 6 then (
      select p.id from private.profiles p where p.role = 'owner' and p.id <> private.seed_id('owner@plaza.test')
      order by md5(b.key || p.id) limit 1) end as id
) owner on true
on conflict (id) do nothing;

insert into public.services (id, business_id, name, description, price, duration)
select private.seed_id(format('service %s %s', b.key, place)), b.id, split_part(service, '=', 1),
  case when private.pick(b.key || service, 2) = 0 then 'Incluye todo el material. Puedes cancelar sin coste antes de la hora.' end,
  round(split_part(service, '=', 2)::numeric * (90 + private.pick(b.key || 'level', 26)) / 50) / 2,
  split_part(service, '=', 3)::integer
from demo_businesses b, string_to_table(b.services, ';') with ordinality as each (service, place)
on conflict (id) do nothing;

insert into public.business_categories (business_id, category_id)
select b.id, c.id
from demo_businesses b
join public."categories-plaza" k on k.category_code = b.parent
join public.categories c on lower(c.name) = lower(k.category_name)
on conflict do nothing;
