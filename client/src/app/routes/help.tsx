import { Link } from 'react-router'
import { loadText, useText } from '@/app/info/translated-text'
import { InfoPage } from '@/app/layouts/info-page'
import { paths } from '@/lib/paths'

export const loader = loadText({
  es: () => import('../info/help.es'),
  ca: () => import('../info/help.ca'),
})

/** Answers to frequent questions (ROUTE-17). */
export function Component() {
  const Text = useText(English)
  return (
    <InfoPage name="help">
      <Text />
    </InfoPage>
  )
}

function English() {
  return (
    <>
      <h2>Searching</h2>
      <dl>
        <dt>What can I search for?</dt>
        <dd>
          For what you need, as you would say it, in Spanish, Catalan or English: a service, a kind
          of business, a name, with or without a place. Typing errors do no harm.
        </dd>
        <dt>In which order do results stand?</dt>
        <dd>
          First those that are what you look for, then those that only mention it. Among them the
          best rated lead, and a rating counts the more, the more reviews it has: it is taken as if
          there were ten more reviews of 3.5. Businesses marked as promoted have a place on top.
        </dd>
      </dl>
      <h2>Booking</h2>
      <dl>
        <dt>How do I book?</dt>
        <dd>
          Open a business, choose a service, a day and a time, and press the button that repeats
          your choice. You need an account, so that the business knows who is coming.
        </dd>
        <dt>Is my booking confirmed at once?</dt>
        <dd>
          It is pending first: the slot is yours, and the business confirms it. You see its state
          under <Link to={paths.bookings}>My Bookings</Link> and get a notification when it changes.
        </dd>
        <dt>Why is a time crossed out?</dt>
        <dd>
          It is taken, it has passed, the business is closed then, or the service would run into
          another booking.
        </dd>
        <dt>In which time zone are the times?</dt>
        <dd>In that of the business. The Canary Islands are one hour behind the mainland.</dd>
        <dt>How do I cancel?</dt>
        <dd>
          From <Link to={paths.bookings}>My Bookings</Link>. The slot is free again for others right
          away.
        </dd>
      </dl>
      <h2>Your account</h2>
      <dl>
        <dt>I did not get the confirmation e-mail.</dt>
        <dd>
          Look in the spam folder and check the address for typing errors. Then sign up again with
          the same address: a new message is sent.
        </dd>
        <dt>My account is locked.</dt>
        <dd>
          After several wrong passwords signing in rests for a while, to keep others out. Wait, then
          try again or set a new password.
        </dd>
        <dt>Why was I signed out?</dt>
        <dd>
          Sessions end after eight hours, or earlier when nothing happened for a time you can set.
          You are warned five minutes before.
        </dd>
      </dl>
      <h2>Owners</h2>
      <dl>
        <dt>How do I list my business?</dt>
        <dd>
          <Link to={paths.becomeSeller}>Apply as a seller</Link>. We look at applications within one
          to three business days.
        </dd>
        <dt>My business is here already.</dt>
        <dd>Open its page and claim it. Once we have checked the claim, it is yours to edit.</dd>
      </dl>
      <p>
        Something else? <Link to={paths.contact}>Write to us.</Link>
      </p>
    </>
  )
}
