import type { ReactNode } from 'react'
import { Chart } from '@/components/charts/chart'
import { ChangeMark, StatList } from '@/components/stat-list'
import type { DateRange } from '@/lib/date-range'
import { messages } from '../messages'
import { dayChart } from '../model/chart'
import type { Metrics } from '../model/day'
import type { MetricKey } from '../model/metric'
import { summaryOf } from '../model/summary'
import { formatOf } from '../model/words'

type FiguresProps = { keys: readonly MetricKey[]; read: Metrics; range: DateRange }

/** Figures compared with the previous period of the same length. */
export function Figures({ keys, read, range }: FiguresProps) {
  return (
    <StatList
      label={messages.figures}
      stats={summaryOf(keys, read, range).map(({ key, ...figures }) => ({
        ...figures,
        label: messages.metric[key],
        format: formatOf(key),
      }))}
    />
  )
}

type DayFiguresProps = FiguresProps & {
  title: string
  text?: ReactNode
  kind: 'line' | 'columns'
}

/** A daily chart of figures with the same unit; nothing if all of them are hidden. */
export function DayFigures({ keys, read, range, ...chart }: DayFiguresProps) {
  const [first, ...others] = keys
  if (first === undefined) return null
  return <Chart {...chart} data={dayChart([first, ...others], read, range)} />
}

/** A line chart for each figure, with its trend. */
export function TrendLines({ keys, read, range }: FiguresProps) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5 xl:grid-cols-2">
      {summaryOf(keys, read, range).map(({ key, ...figures }) => (
        <DayFigures
          key={key}
          kind="line"
          title={messages.metric[key]}
          text={
            <span className="inline-flex flex-wrap items-center gap-x-1.5">
              {figures.current === null ? messages.none : formatOf(key)(figures.current)}
              <ChangeMark {...figures} />
            </span>
          }
          keys={[key]}
          read={read}
          range={range}
        />
      ))}
    </div>
  )
}
