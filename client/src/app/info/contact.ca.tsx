import { Link } from 'react-router'
import { Operator } from '@/components/operator'
import { paths } from '@/lib/paths'
import type { ContactTextProps } from './contact-text'

export function Text({ isSignedOut, onSignIn }: ContactTextProps) {
  return (
    <>
      <h2>{isSignedOut ? 'Escriu-nos' : 'Per correu'}</h2>
      {isSignedOut && (
        <p>
          <Link to={paths.auth} onClick={onSignIn}>
            Inicia la sessió
          </Link>{' '}
          per preguntar aquí i tenir les teves preguntes i les nostres respostes en un sol lloc, o
          escriu un correu.
        </p>
      )}
      <Operator />
      <p>
        Responem en dos dies laborables. Si és per una reserva, digue’ns el negoci i el dia; no ens
        enviïs mai la teva contrasenya, no la necessitem.
      </p>
      <h2>Més ràpid</h2>
      <ul>
        <li>
          Una pregunta sobre una cita: escriu al mateix negoci, amb el botó Missatge de la seva
          pàgina.
        </li>
        <li>
          Un error en una fitxa, o una opinió que no hi hauria de ser: fes servir Denuncia en
          aquella pàgina.
        </li>
        <li>
          Com funciona alguna cosa: potser ja ho diu la{' '}
          <Link to={paths.help}>pàgina de preguntes freqüents</Link>.
        </li>
      </ul>
      <h2>Seguretat</h2>
      <p>
        Has trobat una fallada de seguretat? Escriu a la mateixa adreça amb «seguretat» a
        l’assumpte. Responem primer, ho arreglem i et donem les gràcies pel teu nom, si vols.
      </p>
    </>
  )
}
