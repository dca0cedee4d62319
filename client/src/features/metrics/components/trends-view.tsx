import { isEmpty } from '../model/day'
import { TrendLines } from './figures'
import { MetricsState } from './metrics-state'
import type { ViewProps } from './view-props'

/** A daily chart of each figure. */
export function TrendsView(props: ViewProps) {
  return (
    <MetricsState {...props} isEmpty={isEmpty}>
      {(read, shown) => <TrendLines keys={shown} read={read} range={props.range} />}
    </MetricsState>
  )
}
