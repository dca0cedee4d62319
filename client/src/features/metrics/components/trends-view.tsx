import { isEmpty } from '../model/day'
import { TrendLines } from './figures'
import type { ViewProps } from './metrics-panel'
import { MetricsState } from './metrics-state'

/** Each figure, day by day. */
export function TrendsView(props: ViewProps) {
  return (
    <MetricsState {...props} isEmpty={isEmpty}>
      {(read, shown) => <TrendLines keys={shown} read={read} range={props.range} />}
    </MetricsState>
  )
}
