import type { ComponentProps } from 'react'
import { messages } from '../messages'
import { isEmpty } from '../model/day'
import { DayFigures, Figures } from './figures'
import { MetricsState } from './metrics-state'
import type { ViewProps } from './view-props'

type PartViewProps = ViewProps & Pick<ComponentProps<typeof DayFigures>, 'kind' | 'title' | 'keys'>

/** A tab of figures, with daily charts of some of them (`keys`). */
function PartView({ kind, title, keys, ...props }: PartViewProps) {
  const { range } = props
  return (
    <MetricsState {...props} isEmpty={isEmpty}>
      {(read, shown) => (
        <>
          <Figures keys={shown} read={read} range={range} />
          <DayFigures
            kind={kind}
            title={title}
            keys={keys.filter((key) => shown.includes(key))}
            read={read}
            range={range}
          />
        </>
      )}
    </MetricsState>
  )
}

/** How customers contact the business, and how it replies. */
export function CommunicationView(props: ViewProps) {
  return (
    <PartView
      {...props}
      kind="columns"
      title={messages.byDay.communication}
      keys={['calls', 'messages', 'bookings']}
    />
  )
}

/** What visitors view, save and review. */
export function EngagementView(props: ViewProps) {
  return (
    <PartView
      {...props}
      kind="line"
      title={messages.byDay.engagement}
      keys={['pageViews', 'photoViews', 'websiteClicks']}
    />
  )
}
