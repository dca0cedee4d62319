import { Link } from 'react-router'
import { loadText, useText } from '@/app/info/translated-text'
import { InfoPage } from '@/app/layouts/info-page'
import { paths } from '@/lib/paths'

export const loader = loadText({
  es: () => import('../info/about.es'),
  ca: () => import('../info/about.ca'),
})

/** What Plaza is and for whom (ROUTE-17). */
export function Component() {
  const Text = useText(English)
  return (
    <InfoPage name="about">
      <Text />
    </InfoPage>
  )
}

function English() {
  return (
    <>
      <h2>Why a square</h2>
      <p>
        Every town here is built around one. It is where you ask who cuts hair well, who repairs a
        gearbox honestly, and which table to wait for. Plaza is that conversation, with an address
        and a calendar.
      </p>
      <h2>What you can do here</h2>
      <ul>
        <li>Search by what you need and where you are, in Spanish, Catalan or English.</li>
        <li>Read opening hours, services, prices and reviews by people who were there.</li>
        <li>Book a free slot. Two people can never hold the same one.</li>
        <li>Keep your favourites and your bookings in one place.</li>
      </ul>
      <h2>Where we are</h2>
      <p>
        Madrid, Barcelona, Valencia, Seville, Bilbao, Malaga, Zaragoza, Murcia, Palma, Las Palmas
        and the parishes of Andorra. Times are always those of the business, also on the Canary
        Islands.
      </p>
      <h2>For owners</h2>
      <p>
        A listing is free. You say what you offer, when you are open and how long things take; we
        keep the calendar honest. <Link to={paths.ownerSignUp}>Add your business</Link> or, if it is
        listed already, claim it from its page.
      </p>
      <h2>About the tiles</h2>
      <p>
        Businesses without a photo get a hydraulic floor tile, the kind that has paved homes and
        cafés here since the 1860s. Each is drawn for one business alone: its trade decides motif
        and colours, its listing which of them lead. A photo always takes its place.
      </p>
    </>
  )
}
