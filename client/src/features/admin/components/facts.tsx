import type { ReactNode } from 'react'
import { requestMessages as texts } from '../request-messages'

export type Fact = { label: string; value: ReactNode }

/** What is known of a request. */
export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className="nums grid gap-x-6 gap-y-3 sm:grid-cols-[auto_1fr]">
      {facts.map(({ label, value }) => (
        <div key={label} className="contents">
          <dt className="text-sm text-muted">{label}</dt>
          <dd className="min-w-0 whitespace-pre-line [overflow-wrap:anywhere] max-sm:-mt-2">
            {value === null || value === '' ? (
              <span className="text-muted">{texts.none}</span>
            ) : (
              value
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}
