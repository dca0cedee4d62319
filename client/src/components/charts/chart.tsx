import { type ReactNode, Suspense, useId } from 'react'
import { lazyPart } from '@/components/lazy-part'
import { Skeleton } from '@/components/ui/skeleton'
import { Table, Td, Th, Tr } from '@/components/ui/table'
import { cn } from '@/lib/cn'
import { type ChartData, type ChartTone, figureText } from './chart-data'
import { barsHeight, plotHeight } from './chart-size'

// The chart library is as large as the rest of a screen, so the chart's surroundings render first.
const drawings = {
  line: lazyPart(async () => (await import('./drawings')).LineDrawing),
  columns: lazyPart(async () => (await import('./drawings')).ColumnDrawing),
  bars: lazyPart(async () => (await import('./drawings')).BarDrawing),
}

type ChartProps = {
  /** A line over time, columns side by side, or horizontal bars with their names. */
  kind: keyof typeof drawings
  title: string
  /** A sentence that describes the chart. */
  text?: ReactNode
  data: ChartData
  /** Controls that change the chart's data. */
  actions?: ReactNode
  /** The label of the table behind it. */
  tableLabel?: string
}

/**
 * A chart and a table with the same figures: the table is its form for keyboards and screen
 * readers.
 */
export function Chart({
  kind,
  title,
  text,
  data,
  actions,
  tableLabel = 'Show as a table',
}: ChartProps) {
  const id = useId()
  const Drawing = drawings[kind]
  const height = kind === 'bars' ? barsHeight(data.rows.length) : plotHeight
  return (
    <figure
      aria-labelledby={id}
      className="grid grid-cols-[minmax(0,1fr)] content-start gap-4 rounded-panel border border-line bg-surface p-4 sm:p-5"
    >
      <figcaption className="flex flex-wrap items-start justify-between gap-3">
        <div className="grid gap-1">
          <h3 id={id} className="text-lg">
            {title}
          </h3>
          {text !== undefined && <p className="text-sm text-muted">{text}</p>}
        </div>
        {actions}
      </figcaption>
      {data.series.length > 1 && <Legend data={data} />}
      <div aria-hidden style={{ height }} data-chart={kind}>
        <Suspense fallback={<Skeleton className="size-full" />}>
          <Drawing data={data} />
        </Suspense>
      </div>
      <details className="group">
        <summary className="inline-flex min-h-11 cursor-pointer items-center rounded-control text-sm font-semibold text-primary">
          {tableLabel}
        </summary>
        <DataOf title={title} data={data} />
      </details>
    </figure>
  )
}

const swatches: Record<ChartTone, string> = {
  primary: 'bg-primary',
  success: 'bg-success',
  saffron: 'bg-saffron',
}

function Legend({ data }: { data: ChartData }) {
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1 text-sm" aria-hidden>
      {data.series.map(({ key, label, tone }) => (
        <li key={key} className="inline-flex items-center gap-2">
          <span className={cn('size-3 rounded-[3px]', swatches[tone])} />
          {label}
        </li>
      ))}
    </ul>
  )
}

function DataOf({ title, data }: { title: string; data: ChartData }) {
  const { rowLabel, series, rows } = data
  return (
    <div className="pt-2">
      <Table caption={title}>
        <thead>
          <tr>
            <Th>{rowLabel}</Th>
            {series.map(({ key, label }) => (
              <Th key={key} className="text-end!">
                {label}
              </Th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no id, and two services may share a name
            <Tr key={index}>
              <Td className="h-11">{row.name}</Td>
              {series.map(({ key }) => (
                <Td key={key} className="h-11 text-end!">
                  {figureText(data, row, key)}
                </Td>
              ))}
            </Tr>
          ))}
        </tbody>
      </Table>
    </div>
  )
}
