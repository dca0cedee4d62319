import { Link, useLocation } from 'react-router'
import type { ContactTextProps } from '@/app/info/contact-text'
import { loadText, useText } from '@/app/info/translated-text'
import { InfoPage } from '@/app/layouts/info-page'
import { useShellAccount } from '@/app/layouts/use-account'
import { Operator } from '@/components/operator'
import { paths } from '@/lib/paths'
import { rememberReturn } from '@/lib/return-path'
import { ContactSupport, SupportSkeleton } from './contact-support'

export const loader = loadText<ContactTextProps>({
  es: () => import('../info/contact.es'),
  ca: () => import('../info/contact.ca'),
})

/** How to reach the operators of Plaza (ROUTE-17), and the user's own questions to them. */
export function Component() {
  const account = useShellAccount()
  const { pathname, search } = useLocation()
  const lead = account.status === 'signed-in' && (
    <ContactSupport userId={account.userId} isAdmin={account.role === 'admin'} />
  )
  const Text = useText(English)
  return (
    <InfoPage name="contact" lead={account.status === 'pending' ? <SupportSkeleton /> : lead}>
      <Text
        isSignedOut={account.status === 'signed-out'}
        onSignIn={() => rememberReturn(pathname + search)}
      />
    </InfoPage>
  )
}

function English({ isSignedOut, onSignIn }: ContactTextProps) {
  return (
    <>
      <h2>{isSignedOut ? 'Write to us' : 'By mail'}</h2>
      {isSignedOut && (
        <p>
          <Link to={paths.auth} onClick={onSignIn}>
            Sign in
          </Link>{' '}
          to ask here and to find your questions and our answers in one place, or write a mail.
        </p>
      )}
      <Operator />
      <p>
        We answer within two business days. If it is about a booking, tell us the business and the
        day; never send us your password, we do not need it.
      </p>
      <OtherWays />
    </>
  )
}

function OtherWays() {
  return (
    <>
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
    </>
  )
}
