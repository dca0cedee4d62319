import type { UseQueryResult } from '@tanstack/react-query'
import { Eye, RefreshCw } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { Column } from '@/components/data-table'
import { QueryState } from '@/components/query-state'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { Skeleton, SkeletonGroup } from '@/components/ui/skeleton'
import { showToast } from '@/components/ui/toast'
import { countText } from '@/lib/formats'
import type { Page } from '@/lib/paged'
import { messages } from '../messages'
import { countDone, type Results, settledIds } from '../model/decision'
import { type Chosen, countElsewhere, toggled, without } from '../model/selection'
import type { ListAddress } from '../model/use-list'
import { requestMessages as texts } from '../request-messages'
import { ActionDialog, type RequestAction } from './action-dialog'
import { AdminList } from './admin-list'
import { RowActions } from './row-actions'
import { SelectionBar } from './selection-bar'

type Words = { caption: string; text: string; pending: string; empty: string; searchLabel: string }

/** An action of a row: one of the requests' actions, or a dialog of the panel's own. */
type OwnAction<Row> = {
  label: string
  icon: RequestAction<Row>['icon']
  onSelect: () => void
}

type RequestsPanelProps<Row extends { id: string }> = {
  words: Words & { error: string }
  address: ListAddress
  query: UseQueryResult<Page<Row>>
  /** The row that the address opens. */
  opened: UseQueryResult<Row | null>
  columns: readonly Column<Row>[]
  nameOf: (row: Row) => string
  /** Shown next to the name when several rows are listed. */
  noteOf: (row: Row) => string
  filter: ReactNode
  /** What can be done to several rows, and to one unless `ownActions` has it. */
  actions: readonly RequestAction<Row>[]
  ownActions?: (row: Row) => readonly OwnAction<Row>[]
  /** The text of the selection bar. */
  selectedText?: (count: string) => string
  details: (row: Row) => ReactNode
  /** What to do if there is no request at all. */
  whenEmpty?: { text: string; action: ReactNode }
}

type Open<Row> = { action: RequestAction<Row>; rows: readonly Row[] }

/** A list of requests: details, decisions one by one or many at once. */
export function RequestsPanel<Row extends { id: string }>(props: RequestsPanelProps<Row>) {
  const { words, address, query, columns, nameOf, noteOf, filter, actions, ownActions } = props
  const [chosen, setChosen] = useState<Chosen<Row>>(new Map())
  const [open, setOpen] = useState<Open<Row> | null>(null)
  const [removals, setRemovals] = useState(0)
  const rows = query.data?.rows ?? []
  // With their current data if they are on this page.
  const all = [...chosen.values()].map((row) => rows.find(({ id }) => id === row.id) ?? row)

  const ask = (action: RequestAction<Row>, some: readonly Row[]) => {
    address.open('')
    setOpen({ action, rows: some.filter(action.isFor) })
  }
  const settle = ({ action, rows: some }: Open<Row>, results: Results) => {
    // What can be tried again stays selected.
    setChosen((before) => without(before, settledIds(results)))
    if (countDone(results) < some.length) return
    setOpen(null)
    setRemovals(removals + 1)
    const [first] = some
    showToast(
      some.length === 1 && first
        ? { title: action.done, text: nameOf(first), tone: 'success' }
        : { title: action.doneAll, text: countText(some.length), tone: 'success' },
    )
  }
  const rowActions = (row: Row) => [
    { label: texts.view, icon: Eye, onSelect: () => address.open(row.id) },
    ...(ownActions?.(row) ??
      actions
        .filter((action) => action.isFor(row))
        .map((action) => ({
          label: action.label,
          icon: action.icon,
          ...(action.tone && { tone: action.tone }),
          onSelect: () => ask(action, [row]),
        }))),
  ]
  const possible = actions.filter((action) => all.some(action.isFor))

  return (
    <>
      <AdminList
        words={words}
        errorTitle={words.error}
        address={address}
        query={query}
        rowName={nameOf}
        columns={[
          ...columns,
          {
            key: 'actions',
            header: messages.actions,
            align: 'end',
            isActions: true,
            cell: (row) => <RowActions name={nameOf(row)} actions={rowActions(row)} />,
          },
        ]}
        filter={filter}
        {...(props.whenEmpty && { whenEmpty: props.whenEmpty })}
        actions={
          <Button
            variant="outline"
            pending={query.isFetching && !query.isPending}
            onClick={() => void query.refetch()}
          >
            <RefreshCw className="size-4.5" strokeWidth={1.75} aria-hidden />
            {messages.refresh}
          </Button>
        }
        {...(actions.length > 0 && {
          selection: {
            chosen,
            onToggle: (some: readonly Row[], isSelected: boolean) =>
              setChosen(toggled(chosen, some, isSelected)),
            isSelectable: (row: Row) => actions.some((action) => action.isFor(row)),
          },
        })}
        removals={removals}
      />
      {all.length > 0 && (
        <SelectionBar
          count={all.length}
          {...(props.selectedText && { text: props.selectedText(countText(all.length)) })}
          elsewhere={countElsewhere(chosen, rows)}
          actions={possible.map((action) => ({
            label: action.bulkLabel(countText(all.filter(action.isFor).length)),
            icon: action.icon,
            tone: action.tone,
            onSelect: () => ask(action, all),
          }))}
          onClear={() => {
            setChosen(new Map())
            setRemovals(removals + 1)
          }}
        />
      )}
      {address.list.row !== '' && (
        <DetailsDialog
          {...props}
          key={address.list.row}
          shown={rows.find(({ id }) => id === address.list.row)}
          actionsOf={(row) => rowActions(row).slice(1)}
        />
      )}
      {open && (
        <ActionDialog
          action={open.action}
          rows={open.rows}
          nameOf={nameOf}
          noteOf={noteOf}
          onClose={() => setOpen(null)}
          onDone={(results) => settle(open, results)}
        />
      )}
    </>
  )
}

type DetailsDialogProps<Row extends { id: string }> = RequestsPanelProps<Row> & {
  /** The row, if it is on the page that is shown. */
  shown: Row | undefined
  actionsOf: (row: Row) => readonly (OwnAction<Row> & { tone?: 'danger' })[]
}

/** The row that the address opens, with what can be done to it. */
function DetailsDialog<Row extends { id: string }>(props: DetailsDialogProps<Row>) {
  const { address, opened, nameOf, details, shown, actionsOf } = props
  const row = shown ?? opened.data
  const actions = row ? actionsOf(row) : []
  const close = () => address.open('')
  return (
    <Dialog
      open
      shape="sheet"
      onClose={close}
      title={row ? nameOf(row) : texts[opened.isPending ? 'opening' : 'goneTitle']}
      {...(actions.length > 0 && {
        footer: actions.map(({ label, icon: Icon, tone, onSelect }) => (
          <Button key={label} variant={tone ?? 'outline'} onClick={onSelect}>
            <Icon className="size-4.5" strokeWidth={1.75} aria-hidden />
            {label}
          </Button>
        )),
      })}
    >
      {shown ? (
        details(shown)
      ) : (
        <QueryState
          query={opened}
          errorTitle={texts.openFailed}
          pending={
            <SkeletonGroup label={texts.opening} className="grid gap-3">
              <Skeleton className="h-6" />
              <Skeleton className="h-6" />
              <Skeleton className="h-24" />
            </SkeletonGroup>
          }
        >
          {(read) => (read ? details(read) : <p className="text-muted">{texts.gone}</p>)}
        </QueryState>
      )}
    </Dialog>
  )
}
