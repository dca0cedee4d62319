import { isEmpty } from '../model/day'
import { TrendLines } from './figures'
import type { ViewProps } from './metrics-panel'
import { MetricsState } from './metrics-state'

/** A daily chart of each figure. */
export function TrendsView(props: ViewProps) {
  return (
    <MetricsState {...props} isEmpty={isEmpty}>
      {(read, shown) => <TrendLines keys={shown} read={read} range={props.range} />}
    </MetricsState>
  )
}
