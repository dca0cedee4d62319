import { Download } from 'lucide-react'
import { Button } from '@/components/ui/button'
import { Menu } from '@/components/ui/menu'
import { type ExportFormat, exportFormats } from '@/lib/sheet'

const formatName: Record<ExportFormat, string> = { csv: 'CSV', xlsx: 'Excel (.xlsx)' }

type ExportMenuProps<K extends string> = {
  /** The full label: 'Export bookings'. */
  label: string
  /** The button's text. */
  text: string
  /** The available exports; if there are several, each has a name. */
  files: readonly { kind: K; name?: string }[]
  pending: boolean
  onExport: (file: { kind: K; format: ExportFormat }) => void
}

/** A button with a menu of file formats. */
export function ExportMenu<K extends string>(props: ExportMenuProps<K>) {
  const { label, text, files, pending, onExport } = props
  return (
    <Menu
      label={label}
      trigger={(trigger) => (
        <Button
          {...trigger}
          variant="outline"
          className="max-sm:flex-1 max-sm:px-2"
          pending={pending}
          aria-label={label}
        >
          <Download className="size-4" strokeWidth={1.75} aria-hidden />
          {text}
        </Button>
      )}
      groups={files.map(({ kind, name }) =>
        exportFormats.map((format) => ({
          key: `${kind} ${format}`,
          label: name === undefined ? formatName[format] : `${name}, ${formatName[format]}`,
          onSelect: () => onExport({ kind, format }),
        })),
      )}
    />
  )
}
