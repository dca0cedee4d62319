import { Link } from 'react-router'
import { Operator } from '@/components/operator'
import { paths } from '@/lib/paths'
import type { ContactTextProps } from './contact-text'

export function Text({ isSignedOut, onSignIn }: ContactTextProps) {
  return (
    <>
      <h2>{isSignedOut ? 'Escríbenos' : 'Por correo'}</h2>
      {isSignedOut && (
        <p>
          <Link to={paths.auth} onClick={onSignIn}>
            Inicia sesión
          </Link>{' '}
          para preguntar aquí y tener tus preguntas y nuestras respuestas en un solo sitio, o
          escribe un correo.
        </p>
      )}
      <Operator />
      <p>
        Respondemos en dos días laborables. Si es por una reserva, dinos el negocio y el día; no nos
        envíes nunca tu contraseña, no la necesitamos.
      </p>
      <h2>Más rápido</h2>
      <ul>
        <li>
          Una pregunta sobre una cita: escribe al propio negocio, con el botón Mensaje de su página.
        </li>
        <li>
          Un error en una ficha, o una opinión que no debería estar: usa Denunciar en esa página.
        </li>
        <li>
          Cómo funciona algo: puede que ya lo diga la{' '}
          <Link to={paths.help}>página de preguntas frecuentes</Link>.
        </li>
      </ul>
      <h2>Seguridad</h2>
      <p>
        ¿Has encontrado un fallo de seguridad? Escribe a la misma dirección con «seguridad» en el
        asunto. Respondemos primero, lo arreglamos y te damos las gracias por tu nombre, si quieres.
      </p>
    </>
  )
}
