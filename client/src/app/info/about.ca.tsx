import { Link } from 'react-router'
import { paths } from '@/lib/paths'

export function Text() {
  return (
    <>
      <h2>Per què una plaça</h2>
      <p>
        Aquí cada poble està construït al voltant d’una. És on es pregunta qui talla bé els cabells,
        qui arregla honradament una caixa de canvis i per quina taula val la pena esperar. Plaza és
        aquesta conversa, amb una adreça i un calendari.
      </p>
      <h2>Què hi pots fer</h2>
      <ul>
        <li>Cercar el que necessites i on ets, en català, espanyol o anglès.</li>
        <li>Llegir horaris, serveis, preus i opinions de gent que hi va ser.</li>
        <li>Reservar una hora lliure. Dues persones no poden tenir mai la mateixa.</li>
        <li>Tenir els teus favorits i les teves reserves en un sol lloc.</li>
      </ul>
      <h2>On som</h2>
      <p>
        Madrid, Barcelona, València, Sevilla, Bilbao, Màlaga, Saragossa, Múrcia, Palma, Las Palmas i
        les parròquies d’Andorra. Les hores són sempre les del negoci, també a les Canàries.
      </p>
      <h2>Per a propietaris</h2>
      <p>
        Una fitxa és gratis. Tu dius què ofereixes, quan obres i quant dura cada cosa; nosaltres
        tenim cura que el calendari digui la veritat.{' '}
        <Link to={paths.ownerSignUp}>Afegeix el teu negoci</Link> o, si ja és a la llista, reclama’l
        des de la seva pàgina.
      </p>
      <h2>Sobre les rajoles</h2>
      <p>
        Els negocis sense foto porten una rajola hidràulica, de les que cobreixen cases i cafès
        d’aquí des de la dècada de 1860. Cadascuna es dibuixa per a un sol negoci: el seu ofici en
        decideix el motiu i els colors; la seva fitxa, quins destaquen. Una foto sempre n’ocupa el
        lloc.
      </p>
    </>
  )
}
