import { formatHere } from '@/lib/time'
import type { Application } from '../api/queries'
import { messages } from '../messages'

/** The contents and the date of an application. */
export function ApplicationSummary({ application }: { application: Application }) {
  const rows = [
    [messages.businessName, application.business_name],
    [messages.businessType, application.business_type],
    [messages.location, application.location],
    [messages.sentOn, formatHere(new Date(application.created_at), new Date())],
  ] as const
  return (
    <dl
      aria-label={messages.sent}
      className="grid gap-x-6 gap-y-3 border-line border-t pt-5 sm:grid-cols-[10rem_1fr]"
    >
      {rows.map(([label, value]) => (
        <div key={label} className="grid gap-0.5 sm:col-span-2 sm:grid-cols-subgrid">
          <dt className="text-sm text-muted sm:text-base">{label}</dt>
          <dd className="[overflow-wrap:anywhere]">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
