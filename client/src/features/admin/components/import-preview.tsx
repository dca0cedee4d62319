import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { Checkbox } from '@/components/ui/checkbox'
import { toCsv } from '@/lib/csv'
import { countText } from '@/lib/formats'
import { saveFile } from '@/lib/save-file'
import { discardImport, type Import, readFaultyRows, runImport } from '../api/imports'
import { adminKeys } from '../api/keys'
import { importMessages as texts } from '../import-messages'
import { faultyRows } from '../model/import'
import { importRefusal } from '../model/import-refusal'
import { FileButton } from './import-file'
import { ImportRows } from './import-rows'
import { TotalCards } from './total-cards'

type ImportPreviewProps = {
  shown: Import
  /** Columns of the file that are not imported. */
  ignored: readonly string[]
  onFile: (file: File) => void
}

/** What a file would add, and the decision. */
export function ImportPreview({ shown, ignored, onFile }: ImportPreviewProps) {
  const { total, ready, faulty, duplicates } = shown
  const figures = { total, ready, faulty, duplicates }
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <h3 className="text-lg [overflow-wrap:anywhere]">{shown.file_name}</h3>
      <TotalCards
        label={texts.totals}
        totals={(['total', 'ready', 'faulty', 'duplicates'] as const).map((kind) => ({
          label: texts.totalNames[kind],
          count: figures[kind],
        }))}
      />
      {ignored.length > 0 && (
        <Alert tone="warning" title={texts.ignored(ignored.slice(0, 20).join(', '))} />
      )}
      <Decision shown={shown} onFile={onFile} />
      <ImportRows shown={shown} actions={faulty > 0 && <DownloadFaulty shown={shown} />} />
    </div>
  )
}

function Decision({ shown, onFile }: Omit<ImportPreviewProps, 'ignored'>) {
  const client = useQueryClient()
  const [skips, setSkips] = useState(true)
  const onSettled = () => client.invalidateQueries({ queryKey: adminKeys.tab('import') })
  const run = useMutation({ mutationFn: () => runImport(shown.id, skips), onSettled })
  const discard = useMutation({ mutationFn: () => discardImport(shown.id), onSettled })
  const count = shown.ready + (skips ? 0 : shown.duplicates)
  return (
    <div className="grid gap-3">
      {run.isError && (
        <Alert tone="danger" title={texts.runFailed}>
          {importRefusal(run.error)}
        </Alert>
      )}
      {discard.isError && (
        <Alert tone="danger" title={texts.discardFailed}>
          {importRefusal(discard.error)}
        </Alert>
      )}
      {shown.duplicates > 0 && (
        <div>
          <Checkbox
            label={texts.skip}
            checked={skips}
            onChange={(event) => setSkips(event.target.checked)}
          />
          <p className="-mt-2 ps-8 text-sm text-muted">{texts.skipHelp}</p>
        </div>
      )}
      <div className="flex flex-wrap gap-3">
        <Button disabled={count === 0} pending={run.isPending} onClick={() => run.mutate()}>
          {runLabel(count)}
        </Button>
        <FileButton label={texts.another} variant="outline" onFile={onFile} />
        <Button variant="quiet" pending={discard.isPending} onClick={() => discard.mutate()}>
          {texts.discard}
        </Button>
      </div>
    </div>
  )
}

function runLabel(count: number): string {
  if (count === 0) return texts.runNone
  return count === 1 ? texts.runOne : texts.run(countText(count))
}

function DownloadFaulty({ shown }: { shown: Import }) {
  const save = useMutation({
    mutationFn: () => readFaultyRows(shown.id),
    onSuccess: (rows) => saveFile('rows-with-problems.csv', 'text/csv', toCsv(faultyRows(rows))),
  })
  return (
    <div className="grid justify-items-end gap-2">
      <Button variant="outline" pending={save.isPending} onClick={() => save.mutate()}>
        <Download className="size-4.5" strokeWidth={1.75} aria-hidden />
        {texts.downloadFaulty}
      </Button>
      {save.isError && <Alert tone="danger" title={texts.downloadFailed} />}
    </div>
  )
}
