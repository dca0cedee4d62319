import { Link } from 'react-router'
import { paths } from '@/lib/paths'

export function Text() {
  return (
    <>
      <h2>Buscar</h2>
      <dl>
        <dt>¿Qué puedo buscar?</dt>
        <dd>
          Lo que necesitas, como lo dirías, en español, catalán o inglés: un servicio, un tipo de
          negocio, un nombre, con o sin lugar. Los errores al escribir no molestan.
        </dd>
        <dt>¿En qué orden salen los resultados?</dt>
        <dd>
          Primero los que son lo que buscas, después los que solo lo mencionan. Entre ellos van
          delante los mejor valorados, y una valoración cuenta más cuantas más opiniones tiene: se
          calcula como si hubiera diez opiniones más de 3,5. Los negocios marcados como
          promocionados tienen un lugar arriba.
        </dd>
      </dl>
      <h2>Reservar</h2>
      <dl>
        <dt>¿Cómo reservo?</dt>
        <dd>
          Abre un negocio, elige un servicio, un día y una hora, y pulsa el botón que repite tu
          elección. Necesitas una cuenta, para que el negocio sepa quién viene.
        </dd>
        <dt>¿Mi reserva queda confirmada enseguida?</dt>
        <dd>
          Primero está pendiente: la hora es tuya, y el negocio la confirma. Ves cómo está en{' '}
          <Link to={paths.bookings}>Mis reservas</Link> y recibes una notificación cuando cambia.
        </dd>
        <dt>¿Por qué hay una hora tachada?</dt>
        <dd>
          Está ocupada, ya ha pasado, el negocio cierra entonces o el servicio chocaría con otra
          reserva.
        </dd>
        <dt>¿En qué zona horaria están las horas?</dt>
        <dd>En la del negocio. En Canarias es una hora menos que en la Península.</dd>
        <dt>¿Cómo cancelo?</dt>
        <dd>
          Desde <Link to={paths.bookings}>Mis reservas</Link>. La hora queda libre para otros en ese
          momento.
        </dd>
      </dl>
      <h2>Tu cuenta</h2>
      <dl>
        <dt>No me ha llegado el correo de confirmación.</dt>
        <dd>
          Mira en el correo no deseado y comprueba que la dirección esté bien escrita. Después
          regístrate otra vez con la misma dirección: se envía otro mensaje.
        </dd>
        <dt>Mi cuenta está bloqueada.</dt>
        <dd>
          Después de varias contraseñas equivocadas no se puede iniciar sesión durante un rato, para
          que no entren otros. Espera, y después reinténtalo o pon una contraseña nueva.
        </dd>
        <dt>¿Por qué se ha cerrado mi sesión?</dt>
        <dd>
          Las sesiones acaban a las ocho horas, o antes si no ha pasado nada durante un tiempo que
          puedes elegir. Te avisamos cinco minutos antes.
        </dd>
      </dl>
      <h2>Propietarios</h2>
      <dl>
        <dt>¿Cómo añado mi negocio?</dt>
        <dd>
          <Link to={paths.becomeSeller}>Pide ser vendedor</Link>. Miramos las solicitudes en uno a
          tres días laborables.
        </dd>
        <dt>Mi negocio ya está aquí.</dt>
        <dd>
          Abre su página y reclámalo. Cuando hayamos comprobado la reclamación, podrás editarlo.
        </dd>
      </dl>
      <p>
        ¿Otra cosa? <Link to={paths.contact}>Escríbenos.</Link>
      </p>
    </>
  )
}
