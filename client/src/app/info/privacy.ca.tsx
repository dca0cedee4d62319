import { Link } from 'react-router'
import { Operator } from '@/components/operator'
import { paths } from '@/lib/paths'
import { mapHost } from './map-host'

export function Text() {
  return (
    <>
      <h2>Qui n’és responsable</h2>
      <Operator />
      <h2>Què desem</h2>
      <ul>
        <li>El teu compte: nom, correu i foto, si n’afegeixes una.</li>
        <li>Les teves reserves, favorits, opinions i missatges.</li>
        <li>
          Inicis de sessió: hora, adreça de xarxa i tipus de navegador, perquè puguis veure i tancar
          les teves sessions i perquè puguem aturar atacs.
        </li>
      </ul>
      <h2>Què comptem</h2>
      <p>
        Els negocis veuen quantes visites va tenir la seva pàgina, i quantes persones van trucar,
        van demanar com arribar-hi o van obrir el web. Per no comptar ningú dues vegades, el nostre
        servidor desa una empremta de l’adreça de xarxa i del navegador que es fa nova cada dia. Dos
        dies després se’n destrueix la clau, i només queden els números.
      </p>
      <h2>Què no fem</h2>
      <ul>
        <li>No venem res sobre tu ni portem rastrejadors de publicitat.</li>
        <li>
          No posem galetes. El teu navegador desa quatre coses d’aquest lloc: la teva sessió, la
          ciutat que vas triar (durant un dia), el teu tema i el teu idioma.
        </li>
        <li>
          No enviem la teva adreça de xarxa a ningú per saber on ets. Si et proposem una ciutat,
          l’ha cercada el nostre propi servidor, que no n’ha desat res.
        </li>
        <li>
          {mapHost === null
            ? 'Les lletres i els mapes venen d’aquest mateix lloc.'
            : `Les lletres venen d’aquest mateix lloc. Els mapes venen de ${mapHost}, que coneix la teva adreça de xarxa quan en mires un.`}
        </li>
      </ul>
      <h2>Qui veu què</h2>
      <p>
        Un negoci veu el teu nom i la teva nota a les reserves que li fas. Les opinions mostren el
        teu nom i la teva foto a tothom. La resta només ho veus tu. Els pagaments amb targeta es fan
        a les pàgines del nostre proveïdor de pagaments; els números de targeta no ens arriben mai.
      </p>
      <h2>Quant de temps</h2>
      <p>
        Mentre tinguis el compte. En esborrar-lo, el teu perfil, els teus favorits i els teus
        missatges desapareixen al moment; un negoci conserva les hores i els preus de les reserves
        passades per als seus comptes, sense el teu nom.
      </p>
      <h2>Els teus drets</h2>
      <p>
        Segons el reglament europeu de protecció de dades i la llei andorrana pots demanar una
        còpia, correccions i l’esborrament, i pots reclamar davant l’Agencia Española de Protección
        de Datos o l’Agència Andorrana de Protecció de Dades.{' '}
        <Link to={paths.contact}>Escriu-nos</Link>; no costa res.
      </p>
    </>
  )
}
