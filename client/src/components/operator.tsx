import { readMeta } from '@/lib/env'
import { messages } from './ui/messages'

/**
 * The operator of the site, from the server's settings (PLAZA_OPERATOR_…), with contact details.
 */
export function Operator() {
  const name = readMeta('operator-name')
  const address = readMeta('operator-address')
  const email = readMeta('operator-email')
  if (name === null && address === null && email === null) return <p>{messages.noOperator}</p>
  return (
    <address className="not-italic">
      <p className="*:block">
        {name !== null && <span>{name}</span>}
        {address !== null && <span>{address}</span>}
        {email !== null && (
          <span>
            <a href={`mailto:${email}`}>{email}</a>
          </span>
        )}
      </p>
    </address>
  )
}
