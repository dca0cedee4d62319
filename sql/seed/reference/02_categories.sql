-- The 21 parents of NAV-09 with their children, and what people call them: terms
-- in Spanish | Catalan | English, commas between.
set local plaza.seeding = 'on';

create temporary table category_terms on commit drop as
select row_number() over () as place, * from (values
  (null, 'active', 'Active Life', '🏃', 'deporte,deportes,vida activa', 'esport,esports,vida activa', 'sports,fitness'),
  ('active', 'gyms', 'Gyms', null, 'gimnasio,musculación,crossfit', 'gimnàs', 'gym,fitness center'),
  ('active', 'yoga', 'Yoga & Pilates', null, 'yoga,pilates,meditación', 'ioga,pilates', 'yoga studio'),
  ('active', 'outdoor-sports', 'Outdoor Sports', null, 'senderismo,escalada,surf,deportes de aventura', 'senderisme,escalada,aventura', 'hiking,climbing,surf school'),
  ('active', 'ski', 'Ski & Snowboard', null, 'esquí,alquiler de esquís,snowboard', 'esquí,lloguer d''esquís', 'ski rental,ski school'),
  (null, 'arts', 'Arts & Entertainment', '🎭', 'arte,ocio,espectáculos', 'art,oci,espectacles', 'arts,entertainment'),
  ('arts', 'galleries', 'Art Galleries', null, 'galería de arte,galería', 'galeria d''art', 'art gallery'),
  ('arts', 'theaters', 'Theaters', null, 'teatro,sala de teatro', 'teatre', 'theatre'),
  ('arts', 'flamenco', 'Flamenco & Live Music', null, 'tablao,flamenco,música en directo', 'música en viu', 'live music'),
  (null, 'auto', 'Automotive', '🚗', 'coche,coches,automóvil,motor', 'cotxe,cotxes,automoció', 'car,cars,automobile'),
  ('auto', 'auto-repair', 'Auto Repair', null, 'taller,taller mecánico,mecánico,taller de coches', 'taller mecànic,mecànic', 'car repair,mechanic,garage'),
  ('auto', 'car-wash', 'Car Wash', null, 'lavado de coches,autolavado', 'rentat de cotxes', 'car cleaning'),
  ('auto', 'tires', 'Tires', null, 'neumáticos,ruedas', 'pneumàtics', 'tyres'),
  ('auto', 'motorcycles', 'Motorcycles', null, 'motos,taller de motos', 'motos', 'motorbike'),
  (null, 'beautysvc', 'Beauty & Spas', '💇', 'belleza,estética', 'bellesa,estètica', 'beauty'),
  ('beautysvc', 'hair', 'Hair Salons', null, 'peluquería,pelo,corte de pelo,tinte', 'perruqueria,tall de cabell', 'hairdresser,haircut'),
  ('beautysvc', 'barbers', 'Barbers', null, 'barbería,barbero,afeitado', 'barberia,barber', 'barber shop,shave'),
  ('beautysvc', 'beauty-salon', 'Beauty Salon', null, 'salón de belleza,centro de estética,depilación,maquillaje', 'saló de bellesa,centre d''estètica,depilació', 'waxing,make-up'),
  ('beautysvc', 'spa-wellness', 'Spa & Wellness', null, 'spa,balneario,masaje,masajes,bienestar', 'balneari,massatge,benestar', 'massage,wellness,thermal baths'),
  ('beautysvc', 'nails', 'Nail Salons', null, 'uñas,manicura,pedicura', 'ungles,manicura', 'nails,manicure'),
  (null, 'education', 'Education', '🎓', 'educación,formación,clases', 'educació,formació,classes', 'lessons,courses'),
  ('education', 'language-schools', 'Language Schools', null, 'academia de idiomas,inglés,idiomas', 'acadèmia d''idiomes,anglès', 'languages,english classes'),
  ('education', 'tutoring', 'Tutoring', null, 'clases particulares,repaso,academia', 'classes particulars,reforç', 'tutor'),
  ('education', 'music-schools', 'Music Schools', null, 'escuela de música,piano,guitarra', 'escola de música', 'music lessons'),
  ('education', 'driving-schools', 'Driving Schools', null, 'autoescuela,carné de conducir', 'autoescola,carnet de conduir', 'driving lessons'),
  (null, 'eventservices', 'Event Planning & Services', '🎉', 'eventos,organización de eventos,fiestas', 'esdeveniments,festes', 'events,parties'),
  ('eventservices', 'photographers', 'Photographers', null, 'fotógrafo,fotografía,reportaje', 'fotògraf,fotografia', 'photography,photo studio'),
  ('eventservices', 'weddings', 'Wedding Planning', null, 'bodas,organización de bodas', 'casaments,bodes', 'wedding planner'),
  ('eventservices', 'catering', 'Caterers', null, 'catering,banquetes', 'càtering,banquets', 'caterer'),
  (null, 'financialservices', 'Financial Services', '💶', 'finanzas,servicios financieros', 'finances,serveis financers', 'finance,money'),
  ('financialservices', 'insurance', 'Insurance', null, 'seguros,aseguradora', 'assegurances', 'insurer'),
  ('financialservices', 'tax-advisors', 'Tax Advisors', null, 'asesoría fiscal,gestoría,declaración de la renta', 'assessoria fiscal,gestoria', 'tax,tax return'),
  (null, 'food', 'Food', '🥖', 'alimentación,comida', 'alimentació,menjar', 'groceries'),
  ('food', 'bakeries', 'Bakeries', null, 'panadería,pastelería,horno', 'forn,fleca,pastisseria', 'bakery,bread,cakes'),
  ('food', 'coffee', 'Coffee & Tea', null, 'cafetería,café,té', 'cafeteria,cafè,te', 'coffee shop,tea room'),
  ('food', 'ice-cream', 'Ice Cream', null, 'heladería,helados', 'gelateria,gelats', 'gelato'),
  ('food', 'delicatessen', 'Delicatessen', null, 'charcutería,quesería,jamón,ultramarinos', 'xarcuteria,formatgeria,colmado', 'deli,cheese,ham'),
  (null, 'health', 'Health & Medical', '🩺', 'salud,médico,clínica', 'salut,metge,clínica', 'doctor,clinic,medical'),
  ('health', 'dentists', 'Dentists', null, 'dentista,clínica dental,odontología,ortodoncia', 'dentista,clínica dental', 'dental clinic,orthodontist'),
  ('health', 'physical-therapy', 'Physical Therapy', null, 'fisioterapia,fisioterapeuta,osteopatía', 'fisioteràpia,fisioterapeuta', 'physio,physiotherapist'),
  ('health', 'psychologists', 'Psychologists', null, 'psicólogo,psicología,terapia', 'psicòleg,psicologia', 'psychology,therapy,counselling'),
  ('health', 'opticians', 'Opticians', null, 'óptica,gafas,lentillas', 'òptica,ulleres', 'glasses,eye test'),
  (null, 'homeservices', 'Home Services', '🔧', 'hogar,reformas,servicios para el hogar', 'llar,reformes', 'home improvement'),
  ('homeservices', 'plumbing', 'Plumbing', null, 'fontanero,fontanería,desatascos', 'lampista,lampisteria', 'plumber'),
  ('homeservices', 'electricians', 'Electricians', null, 'electricista,electricidad', 'electricista,electricitat', 'electrician'),
  ('homeservices', 'locksmiths', 'Locksmiths', null, 'cerrajero,cerrajería,llaves', 'manyà,serralleria,claus', 'locksmith,keys'),
  ('homeservices', 'cleaning', 'Home Cleaning', null, 'limpieza,limpieza del hogar', 'neteja', 'cleaner'),
  ('homeservices', 'gardening', 'Gardeners', null, 'jardinería,jardinero,plantas', 'jardineria,jardiner', 'gardener,landscaping'),
  (null, 'hotelstravel', 'Hotels & Travel', '🧳', 'hoteles,viajes,turismo', 'hotels,viatges,turisme', 'travel,tourism'),
  ('hotelstravel', 'hotels', 'Hotels', null, 'hotel,hostal,alojamiento,pensión', 'hotel,hostal,allotjament', 'hostel,guest house'),
  ('hotelstravel', 'tours', 'Tours', null, 'visitas guiadas,excursiones,guía turístico', 'visites guiades,excursions', 'guided tours,guide'),
  (null, 'localservices', 'Local Services', '🧵', 'servicios locales', 'serveis locals', 'services'),
  ('localservices', 'tailors', 'Sewing & Alterations', null, 'arreglos de ropa,modista,costura,sastre', 'arranjaments de roba,modista', 'tailor,alterations'),
  ('localservices', 'shoe-repair', 'Shoe Repair', null, 'zapatero,reparación de calzado', 'sabater,reparació de calçat', 'cobbler'),
  ('localservices', 'phone-repair', 'Phone & Computer Repair', null, 'reparación de móviles,informática,ordenadores', 'reparació de mòbils,informàtica', 'phone repair,computer repair'),
  ('localservices', 'laundry', 'Laundry', null, 'lavandería,tintorería', 'bugaderia,tintoreria', 'dry cleaning'),
  (null, 'massmedia', 'Mass Media', '📰', 'medios,medios de comunicación', 'mitjans de comunicació', 'media'),
  ('massmedia', 'radio-stations', 'Radio Stations', null, 'radio,emisora', 'ràdio,emissora', 'radio'),
  ('massmedia', 'print-media', 'Print Media', null, 'periódico,revista,imprenta', 'diari,revista,impremta', 'newspaper,magazine,printing'),
  (null, 'nightlife', 'Nightlife', '🍸', 'vida nocturna,noche,copas', 'vida nocturna,nit,copes', 'night out'),
  ('nightlife', 'bars', 'Bars', null, 'bar,taberna,vermutería,cervecería', 'bar,taverna,vermuteria', 'pub,tavern'),
  ('nightlife', 'cocktail-bars', 'Cocktail Bars', null, 'coctelería,cócteles', 'cocteleria,còctels', 'cocktails'),
  ('nightlife', 'clubs', 'Dance Clubs', null, 'discoteca,club', 'discoteca', 'disco,nightclub'),
  (null, 'pets', 'Pets', '🐾', 'mascotas,animales', 'mascotes,animals', 'animals'),
  ('pets', 'vets', 'Veterinarians', null, 'veterinario,clínica veterinaria', 'veterinari,clínica veterinària', 'vet,animal hospital'),
  ('pets', 'pet-grooming', 'Pet Grooming', null, 'peluquería canina,perros', 'perruqueria canina,gossos', 'dog grooming'),
  (null, 'professional', 'Professional Services', '💼', 'servicios profesionales', 'serveis professionals', 'professionals'),
  ('professional', 'lawyers', 'Lawyers', null, 'abogado,abogados,bufete', 'advocat,advocats,bufet', 'lawyer,law firm,solicitor'),
  ('professional', 'architects', 'Architects', null, 'arquitecto,estudio de arquitectura', 'arquitecte,estudi d''arquitectura', 'architecture'),
  ('professional', 'marketing', 'Marketing & Design', null, 'diseño gráfico,marketing,páginas web', 'disseny gràfic,màrqueting', 'web design,graphic design'),
  (null, 'publicservices', 'Public Services & Government', '🏛️', 'servicios públicos,ayuntamiento', 'serveis públics,ajuntament,comú', 'government,town hall'),
  ('publicservices', 'libraries', 'Libraries', null, 'biblioteca', 'biblioteca', 'library'),
  ('publicservices', 'community-centers', 'Community Centers', null, 'centro cívico,centro social', 'centre cívic', 'community center'),
  (null, 'realestate', 'Real Estate', '🏠', 'inmobiliaria,pisos,vivienda', 'immobiliària,pisos,habitatge', 'property,flats'),
  ('realestate', 'real-estate-agents', 'Real Estate Agents', null, 'agencia inmobiliaria,alquiler de pisos', 'agència immobiliària,lloguer de pisos', 'estate agent'),
  ('realestate', 'property-management', 'Property Management', null, 'administrador de fincas', 'administrador de finques', 'property manager'),
  (null, 'religiousorgs', 'Religious Organizations', '⛪', 'religión,organizaciones religiosas', 'religió', 'religion'),
  ('religiousorgs', 'churches', 'Churches', null, 'iglesia,parroquia,ermita', 'església,parròquia', 'church,parish'),
  (null, 'restaurants', 'Restaurants', '🍽️', 'restaurante,comer,cenar', 'restaurant,dinar,sopar', 'dining,eat'),
  ('restaurants', 'spanish', 'Spanish', null, 'cocina española,asador,casa de comidas', 'cuina espanyola', 'spanish food'),
  ('restaurants', 'tapas', 'Tapas Bars', null, 'tapas,pinchos,pintxos,raciones', 'tapes', 'tapas'),
  ('restaurants', 'catalan', 'Catalan', null, 'cocina catalana', 'cuina catalana,borda,braseria', 'catalan food'),
  ('restaurants', 'seafood', 'Seafood & Paella', null, 'marisquería,arrocería,paella,pescado', 'marisqueria,arrosseria,paella,peix', 'seafood,fish,rice'),
  ('restaurants', 'pizza', 'Pizza', null, 'pizzería,italiano', 'pizzeria,italià', 'italian,pizzeria'),
  ('restaurants', 'vegetarian', 'Vegetarian', null, 'vegetariano,vegano', 'vegetarià,vegà', 'vegan'),
  (null, 'shopping', 'Shopping', '🛍️', 'compras,tiendas,comercio', 'compres,botigues,comerç', 'shops,stores'),
  ('shopping', 'fashion', 'Fashion', null, 'moda,ropa,boutique', 'moda,roba', 'clothes,clothing'),
  ('shopping', 'bookstores', 'Bookstores', null, 'librería,libros', 'llibreria,llibres', 'books'),
  ('shopping', 'florists', 'Florists', null, 'floristería,flores', 'floristeria,flors', 'flowers'),
  ('shopping', 'sporting-goods', 'Sporting Goods', null, 'tienda de deportes,bicicletas', 'botiga d''esports,bicicletes', 'bikes,sports shop')
) as term (parent, code, name, icon, es, ca, en);

insert into public."categories-plaza" (category_name, category_code, category_level, parent_category)
select name, code, case when parent is null then 1 else 2 end, parent from category_terms order by place
on conflict (category_code) do update set
  category_name = excluded.category_name, category_level = excluded.category_level, parent_category = excluded.parent_category;

insert into public.categories (name, icon)
select name, icon from category_terms where parent is null order by place
on conflict (lower(name)) do nothing;

insert into public.category_synonyms (category_slug, synonym_term, language_code, priority)
select code, term, language, case when parent is null then 60 else 80 end - 2 * least(rank, 10)::integer
from category_terms,
  lateral (values ('es', es), ('ca', ca), ('en', en)) as spoken (language, terms),
  lateral unnest(string_to_array(terms, ',')) with ordinality as each (term, rank)
on conflict (category_slug, language_code, normalized_term) do nothing;

insert into public.url_mappings (type, original, slug)
select 'category', name, code from category_terms where parent is null
on conflict (type, slug) do nothing;
