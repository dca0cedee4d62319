import { useRef } from 'react'
import { Button } from '@/components/ui/button'
import { messages } from '../messages'
import { isSendable, sendable, type Tray, type TrayItem } from '../model/tray'
import { TrayRow } from './tray-row'

type UploadTrayProps = {
  tray: Tray
  items: readonly TrayItem[]
  /** How many more photos the plan allows; null: any number. */
  room: number | null
  onSend: (ids: string[]) => void
}

/** The selected files with their captions and progress, and the button that uploads them. */
export function UploadTray({ tray, items, room, onSend }: UploadTrayProps) {
  const section = useRef<HTMLElement>(null)
  if (items.length === 0) return null
  const fitting = sendable(items, room)
  return (
    <section
      ref={section}
      tabIndex={-1}
      aria-label={messages.tray}
      className="grid min-w-0 gap-4 outline-none"
    >
      <ul className="grid min-w-0 gap-3 *:min-w-0">
        {items.map((item) => (
          <TrayRow
            key={item.id}
            item={item}
            isOverLimit={isSendable(item) && !fitting.includes(item)}
            onCaption={(caption) => tray.change(item.id, { caption })}
            onCover={(isCover) => tray.chooseCover(item.id, isCover)}
            onRemove={() => tray.remove(item.id)}
            onRetry={() => onSend([item.id])}
          />
        ))}
      </ul>
      {fitting.length > 0 && (
        <div className="sticky bottom-0 z-10 -mx-4 border-line border-t bg-ground px-4 py-3 sm:static sm:mx-0 sm:border-0 sm:p-0">
          <Button
            size="lg"
            className="max-sm:w-full"
            onClick={() => {
              // The button is removed with the files that it uploads.
              section.current?.focus()
              onSend(fitting.map(({ id }) => id))
            }}
          >
            {messages.upload(fitting.length)}
          </Button>
        </div>
      )}
    </section>
  )
}
