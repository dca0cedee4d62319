import { Link } from 'react-router'
import { loadText, useText } from '@/app/info/translated-text'
import { InfoPage } from '@/app/layouts/info-page'
import { Operator } from '@/components/operator'
import { paths } from '@/lib/paths'

export const loader = loadText({
  es: () => import('../info/terms.es'),
  ca: () => import('../info/terms.ca'),
})

/** The terms of use (ROUTE-17, NAV-08). */
export function Component() {
  const Text = useText(English)
  return (
    <InfoPage name="terms">
      <Text />
    </InfoPage>
  )
}

function English() {
  return (
    <>
      <h2>What Plaza is</h2>
      <p>
        A directory and a calendar. The service itself is between you and the business you book; we
        are not a party to it, and the business answers for it.
      </p>
      <h2>Who runs it</h2>
      <Operator />
      <h2>Your account</h2>
      <ul>
        <li>It is for one person. Keep the password to yourself and tell us if it leaks.</li>
        <li>Give a name and an address that are yours.</li>
        <li>You may close it whenever you like; we may, if it is used to harm others.</li>
      </ul>
      <h2>Bookings</h2>
      <ul>
        <li>A booking asks the business to hold a time for you. It is firm once confirmed.</li>
        <li>Cancel as early as you can: someone else is waiting for that time.</li>
        <li>
          Prices are set by the business and shown before you book. You pay the business, unless its
          page says otherwise.
        </li>
      </ul>
      <h2>Reviews and photos</h2>
      <ul>
        <li>Write only about what you have had yourself, honestly and without insults.</li>
        <li>What you post stays yours; you let us show it here.</li>
        <li>We remove what breaks the law or these rules, and tell you why.</li>
      </ul>
      <h2>Owners</h2>
      <ul>
        <li>List only a business you run or act for, and keep hours and prices true.</li>
        <li>Paid plans run by the month and end when you cancel them.</li>
        <li>Use what you learn about customers for their bookings and nothing else.</li>
      </ul>
      <h2>Limits</h2>
      <p>
        We keep the site running with care, but cannot promise that it never fails. Nothing here
        takes away rights that consumers have by law in Spain or Andorra.
      </p>
      <p>
        Questions? <Link to={paths.contact}>Write to us.</Link> How we handle data is on the{' '}
        <Link to={paths.privacy}>privacy page</Link>.
      </p>
    </>
  )
}
