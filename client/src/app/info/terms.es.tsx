import { Link } from 'react-router'
import { Operator } from '@/components/operator'
import { paths } from '@/lib/paths'

export function Text() {
  return (
    <>
      <h2>Qué es Plaza</h2>
      <p>
        Un directorio y un calendario. El servicio en sí es cosa tuya y del negocio que reservas;
        nosotros no somos parte, y el negocio responde de él.
      </p>
      <h2>Quién la lleva</h2>
      <Operator />
      <h2>Tu cuenta</h2>
      <ul>
        <li>Es para una persona. Guarda la contraseña para ti y avísanos si se filtra.</li>
        <li>Da un nombre y una dirección que sean tuyos.</li>
        <li>La puedes cerrar cuando quieras; nosotros también, si se usa para dañar a otros.</li>
      </ul>
      <h2>Reservas</h2>
      <ul>
        <li>Una reserva pide al negocio que te guarde una hora. Es firme cuando la confirma.</li>
        <li>Cancela en cuanto puedas: otra persona espera esa hora.</li>
        <li>
          Los precios los pone el negocio y se ven antes de reservar. Pagas al negocio, si su página
          no dice otra cosa.
        </li>
      </ul>
      <h2>Opiniones y fotos</h2>
      <ul>
        <li>Escribe solo de lo que has vivido, con sinceridad y sin insultos.</li>
        <li>Lo que publicas sigue siendo tuyo; nos permites mostrarlo aquí.</li>
        <li>Quitamos lo que incumple la ley o estas normas, y te decimos por qué.</li>
      </ul>
      <h2>Propietarios</h2>
      <ul>
        <li>
          Añade solo un negocio que llevas o al que representas, y mantén al día horarios y precios.
        </li>
        <li>Los planes de pago van por meses y acaban cuando los cancelas.</li>
        <li>Usa lo que sepas de los clientes para sus reservas y para nada más.</li>
      </ul>
      <h2>Límites</h2>
      <p>
        Cuidamos de que el sitio funcione, pero no podemos prometer que no falle nunca. Nada de esto
        quita derechos que la ley da a los consumidores en España o Andorra.
      </p>
      <p>
        ¿Preguntas? <Link to={paths.contact}>Escríbenos.</Link> Cómo tratamos los datos está en la{' '}
        <Link to={paths.privacy}>página de privacidad</Link>.
      </p>
    </>
  )
}
