import { ImagePlus } from 'lucide-react'
import { type DragEvent, useEffect, useRef, useState } from 'react'
import { Button } from '@/components/ui/button'
import { cn } from '@/lib/cn'
import { messages } from '../messages'
import { acceptedTypes } from '../model/photo-file'

type DropAreaProps = {
  /** There is nothing yet: it says what photos are good for. */
  isFirst: boolean
  onFiles: (files: File[]) => void
}

const carriesFiles = (event: DragEvent) => event.dataTransfer.types.includes('Files')

/** Takes files from a chooser, which on phones offers the camera, by drop and by paste. */
export function DropArea({ isFirst, onFiles }: DropAreaProps) {
  const input = useRef<HTMLInputElement>(null)
  const [isOver, setOver] = useState(false)

  useEffect(() => {
    const handlePaste = (event: ClipboardEvent) => {
      const files = [...(event.clipboardData?.files ?? [])]
      if (files.length === 0) return
      event.preventDefault()
      onFiles(files)
    }
    document.addEventListener('paste', handlePaste)
    return () => document.removeEventListener('paste', handlePaste)
  }, [onFiles])

  const handleOver = (event: DragEvent) => {
    if (!carriesFiles(event)) return
    event.preventDefault()
    setOver(true)
  }
  const handleDrop = (event: DragEvent) => {
    if (!carriesFiles(event)) return
    event.preventDefault()
    setOver(false)
    onFiles([...event.dataTransfer.files])
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is for pointers; the button inside does the same
    <div
      className={cn(
        'grid justify-items-center gap-3 rounded-panel border border-dashed px-5 text-center transition-colors',
        isFirst ? 'py-12' : 'py-6',
        isOver ? 'border-primary bg-primary-soft' : 'border-control bg-surface',
      )}
      onDragEnter={handleOver}
      onDragOver={handleOver}
      onDragLeave={(event) => {
        const to = event.relatedTarget
        if (!(to instanceof Node) || !event.currentTarget.contains(to)) setOver(false)
      }}
      onDrop={handleDrop}
    >
      {isFirst && (
        <div className="grid gap-1">
          <h2 className="text-xl">{messages.firstTitle}</h2>
          <p className="max-w-[44ch] text-muted">{messages.firstText}</p>
        </div>
      )}
      <input
        ref={input}
        type="file"
        accept={acceptedTypes}
        multiple
        hidden
        onChange={(event) => {
          const files = [...(event.target.files ?? [])]
          // So that the same file can be chosen again.
          event.target.value = ''
          onFiles(files)
        }}
      />
      <Button onClick={() => input.current?.click()}>
        <ImagePlus className="size-5" strokeWidth={1.75} aria-hidden />
        {messages.choose}
      </Button>
      <p className="text-sm text-muted pointer-coarse:hidden">
        {isOver ? messages.dropNow : messages.drop}
      </p>
      <p className="max-w-[60ch] text-sm text-muted">{messages.rules}</p>
    </div>
  )
}
