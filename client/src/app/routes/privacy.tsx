import { Link } from 'react-router'
import { mapHost } from '@/app/info/map-host'
import { loadText, useText } from '@/app/info/translated-text'
import { InfoPage } from '@/app/layouts/info-page'
import { Operator } from '@/components/operator'
import { paths } from '@/lib/paths'

const sourcesText =
  mapHost === null
    ? 'Fonts and maps come from this site itself.'
    : `Fonts come from this site itself. Maps come from ${mapHost}, which learns your network address when you look at one.`

export const loader = loadText({
  es: () => import('../info/privacy.es'),
  ca: () => import('../info/privacy.ca'),
})

/** Which personal data is stored, and why (ROUTE-17, NAV-08). */
export function Component() {
  const Text = useText(English)
  return (
    <InfoPage name="privacy">
      <Text />
    </InfoPage>
  )
}

function English() {
  return (
    <>
      <h2>Who is responsible</h2>
      <Operator />
      <h2>What we keep</h2>
      <ul>
        <li>Your account: name, e-mail address, picture if you add one.</li>
        <li>Your bookings, favourites, reviews and messages.</li>
        <li>
          Sign-ins: time, network address and kind of browser, so that you can see and end your
          sessions and we can stop attacks.
        </li>
      </ul>
      <h2>What we count</h2>
      <p>
        Businesses see how many visitors their page had, and how many called, asked the way or
        opened the website. To count nobody twice, our server keeps a fingerprint of network address
        and browser that is made anew each day. Two days later the key to it is destroyed, and only
        the numbers are left.
      </p>
      <h2>What we do not do</h2>
      <ul>
        <li>We sell nothing about you and carry no advertising trackers.</li>
        <li>
          We set no cookies. Your browser stores four things for this site: your session, the city
          you chose (for one day), your theme and your language.
        </li>
        <li>
          We do not send your network address to anyone to find out where you are. If your city is
          suggested, our own server looked it up and kept nothing.
        </li>
        <li>{sourcesText}</li>
      </ul>
      <h2>Who sees what</h2>
      <p>
        A business sees your name and your note for bookings made with it. Reviews show your name
        and picture to everyone. The rest only you see. Card payments are made on the pages of our
        payment provider; card numbers never reach us.
      </p>
      <h2>How long</h2>
      <p>
        As long as you have the account. When it is deleted, your profile, favourites, notes for
        businesses and the documents of claims go at once. What you wrote in messages and reviews
        stays without your name, and a business keeps the times and prices of past bookings for its
        accounts, also without it.
      </p>
      <h2>Your rights</h2>
      <p>
        Under the European data protection regulation and Andorran law you can ask for a copy, for
        corrections and for deletion, and you can complain to the Agencia Española de Protección de
        Datos or the Agència Andorrana de Protecció de Dades.{' '}
        <Link to={paths.contact}>Write to us</Link>; it costs nothing.
      </p>
    </>
  )
}
