import { Link } from 'react-router'
import { paths } from '@/lib/paths'

export function Text() {
  return (
    <>
      <h2>Cercar</h2>
      <dl>
        <dt>Què puc cercar?</dt>
        <dd>
          El que necessites, com ho diries, en català, espanyol o anglès: un servei, un tipus de
          negoci, un nom, amb lloc o sense. Els errors en escriure no fan nosa.
        </dd>
        <dt>En quin ordre surten els resultats?</dt>
        <dd>
          Primer els que són el que busques, després els que només ho esmenten. Entre ells van
          davant els més ben valorats, i una valoració compta més com més opinions té: es calcula
          com si hi hagués deu opinions més de 3,5. Els negocis marcats com a promocionats tenen un
          lloc a dalt.
        </dd>
      </dl>
      <h2>Reservar</h2>
      <dl>
        <dt>Com reservo?</dt>
        <dd>
          Obre un negoci, tria un servei, un dia i una hora, i prem el botó que repeteix la teva
          tria. Necessites un compte, perquè el negoci sàpiga qui ve.
        </dd>
        <dt>La meva reserva queda confirmada de seguida?</dt>
        <dd>
          Primer està pendent: l’hora és teva, i el negoci la confirma. Veus com està a{' '}
          <Link to={paths.bookings}>Les meves reserves</Link> i reps una notificació quan canvia.
        </dd>
        <dt>Per què hi ha una hora ratllada?</dt>
        <dd>
          Està ocupada, ja ha passat, el negoci tanca llavors o el servei xocaria amb una altra
          reserva.
        </dd>
        <dt>En quina zona horària són les hores?</dt>
        <dd>En la del negoci. A les Canàries és una hora menys que a la Península.</dd>
        <dt>Com cancel·lo?</dt>
        <dd>
          Des de <Link to={paths.bookings}>Les meves reserves</Link>. L’hora queda lliure per a
          d’altres en aquell moment.
        </dd>
      </dl>
      <h2>El teu compte</h2>
      <dl>
        <dt>No m’ha arribat el correu de confirmació.</dt>
        <dd>
          Mira al correu brossa i comprova que l’adreça estigui ben escrita. Després registra’t un
          altre cop amb la mateixa adreça: s’envia un altre missatge.
        </dd>
        <dt>El meu compte està blocat.</dt>
        <dd>
          Després de diverses contrasenyes equivocades no es pot iniciar la sessió durant una
          estona, perquè no hi entrin d’altres. Espera, i després torna-ho a provar o posa una
          contrasenya nova.
        </dd>
        <dt>Per què s’ha tancat la meva sessió?</dt>
        <dd>
          Les sessions acaben al cap de vuit hores, o abans si no ha passat res durant un temps que
          pots triar. T’avisem cinc minuts abans.
        </dd>
      </dl>
      <h2>Propietaris</h2>
      <dl>
        <dt>Com afegeixo el meu negoci?</dt>
        <dd>
          <Link to={paths.becomeSeller}>Demana ser venedor</Link>. Mirem les sol·licituds en un a
          tres dies laborables.
        </dd>
        <dt>El meu negoci ja és aquí.</dt>
        <dd>
          Obre la seva pàgina i reclama’l. Quan haguem comprovat la reclamació, el podràs editar.
        </dd>
      </dl>
      <p>
        Una altra cosa? <Link to={paths.contact}>Escriu-nos.</Link>
      </p>
    </>
  )
}
