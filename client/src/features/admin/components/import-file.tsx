import { Download, FileUp } from 'lucide-react'
import { type DragEvent, useState } from 'react'
import { Button, buttonClass } from '@/components/ui/button'
import { cn } from '@/lib/cn'
import { toCsv } from '@/lib/csv'
import { saveFile } from '@/lib/save-file'
import { importMessages as texts } from '../import-messages'
import { templateRows } from '../model/import'

/** Chooses a file, with a button or by dropping it. */
export function ImportFile({ onFile }: { onFile: (file: File) => void }) {
  const [isOver, setOver] = useState(false)
  const handleDrop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    const [file] = event.dataTransfer.files
    if (file) onFile(file)
  }
  const handleOver = (event: DragEvent) => {
    event.preventDefault()
    setOver(true)
  }
  return (
    <section
      aria-label={texts.drop}
      className={cn(
        'grid justify-items-center gap-3 rounded-panel border-2 border-dashed px-4 py-10 text-center',
        isOver ? 'border-primary bg-primary-soft' : 'border-control bg-surface',
      )}
      onDrop={handleDrop}
      onDragOver={handleOver}
      onDragLeave={() => setOver(false)}
    >
      <p className="font-semibold">{texts.drop}</p>
      <p className="text-sm text-muted">{texts.help}</p>
      <p className="text-sm text-muted">{texts.columns}</p>
      <div className="mt-2 flex flex-wrap justify-center gap-3">
        <FileButton label={texts.choose} variant="primary" onFile={onFile} />
        <Button
          variant="outline"
          onClick={() => saveFile('businesses-template.csv', 'text/csv', toCsv(templateRows()))}
        >
          <Download className="size-4.5" strokeWidth={1.75} aria-hidden />
          {texts.template}
        </Button>
      </div>
    </section>
  )
}

type FileButtonProps = {
  label: string
  variant: 'primary' | 'outline'
  onFile: (file: File) => void
}

/** A file input that looks like a button. */
export function FileButton({ label, variant, onFile }: FileButtonProps) {
  return (
    <label
      className={buttonClass(
        { variant },
        'cursor-pointer has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-primary',
      )}
    >
      <FileUp className="size-4.5" strokeWidth={1.75} aria-hidden />
      {label}
      <input
        type="file"
        accept=".csv,text/csv"
        className="sr-only"
        onChange={(event) => {
          const [file] = event.target.files ?? []
          // The same file can be chosen again after it was corrected.
          event.target.value = ''
          if (file) onFile(file)
        }}
      />
    </label>
  )
}
