import { Link } from 'react-router'
import { InfoPage } from '@/app/layouts/info-page'
import { env } from '@/lib/env'
import { paths } from '@/lib/paths'

/** How to reach the people behind Plaza (ROUTE-17). */
export function Component() {
  return (
    <InfoPage title="Contact" intro="A person reads every message, in Spanish, Catalan or English.">
      <h2>Write to us</h2>
      <p>
        <a href={`mailto:${env.contactEmail}`}>{env.contactEmail}</a>
      </p>
      <p>
        We answer within two business days. If it is about a booking, tell us the business and the
        day; never send us your password, we do not need it.
      </p>
      <h2>Faster ways</h2>
      <ul>
        <li>
          A question about an appointment: write to the business itself, with the Message button on
          its page.
        </li>
        <li>
          A mistake in a listing, or a review that should not be there: use Report on that page.
        </li>
        <li>
          How something works: the <Link to={paths.help}>help page</Link> may know it already.
        </li>
      </ul>
      <h2>Security</h2>
      <p>
        Found a weakness? Write to the same address with “security” in the subject. We answer first,
        fix it, and thank you by name if you like.
      </p>
    </InfoPage>
  )
}
