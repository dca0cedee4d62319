import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { QueryState } from '@/components/query-state'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { countText, numberFormat } from '@/lib/formats'
import { checkImport, type Import, lastImportQuery, stageFile } from '../api/imports'
import { adminKeys } from '../api/keys'
import { importMessages as texts } from '../import-messages'
import { importRefusal } from '../model/import-refusal'
import { useReading } from '../model/use-reading'
import { ImportFile } from './import-file'
import { ImportPreview } from './import-preview'
import { ImportRows } from './import-rows'
import { ListSkeleton } from './list-skeleton'
import { ProgressLine } from './progress-line'

const percent = numberFormat('en', { style: 'percent' })

/** Imports businesses from a CSV file: choose, check, import (issue 19). */
export function ImportPanel({ onImported }: { onImported: () => void }) {
  const client = useQueryClient()
  const query = useQuery(lastImportQuery)
  const reading = useReading()
  const read = useMutation({
    mutationFn: (file: File) => {
      reading.begin(file.name)
      return stageFile(file, reading.setShare)
    },
    onSettled: () => client.invalidateQueries({ queryKey: adminKeys.tab('import') }),
  })
  useCallWhenDone(query.data, onImported)
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <div className="grid gap-1">
        <h2 className="text-xl">{texts.title}</h2>
        <p className="text-sm text-muted">{texts.text}</p>
      </div>
      {read.isError && (
        <Alert tone="danger" title={texts.notRead}>
          {importRefusal(read.error)}
        </Alert>
      )}
      {read.isPending ? (
        <UploadProgress name={reading.name} share={reading.share} />
      ) : (
        <QueryState
          query={query}
          errorTitle={texts.error}
          pending={<ListSkeleton label={texts.pending} />}
        >
          {(last) => <Step last={last} ignored={read.data ?? []} onFile={read.mutate} />}
        </QueryState>
      )}
    </div>
  )
}

/** Calls `onImported` when an import that was running on an earlier render is done. */
function useCallWhenDone(last: Import | null | undefined, onImported: () => void) {
  const running = useRef('')
  useEffect(() => {
    if (last?.state === 'queued') running.current = last.id
    else if (last?.state === 'done' && running.current === last.id) {
      running.current = ''
      onImported()
    }
  })
}

function UploadProgress({ name, share }: { name: string; share: number }) {
  return (
    <section className="grid gap-3" aria-label={texts.reading(name)}>
      <h3 className="text-lg [overflow-wrap:anywhere]">{texts.reading(name)}</h3>
      <ProgressLine text={texts.readShare(percent.format(share))} value={share} max={1} />
    </section>
  )
}

type StepProps = {
  last: Import | null
  ignored: readonly string[]
  onFile: (file: File) => void
}

function Step({ last, ignored, onFile }: StepProps) {
  if (last?.state === 'checked') {
    return <ImportPreview key={last.id} shown={last} ignored={ignored} onFile={onFile} />
  }
  if (last?.state === 'queued') return <QueuedImport shown={last} />
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      {last?.state === 'staging' && (
        <Alert tone="warning" title={last.file_name}>
          {texts.unfinished}
        </Alert>
      )}
      {last?.state === 'failed' && <Failed shown={last} />}
      {last?.state === 'done' && (
        <Alert tone="success" title={texts.done}>
          {texts.doneText(countText(last.imported), last.file_name)}
        </Alert>
      )}
      <ImportFile onFile={onFile} />
      {last?.state === 'done' && last.total > last.imported && (
        <>
          <h3 className="text-lg">{texts.leftOut(countText(last.total - last.imported))}</h3>
          <ImportRows shown={last} />
        </>
      )}
    </div>
  )
}

function QueuedImport({ shown }: { shown: Import }) {
  const all = shown.ready + (shown.skip_duplicates ? 0 : shown.duplicates)
  return (
    <section className="grid gap-3" aria-label={texts.running(shown.file_name)}>
      <h3 className="text-lg [overflow-wrap:anywhere]">{texts.running(shown.file_name)}</h3>
      <ProgressLine
        text={
          shown.done === 0 ? texts.waiting : texts.progress(countText(shown.done), countText(all))
        }
        value={shown.done}
        max={all}
      />
      <p className="text-muted">{texts.runningText}</p>
    </section>
  )
}

function Failed({ shown }: { shown: Import }) {
  const client = useQueryClient()
  const check = useMutation({
    mutationFn: () => checkImport(shown.id),
    onSettled: () => client.invalidateQueries({ queryKey: adminKeys.tab('import') }),
  })
  return (
    <Alert
      tone="danger"
      title={texts.failed}
      action={
        <Button
          variant="outline"
          size="sm"
          pending={check.isPending}
          onClick={() => check.mutate()}
        >
          {texts.retry}
        </Button>
      }
    >
      {check.isError ? importRefusal(check.error) : texts.failedText}
    </Alert>
  )
}
