import { ChangeMark } from '@/components/stat-list'
import { Table, Td, Th, Tr } from '@/components/ui/table'
import { cn } from '@/lib/cn'
import type { DateRange } from '@/lib/date-range'
import { messages } from '../messages'
import type { Metrics } from '../model/day'
import type { MetricKey } from '../model/metric'
import { type Comparison, summaryOf } from '../model/summary'
import { formatOf } from '../model/words'

type SummaryTableProps = {
  of: keyof Metrics
  keys: readonly MetricKey[]
  read: Metrics
  range: DateRange
}

/** Figures of the selected period and of the previous one, and their changes. */
export function SummaryTable({ of, keys, read, range }: SummaryTableProps) {
  if (keys.length === 0) return null
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <h3 className="text-lg">{messages.summaryOf[of]}</h3>
      <Table caption={messages.summaryOf[of]} className="bg-surface">
        <thead>
          <tr>
            <Th className={head}>{messages.metricColumn}</Th>
            <Th className={cn(head, 'text-end!')}>{messages.current}</Th>
            <Th className={cn(head, 'text-end!')}>{messages.previous}</Th>
            <Th className={cn(head, 'text-end!')}>{messages.change}</Th>
          </tr>
        </thead>
        <tbody>
          {summaryOf(keys, read, range).map((row) => (
            <SummaryRow key={row.key} row={row} />
          ))}
        </tbody>
      </Table>
    </div>
  )
}

// A phone shows all four columns: its cells are narrower and wrap.
const head = 'max-sm:px-2 max-sm:whitespace-normal'
const cell = 'h-11 max-sm:px-2'

function SummaryRow({ row: { key, current, previous } }: { row: Comparison }) {
  const format = formatOf(key)
  const text = (figure: number | null) => (figure === null ? messages.none : format(figure))
  return (
    <Tr>
      <Td className={cell}>{messages.metric[key]}</Td>
      <Td className={cn(cell, 'text-end! font-semibold')}>{text(current)}</Td>
      <Td className={cn(cell, 'text-end! text-muted')}>{text(previous)}</Td>
      <Td className={cn(cell, 'text-end!')}>
        <span className="flex items-center justify-end gap-x-1.5">
          <ChangeMark current={current} previous={previous} />
        </span>
      </Td>
    </Tr>
  )
}
