import { Globe, Languages, Phone } from 'lucide-react'
import type { BusinessDetails } from '../api/detail-queries'
import { websiteOf } from '../model/business-details'
import { messages } from '../page-messages'

const row = 'flex items-center gap-3'

/** The description of a business, and its contact details (BIZ-07). */
export function About({ business }: { business: BusinessDetails }) {
  const website = websiteOf(business.website)
  const languages = business.languages ?? []
  const values = business.company_values ?? []
  return (
    <div className="grid gap-5">
      {business.description ? (
        <p className="max-w-text whitespace-pre-line [overflow-wrap:anywhere]">
          {business.description}
        </p>
      ) : (
        <p className="text-muted">{messages.noAbout(business.name)}</p>
      )}
      {values.length > 0 && (
        <ul className="flex flex-wrap gap-2">
          {values.map((value) => (
            <li key={value} className="rounded-full bg-sunken px-3.5 py-1.5 text-sm font-semibold">
              {value}
            </li>
          ))}
        </ul>
      )}
      <ul className="grid gap-2.5">
        {business.phone && (
          <li className={row}>
            <Phone className="size-5 text-primary" strokeWidth={1.75} aria-hidden />
            <span className="sr-only">{messages.phone}</span>
            <a
              data-visit="call"
              className="nums reach hover:underline"
              href={`tel:${business.phone.replace(/[^+\d]/g, '')}`}
            >
              {business.phone}
            </a>
          </li>
        )}
        {website && (
          <li className={row}>
            <Globe className="size-5 text-primary" strokeWidth={1.75} aria-hidden />
            <span className="sr-only">{messages.website}</span>
            <a
              data-visit="website"
              className="reach hover:underline"
              href={website.href}
              rel="noreferrer nofollow ugc"
              target="_blank"
            >
              {website.label}
            </a>
          </li>
        )}
        {languages.length > 0 && (
          <li className={row}>
            <Languages className="size-5 text-primary" strokeWidth={1.75} aria-hidden />
            <span className="sr-only">{messages.languages}</span>
            {languages.join(', ')}
          </li>
        )}
      </ul>
    </div>
  )
}
