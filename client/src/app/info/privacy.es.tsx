import { Link } from 'react-router'
import { Operator } from '@/components/operator'
import { paths } from '@/lib/paths'
import { mapHost } from './map-host'

export function Text() {
  return (
    <>
      <h2>Quién es responsable</h2>
      <Operator />
      <h2>Qué guardamos</h2>
      <ul>
        <li>Tu cuenta: nombre, correo y foto, si añades una.</li>
        <li>Tus reservas, favoritos, opiniones y mensajes.</li>
        <li>
          Inicios de sesión: hora, dirección de red y tipo de navegador, para que puedas ver y
          cerrar tus sesiones y para que podamos frenar ataques.
        </li>
      </ul>
      <h2>Qué contamos</h2>
      <p>
        Los negocios ven cuántas visitas tuvo su página, y cuántas personas llamaron, preguntaron
        cómo llegar o abrieron la web. Para no contar a nadie dos veces, nuestro servidor guarda una
        huella de la dirección de red y del navegador que se hace nueva cada día. Dos días después
        se destruye su clave, y solo quedan los números.
      </p>
      <h2>Qué no hacemos</h2>
      <ul>
        <li>No vendemos nada sobre ti ni llevamos rastreadores de publicidad.</li>
        <li>
          No ponemos cookies. Tu navegador guarda cuatro cosas de este sitio: tu sesión, la ciudad
          que elegiste (durante un día), tu tema y tu idioma.
        </li>
        <li>
          No enviamos tu dirección de red a nadie para saber dónde estás. Si te proponemos una
          ciudad, la ha buscado nuestro propio servidor, que no ha guardado nada.
        </li>
        <li>
          {mapHost === null
            ? 'Las letras y los mapas vienen de este mismo sitio.'
            : `Las letras vienen de este mismo sitio. Los mapas vienen de ${mapHost}, que conoce tu dirección de red cuando miras uno.`}
        </li>
      </ul>
      <h2>Quién ve qué</h2>
      <p>
        Un negocio ve tu nombre y tu nota en las reservas que le haces. Las opiniones muestran tu
        nombre y tu foto a todo el mundo. Lo demás solo lo ves tú. Los pagos con tarjeta se hacen en
        las páginas de nuestro proveedor de pagos; los números de tarjeta nunca nos llegan.
      </p>
      <h2>Cuánto tiempo</h2>
      <p>
        Mientras tengas la cuenta. Al borrarla, tu perfil, tus favoritos y tus mensajes desaparecen
        al momento; un negocio conserva las horas y los precios de las reservas pasadas para sus
        cuentas, sin tu nombre.
      </p>
      <h2>Tus derechos</h2>
      <p>
        Según el reglamento europeo de protección de datos y la ley andorrana puedes pedir una
        copia, correcciones y el borrado, y puedes reclamar ante la Agencia Española de Protección
        de Datos o la Agència Andorrana de Protecció de Dades.{' '}
        <Link to={paths.contact}>Escríbenos</Link>; no cuesta nada.
      </p>
    </>
  )
}
