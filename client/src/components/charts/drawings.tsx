import { setAutoFreeze } from 'immer'
import {
  Area,
  AreaChart,
  Bar,
  BarChart,
  CartesianGrid,
  LabelList,
  type LabelProps,
  ResponsiveContainer,
  Tooltip,
  type TooltipContentProps,
  XAxis,
  YAxis,
} from 'recharts'
import {
  type ChartData,
  type ChartRow,
  type ChartTone,
  figureText,
  labelledRows,
  totalOf,
} from './chart-data'
import { maxBars } from './chart-size'

// Recharts keeps elements in a store that freezes its values; Preact modifies elements.
setAutoFreeze(false)

const colors: Record<ChartTone, string> = {
  primary: 'var(--primary)',
  success: 'var(--success)',
  saffron: 'var(--saffron)',
}

const axisText = { fill: 'var(--muted)', fontSize: 13 } as const
// Space for figures at both ends of an axis, which extend beyond it.
const margin = { top: 24, right: 36, bottom: 0, left: 4 } as const
/** The maximum number of figures next to each other without overlap, also on a phone. */
const labelRoom = 6

type DrawingProps = { data: ChartData }
type Plotted = ChartRow & { index: number; axis: string }

function plotted({ rows }: ChartData): Plotted[] {
  return rows.map((row, index) => ({ ...row, index, axis: row.short ?? row.name }))
}

const figureOf = (key: string) => (row: Plotted) => row.values[key] ?? null

/** A line with the area below it shaded, for changes over time. */
export function LineDrawing({ data }: DrawingProps) {
  const labelled = labelledRows(data, labelRoom, true)
  return (
    <ResponsiveContainer>
      <AreaChart data={plotted(data)} margin={margin} accessibilityLayer={false}>
        {frame(data)}
        {data.series.map(({ key, tone }) => (
          <Area
            key={key}
            dataKey={figureOf(key)}
            type="linear"
            stroke={colors[tone]}
            strokeWidth={2}
            fill={colors[tone]}
            fillOpacity={data.series.length === 1 ? 0.12 : 0}
            dot={data.rows.length <= 31 ? { r: 3, fill: colors[tone], fillOpacity: 1 } : false}
            connectNulls
            isAnimationActive={false}
          >
            {data.series.length === 1 && figures(data, labelled)}
          </Area>
        ))}
      </AreaChart>
    </ResponsiveContainer>
  )
}

/** Columns side by side, with stacked series. */
export function ColumnDrawing({ data }: DrawingProps) {
  const labelled = labelledRows(data, labelRoom, false)
  return (
    <ResponsiveContainer>
      <BarChart data={plotted(data)} margin={margin} accessibilityLayer={false}>
        {frame(data)}
        {stack(data, figures(data, labelled))}
      </BarChart>
    </ResponsiveContainer>
  )
}

/** Horizontal bars, with their names and sums on the left. */
export function BarDrawing({ data }: DrawingProps) {
  const shown = { ...data, rows: data.rows.slice(0, maxBars) }
  return (
    <ResponsiveContainer>
      <BarChart
        data={plotted(shown)}
        layout="vertical"
        margin={{ top: 0, right: 4, bottom: 0, left: 0 }}
        accessibilityLayer={false}
      >
        <XAxis type="number" hide />
        <YAxis
          type="category"
          dataKey="index"
          width={152}
          interval={0}
          tick={<AxisName data={shown} />}
          axisLine={false}
          tickLine={false}
        />
        <Tooltip content={(props) => <Figures {...props} data={shown} />} cursor={cursor} />
        {stack(shown)}
      </BarChart>
    </ResponsiveContainer>
  )
}

const cursor = { fill: 'var(--sunken)', stroke: 'var(--line)' } as const

// Recharts looks for its own components among a chart's children, so these are functions, not
// components.
function frame(data: ChartData) {
  const { format, formatAxis = format } = data
  return [
    <CartesianGrid key="grid" vertical={false} stroke="var(--line)" />,
    <XAxis
      key="x"
      dataKey="axis"
      tick={axisText}
      axisLine={false}
      tickLine={false}
      interval="equidistantPreserveStart"
      minTickGap={12}
      tickMargin={8}
    />,
    <YAxis
      key="y"
      width="auto"
      tick={axisText}
      tickFormatter={formatAxis}
      axisLine={false}
      tickLine={false}
      allowDecimals={false}
    />,
    <Tooltip
      key="tooltip"
      content={(props) => <Figures {...props} data={data} />}
      cursor={cursor}
    />,
  ]
}

/** Stacks the series; labels are attached to the last one. */
function stack(data: ChartData, labels?: React.ReactNode) {
  return data.series.map(({ key, tone }, index) => (
    <Bar
      key={key}
      dataKey={figureOf(key)}
      stackId="all"
      fill={colors[tone]}
      maxBarSize={36}
      isAnimationActive={false}
    >
      {index === data.series.length - 1 && labels}
    </Bar>
  ))
}

/** Labels some rows with their figures at the end of their line or column. */
function figures(
  { rows, series, format, formatAxis = format }: ChartData,
  labelled: ReadonlySet<number>,
) {
  return (
    <LabelList
      position="top"
      offset={8}
      fill="var(--ink)"
      fontSize={13}
      fontWeight={600}
      valueAccessor={({ payload }: { payload?: Plotted }) => {
        const row = payload && rows[payload.index]
        return row && labelled.has(payload.index) ? formatAxis(totalOf(row, series)) : ''
      }}
    />
  )
}

const nameLength = 15
const sumWidth = 34

type AxisNameProps = Partial<LabelProps> & DrawingProps & { payload?: { value: number } }

/**
 * A name on the axis, truncated to the available space (the table has the full name), and the sum
 * of its bar.
 */
function AxisName({ x, y, payload, data }: AxisNameProps) {
  const row = payload && data.rows[payload.value]
  if (!row) return null
  const { name } = row
  const common = { y, dy: 4, textAnchor: 'end', fill: 'var(--ink)', fontSize: 13 } as const
  return (
    <g>
      <text {...common} x={Number(x) - sumWidth}>
        {name.length > nameLength ? `${name.slice(0, nameLength - 1).trimEnd()}…` : name}
      </text>
      <text {...common} x={x} fontWeight={600}>
        {data.format(totalOf(row, data.series))}
      </text>
    </g>
  )
}

/** The tooltip of the row under the pointer. */
function Figures({ active, payload, data }: Partial<TooltipContentProps> & DrawingProps) {
  const row: ChartRow | undefined = payload?.[0]?.payload
  if (!active || !row) return null
  return (
    <div className="nums grid gap-1 rounded-control border border-line bg-surface px-3 py-2 text-sm shadow-float">
      <p className="font-semibold">{row.name}</p>
      {data.series.map(({ key, label }) => (
        <p key={key}>
          {label}: {figureText(data, row, key)}
        </p>
      ))}
    </div>
  )
}
