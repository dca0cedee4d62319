import { Link } from 'react-router'
import { Operator } from '@/components/operator'
import { paths } from '@/lib/paths'

export function Text() {
  return (
    <>
      <h2>Què és Plaza</h2>
      <p>
        Un directori i un calendari. El servei en si és cosa teva i del negoci que reserves;
        nosaltres no en som part, i el negoci en respon.
      </p>
      <h2>Qui la porta</h2>
      <Operator />
      <h2>El teu compte</h2>
      <ul>
        <li>És per a una persona. Guarda’t la contrasenya i avisa’ns si es filtra.</li>
        <li>Dona un nom i una adreça que siguin teus.</li>
        <li>
          El pots tancar quan vulguis; nosaltres també, si es fa servir per fer mal a d’altres.
        </li>
      </ul>
      <h2>Reserves</h2>
      <ul>
        <li>Una reserva demana al negoci que et guardi una hora. És ferma quan la confirma.</li>
        <li>Cancel·la tan aviat com puguis: una altra persona espera aquella hora.</li>
        <li>
          Els preus els posa el negoci i es veuen abans de reservar. Pagues al negoci, si la seva
          pàgina no diu una altra cosa.
        </li>
      </ul>
      <h2>Opinions i fotos</h2>
      <ul>
        <li>Escriu només del que has viscut, amb sinceritat i sense insults.</li>
        <li>El que publiques continua sent teu; ens permets mostrar-ho aquí.</li>
        <li>Traiem el que incompleix la llei o aquestes normes, i et diem per què.</li>
      </ul>
      <h2>Propietaris</h2>
      <ul>
        <li>
          Afegeix només un negoci que portes o que representes, i mantén al dia horaris i preus.
        </li>
        <li>Els plans de pagament van per mesos i s’acaben quan els cancel·les.</li>
        <li>Fes servir el que saps dels clients per a les seves reserves i per a res més.</li>
      </ul>
      <h2>Límits</h2>
      <p>
        Tenim cura que el lloc funcioni, però no podem prometre que no falli mai. Res d’això no treu
        drets que la llei dona als consumidors a Espanya o Andorra.
      </p>
      <p>
        Preguntes? <Link to={paths.contact}>Escriu-nos.</Link> Com tractem les dades és a la{' '}
        <Link to={paths.privacy}>pàgina de privacitat</Link>.
      </p>
    </>
  )
}
