import { Link } from 'react-router'
import { paths } from '@/lib/paths'

export function Text() {
  return (
    <>
      <h2>Por qué una plaza</h2>
      <p>
        Aquí cada pueblo está construido alrededor de una. Es donde se pregunta quién corta bien el
        pelo, quién arregla honradamente una caja de cambios y por qué mesa vale la pena esperar.
        Plaza es esa conversación, con una dirección y un calendario.
      </p>
      <h2>Qué puedes hacer aquí</h2>
      <ul>
        <li>Buscar lo que necesitas y donde estás, en español, catalán o inglés.</li>
        <li>Leer horarios, servicios, precios y opiniones de gente que estuvo allí.</li>
        <li>Reservar una hora libre. Dos personas nunca pueden tener la misma.</li>
        <li>Tener tus favoritos y tus reservas en un solo sitio.</li>
      </ul>
      <h2>Dónde estamos</h2>
      <p>
        Madrid, Barcelona, Valencia, Sevilla, Bilbao, Málaga, Zaragoza, Murcia, Palma, Las Palmas y
        las parroquias de Andorra. Las horas son siempre las del negocio, también en Canarias.
      </p>
      <h2>Para propietarios</h2>
      <p>
        Una ficha es gratis. Tú dices qué ofreces, cuándo abres y cuánto dura cada cosa; nosotros
        cuidamos de que el calendario diga la verdad.{' '}
        <Link to={paths.ownerSignUp}>Añade tu negocio</Link> o, si ya está en la lista, reclámalo
        desde su página.
      </p>
      <h2>Sobre las baldosas</h2>
      <p>
        Los negocios sin foto llevan una baldosa hidráulica, de las que cubren casas y cafés de aquí
        desde la década de 1860. Cada una se dibuja para un solo negocio: su oficio decide el motivo
        y los colores; su ficha, cuáles destacan. Una foto siempre ocupa su lugar.
      </p>
    </>
  )
}
