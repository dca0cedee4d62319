import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query'
import type { LucideIcon } from 'lucide-react'
import { useRef, useState } from 'react'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { countText } from '@/lib/formats'
import { adminKeys } from '../api/keys'
import { messages } from '../messages'
import { countDone, type Results, type RowResult, type RowsAct, runRows } from '../model/decision'
import { refusalText } from '../model/refusal'
import { requestMessages as texts } from '../request-messages'
import { NameList } from './name-list'
import { ProgressLine } from './progress-line'

/** Something that admins do to one request or to several. */
export type RequestAction<Row> = {
  icon: LucideIcon
  label: string
  /** The button in the selection bar. */
  bulkLabel: (count: string) => string
  tone?: 'danger'
  /** Reports whether it applies to a row. */
  isFor: (row: Row) => boolean
  title: (name: string) => string
  titleAll: (count: string) => string
  text: string
  done: string
  doneAll: string
  failed: string
  failedAll: string
  /** The number of rows per request. */
  batch: number
  act: RowsAct
  /** The text for a row that was not changed because that was no longer needed. */
  earlier?: string
}

type ActionDialogProps<Row> = {
  action: RequestAction<Row>
  rows: readonly Row[]
  nameOf: (row: Row) => string
  noteOf: (row: Row) => string
  /** Called when it has run, with its results. */
  onDone: (results: Results) => void
  onClose: () => void
}

/**
 * Asks for confirmation, then changes the rows while it shows the progress. What did not succeed
 * is listed row by row until the dialog is closed.
 */
export function ActionDialog<Row extends { id: string }>(props: ActionDialogProps<Row>) {
  const { action, rows, nameOf, noteOf, onDone, onClose } = props
  const client = useQueryClient()
  const [settled, setSettled] = useState(0)
  const [isStopping, setStopping] = useState(false)
  const isStopped = useRef(false)
  const run = useMutation({
    mutationFn: () =>
      runRows({
        ids: rows.map(({ id }) => id),
        batch: action.batch,
        act: action.act,
        onProgress: setSettled,
        isStopped: () => isStopped.current,
      }),
    onSuccess: onDone,
    // A claim changes a business and a user, too.
    onSettled: () => client.invalidateQueries({ queryKey: adminKeys.all }),
  })
  const [first] = rows
  const count = countText(rows.length)
  const title = rows.length === 1 && first ? action.title(nameOf(first)) : action.titleAll(count)
  const stop = () => {
    isStopped.current = true
    setStopping(true)
  }
  return (
    <Dialog
      open
      onClose={() => !run.isPending && onClose()}
      title={title}
      footer={<Footer action={action} run={run} isStopping={isStopping} {...{ onClose, stop }} />}
    >
      <div className="grid gap-5">
        {run.isPending && rows.length > action.batch && (
          <Progress settled={settled} all={rows.length} />
        )}
        {run.data ? (
          <ActionResult rows={rows} results={run.data} action={action} nameOf={nameOf} />
        ) : (
          <>
            <NameList rows={rows} nameOf={nameOf} noteOf={noteOf} />
            <p className="text-muted">{action.text}</p>
          </>
        )}
      </div>
    </Dialog>
  )
}

type FooterProps<Row> = {
  action: RequestAction<Row>
  run: UseMutationResult<Results, Error, void>
  isStopping: boolean
  stop: () => void
  onClose: () => void
}

function Footer<Row>({ action, run, isStopping, stop, onClose }: FooterProps<Row>) {
  if (run.data) {
    return (
      <Button variant="outline" onClick={onClose}>
        {messages.close}
      </Button>
    )
  }
  return (
    <>
      {run.isPending ? (
        <Button variant="outline" disabled={isStopping} onClick={stop}>
          {isStopping ? texts.stopped : texts.stop}
        </Button>
      ) : (
        <Button variant="outline" onClick={onClose}>
          {messages.cancel}
        </Button>
      )}
      <Button
        variant={action.tone ?? 'primary'}
        pending={run.isPending}
        onClick={() => run.mutate()}
      >
        {action.label}
      </Button>
    </>
  )
}

function Progress({ settled, all }: { settled: number; all: number }) {
  return (
    <ProgressLine
      text={texts.working(countText(settled), countText(all))}
      value={settled}
      max={all}
    />
  )
}

type ActionResultProps<Row> = {
  rows: readonly Row[]
  results: Results
  action: RequestAction<Row>
  nameOf: (row: Row) => string
}

/** The result of each row. */
function ActionResult<Row extends { id: string }>(props: ActionResultProps<Row>) {
  const { rows, results, action, nameOf } = props
  const title = rows.length === 1 ? action.failed : action.failedAll
  return (
    <>
      <Alert tone="danger" title={title}>
        {texts.result(countText(countDone(results)), countText(rows.length))}
      </Alert>
      <ul className="grid max-h-72 gap-1 overflow-y-auto rounded-control bg-sunken px-4 py-3 text-sm">
        {rows.map((row) => (
          <li key={row.id} className="flex flex-wrap justify-between gap-x-4">
            <span className="font-semibold [overflow-wrap:anywhere]">{nameOf(row)}</span>
            <span className="text-muted">{resultText(results.get(row.id), action.earlier)}</span>
          </li>
        ))}
      </ul>
    </>
  )
}

function resultText(
  result: RowResult | undefined,
  earlier: string = texts.results.earlier,
): string {
  if (result === undefined) return texts.results.left
  if (result.state === 'earlier') return earlier
  return result.state === 'failed' ? refusalText(result.error) : texts.results[result.state]
}
