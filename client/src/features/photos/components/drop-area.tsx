import { ImagePlus } from 'lucide-react'
import { useLayoutEffect, useRef, useState } from 'react'
import { TileMark } from '@/components/tile/tile-mark'
import { Button } from '@/components/ui/button'
import { cn } from '@/lib/cn'
import { acceptedTypes } from '@/lib/photo-file'
import { messages } from '../messages'

/** Id of the button that chooses photos, for returning the focus to it. */
export const chooseId = 'choose-photos'

type DropAreaProps = {
  /** There are no photos yet: the area explains why to add some. */
  isFirst: boolean
  onFiles: (files: File[]) => void
}

const carriesFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') === true

/** Accepts files from a chooser, which on phones offers the camera, by drop and by paste. */
export function DropArea({ isFirst, onFiles }: DropAreaProps) {
  const input = useRef<HTMLInputElement>(null)
  const [isOver, setOver] = useState(false)

  // The whole page accepts drops: a file dropped next to the area would otherwise open in the
  // page's place. A layout effect, so that it accepts them as soon as it is shown.
  useLayoutEffect(() => {
    const handleOver = (event: DragEvent) => {
      if (!carriesFiles(event)) return
      event.preventDefault()
      setOver(true)
    }
    const handleLeave = (event: DragEvent) => {
      if (event.relatedTarget === null) setOver(false)
    }
    const handleDrop = (event: DragEvent) => {
      setOver(false)
      if (!carriesFiles(event)) return
      event.preventDefault()
      onFiles([...(event.dataTransfer?.files ?? [])])
    }
    const handlePaste = (event: ClipboardEvent) => {
      const files = [...(event.clipboardData?.files ?? [])]
      if (files.length === 0) return
      event.preventDefault()
      onFiles(files)
    }
    const ending = new AbortController()
    const { signal } = ending
    document.addEventListener('dragover', handleOver, { signal })
    document.addEventListener('dragleave', handleLeave, { signal })
    document.addEventListener('drop', handleDrop, { signal })
    document.addEventListener('paste', handlePaste, { signal })
    return () => ending.abort()
  }, [onFiles])

  return (
    <div
      className={cn(
        'grid justify-items-center gap-3 rounded-panel border border-dashed px-5 text-center transition-colors',
        isFirst ? 'py-12' : 'py-6',
        isOver ? 'border-primary bg-primary-soft' : 'border-control bg-surface',
      )}
    >
      {isFirst && (
        <div className="grid justify-items-center gap-1 pb-2">
          <TileMark seed={messages.firstTitle} className="mb-3 size-20 rounded-card" />
          <h2 className="text-xl">{messages.firstTitle}</h2>
          <p className="max-w-[44ch] text-balance text-muted">{messages.firstText}</p>
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
          // Allows the same file to be selected again.
          event.target.value = ''
          onFiles(files)
        }}
      />
      <Button id={chooseId} onClick={() => input.current?.click()}>
        <ImagePlus className="size-5" strokeWidth={1.75} aria-hidden />
        {messages.choose}
      </Button>
      <p className="text-sm text-muted pointer-coarse:hidden">
        {isOver ? messages.dropNow : messages.drop}
      </p>
      <p className="max-w-[60ch] text-balance text-sm text-muted">{messages.rules}</p>
    </div>
  )
}
