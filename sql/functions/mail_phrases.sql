-- The texts of notification mails in the languages of the public pages. The functions name them in English; a name is
-- both the key and the English text. TestMailPhrases compares the two.

create or replace function private.mail_phrases() returns table (en text, es text, ca text)
  language sql immutable
  set search_path = ''
  as $$
    values
      ('%s confirmed your booking', '%s ha confirmado tu reserva', '%s ha confirmat la teva reserva'),
      ('%s declined your booking', '%s ha rechazado tu reserva', '%s ha rebutjat la teva reserva'),
      ('%s cancelled your booking', '%s ha cancelado tu reserva', '%s ha cancel·lat la teva reserva'),
      ('%s moved your booking', '%s ha movido tu reserva', '%s ha mogut la teva reserva'),
      ('%s did not answer in time', '%s no ha respondido a tiempo', '%s no ha respost a temps'),
      ('%s proposes another time', '%s propone otra hora', '%s proposa una altra hora'),
      ('%s cannot take the other time', 'A %s no le va bien la otra hora', 'A %s no li va bé l’altra hora'),
      ('How was %s?', '¿Qué tal en %s?', 'Com ha anat a %s?'),
      ('Tomorrow: %s at %s', 'Mañana: %s en %s', 'Demà: %s a %s'),
      ('A booking at %s was cancelled', 'Se ha cancelado una reserva en %s', 'S’ha cancel·lat una reserva a %s'),
      ('New booking request for %s', 'Nueva petición de reserva para %s', 'Nova petició de reserva per a %s'),
      ('A customer of %s accepted the other time', 'Un cliente de %s ha aceptado la otra hora', 'Un client de %s ha acceptat l’altra hora'),
      ('A customer of %s asks for another time', 'Un cliente de %s pide otra hora', 'Un client de %s demana una altra hora'),
      ('A customer of %s refused the other time', 'Un cliente de %s ha rechazado la otra hora', 'Un client de %s ha rebutjat l’altra hora'),
      ('A message about %s waits for you', 'Te espera un mensaje sobre %s', 'T’espera un missatge sobre %s'),

      ('%s on %s', '%s, el %s', '%s, %s'),
      ('%s at %s (%s time)', '%s a las %s (hora de %s)', '%s a les %s (hora de %s)'),
      ('Canary Islands', 'Canarias', 'les Canàries'),
      ('Madrid', 'Madrid', 'Madrid'),
      ('Andorra', 'Andorra', 'Andorra'),
      ('%s, instead of %s', '%s, en lugar del %s', '%s, en lloc de %s'),
      ('Reason: %s', 'Motivo: %s', 'Motiu: %s'),
      ('It is confirmed: %s.', 'Está confirmada: %s.', 'Està confirmada: %s.'),
      ('Your request has expired: %s.', 'Tu petición ha caducado: %s.', 'La teva petició ha caducat: %s.'),
      ('Your booking stays as it was: %s.', 'Tu reserva sigue como estaba: %s.', 'La teva reserva continua com estava: %s.'),
      ('If you cannot come, please cancel in time, so that others can have your place.',
        'Si no puedes venir, cancela con tiempo, para que otros puedan tener tu sitio.',
        'Si no pots venir, cancel·la amb temps, perquè d’altres puguin tenir el teu lloc.'),
      ('A few words from you help others to choose, and the business to get better.',
        'Unas palabras tuyas ayudan a otros a elegir, y al negocio a mejorar.',
        'Unes paraules teves ajuden d’altres a triar, i el negoci a millorar.'),
      ('A customer', 'Un cliente', 'Un client'),
      ('Somebody', 'Alguien', 'Algú'),
      ('%s asks for %s.', '%s pide: %s.', '%s demana: %s.'),
      ('%s keeps %s.', '%s mantiene: %s.', '%s manté: %s.'),
      ('%s cancelled: %s.', '%s ha cancelado: %s.', '%s ha cancel·lat: %s.'),
      ('%s now comes for %s.', '%s ahora viene para: %s.', '%s ara ve per a: %s.'),
      ('%s wrote to you about %s. You have not read it yet.', '%s te ha escrito sobre %s. Aún no lo has leído.',
        '%s t’ha escrit sobre %s. Encara no ho has llegit.'),

      ('See your bookings', 'Ver tus reservas', 'Mira les teves reserves'),
      ('See your booking', 'Ver tu reserva', 'Mira la teva reserva'),
      ('See the booking', 'Ver la reserva', 'Mira la reserva'),
      ('Write a review', 'Escribir una opinión', 'Escriu una opinió'),
      ('Answer', 'Responder', 'Respon'),
      ('Answer the customer', 'Responder al cliente', 'Respon al client'),
      ('Answer the request', 'Responder a la petición', 'Respon a la petició'),
      ('Read the message', 'Leer el mensaje', 'Llegeix el missatge')
  $$;

-- The language in which a user gets mails: 'es', 'ca' or 'en'. The auth server reads the same metadata for its mails.
create or replace function private.mail_language(p_user_id uuid) returns text
  language sql stable security definer
  set search_path = ''
  as $$
    select coalesce((
      select found.language
      from auth.users u, lateral (values (1, u.raw_user_meta_data ->> 'language'), (2, u.raw_user_meta_data ->> 'locale')) as said(place, tag),
        lateral (select lower(split_part(replace(said.tag, '_', '-'), '-', 1)) as language) as found
      where u.id = p_user_id and found.language in ('en', 'es', 'ca')
      order by said.place limit 1
    ), 'en')
  $$;
revoke execute on function private.mail_language(uuid) from public, anon, authenticated;

-- A text for a user in their language, with p_args in the places of its %s.
create or replace function private.mail_text(p_user_id uuid, p_text text, variadic p_args text[] default '{}') returns text
  language sql stable security definer
  set search_path = ''
  as $$
    select format(coalesce((
      select case private.mail_language(p_user_id) when 'es' then m.es when 'ca' then m.ca else m.en end
      from private.mail_phrases() m where m.en = p_text
    ), p_text), variadic p_args)
  $$;
revoke execute on function private.mail_text(uuid, text, text[]) from public, anon, authenticated;

-- A calendar day in the language of a user: 'Wednesday 25 November 2026', 'miércoles 25 de noviembre de 2026'.
create or replace function private.mail_day(p_user_id uuid, p_date date) returns text
  language sql stable security definer
  set search_path = ''
  as $$
    select case private.mail_language(p_user_id)
      when 'es' then format('%s %s de %s de %s',
        (array['lunes', 'martes', 'miércoles', 'jueves', 'viernes', 'sábado', 'domingo'])[extract(isodow from p_date)],
        extract(day from p_date),
        (array['enero', 'febrero', 'marzo', 'abril', 'mayo', 'junio', 'julio', 'agosto', 'septiembre', 'octubre', 'noviembre', 'diciembre'])[extract(month from p_date)],
        extract(year from p_date))
      when 'ca' then format('%s %s %s de %s',
        (array['dilluns', 'dimarts', 'dimecres', 'dijous', 'divendres', 'dissabte', 'diumenge'])[extract(isodow from p_date)],
        extract(day from p_date),
        (array['de gener', 'de febrer', 'de març', 'd’abril', 'de maig', 'de juny', 'de juliol', 'd’agost', 'de setembre', 'd’octubre', 'de novembre', 'de desembre'])[extract(month from p_date)],
        extract(year from p_date))
      else to_char(p_date, 'FMDay FMDD FMMonth YYYY')
    end
  $$;
revoke execute on function private.mail_day(uuid, date) from public, anon, authenticated;
