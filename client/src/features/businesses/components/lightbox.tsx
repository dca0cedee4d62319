import { ChevronLeft, ChevronRight, X } from 'lucide-react'
import { type KeyboardEvent, type TouchEvent, useEffect, useRef } from 'react'
import { Picture } from '@/components/picture'
import { Button } from '@/components/ui/button'
import { messages as ui } from '@/components/ui/messages'
import type { Photo } from '../model/business-details'
import { messages } from '../page-messages'

type LightboxProps = {
  name: string
  photos: readonly Photo[]
  /** The shown photo; null if it is closed. */
  at: number | null
  onMove: (at: number | null) => void
}

/** Minimum swipe distance for changing the photo, in pixels. */
const swipeLeast = 48

/** A full-screen photo viewer; arrow keys and swipes change the photo, Escape closes it. */
export function Lightbox({ name, photos, at, onMove }: LightboxProps) {
  const ref = useRef<HTMLDialogElement>(null)
  const isOpen = at !== null
  const photo = at === null ? undefined : photos[at]

  useEffect(() => {
    const dialog = ref.current
    if (!dialog) return
    if (isOpen && !dialog.open) dialog.showModal()
    if (!isOpen && dialog.open) dialog.close()
  }, [isOpen])

  const step = (by: number) => {
    if (at !== null) onMove((at + by + photos.length) % photos.length)
  }
  const handleKey = (event: KeyboardEvent) => {
    if (event.key === 'ArrowRight') step(1)
    if (event.key === 'ArrowLeft') step(-1)
  }

  const begin = useRef<number | null>(null)
  const handleTouchStart = ({ touches }: TouchEvent) => {
    begin.current = touches.length === 1 ? (touches[0]?.clientX ?? null) : null
  }
  const handleTouchEnd = ({ changedTouches }: TouchEvent) => {
    const moved = begin.current === null ? 0 : (changedTouches[0]?.clientX ?? 0) - begin.current
    begin.current = null
    if (Math.abs(moved) >= swipeLeast) step(moved < 0 ? 1 : -1)
  }

  return (
    <dialog
      ref={ref}
      aria-label={messages.photos}
      className="overlay m-0 h-dvh w-screen bg-ground"
      onKeyDown={handleKey}
      onCancel={(event) => {
        event.preventDefault()
        onMove(null)
      }}
    >
      {photo && at !== null && (
        <figure className="grid h-full grid-rows-[auto_1fr_auto]">
          <div className="flex items-center justify-between p-2 ps-5">
            <span className="nums text-sm text-muted" aria-live="polite">
              {at + 1} / {photos.length}
            </span>
            <Button variant="quiet" size="icon" onClick={() => onMove(null)}>
              <X className="size-5" strokeWidth={1.75} aria-hidden />
              <span className="sr-only">{ui.close}</span>
            </Button>
          </div>
          <div
            className="grid min-h-0 touch-pan-y touch-pinch-zoom grid-cols-[auto_1fr_auto] items-center gap-1 px-1"
            onTouchStart={handleTouchStart}
            onTouchEnd={handleTouchEnd}
          >
            <Step
              label={messages.previousPhoto}
              disabled={photos.length === 1}
              onPress={() => step(-1)}
            >
              <ChevronLeft className="size-6" strokeWidth={1.75} aria-hidden />
            </Step>
            <Picture
              key={photo.id}
              url={photo.url}
              alt={photo.caption ?? messages.photoOf(name, at + 1, photos.length)}
              className="size-full min-h-0 object-contain"
            />
            <Step label={messages.nextPhoto} disabled={photos.length === 1} onPress={() => step(1)}>
              <ChevronRight className="size-6" strokeWidth={1.75} aria-hidden />
            </Step>
          </div>
          {/* Preload the neighbouring photos. */}
          {[...new Set([1, photos.length - 1])].map((by) => {
            const near = photos[(at + by) % photos.length]
            return near && <Picture key={by} url={near.url} alt="" className="hidden" />
          })}
          <figcaption className="min-h-14 p-4 text-center text-sm">{photo.caption}</figcaption>
        </figure>
      )}
    </dialog>
  )
}

function Step({
  label,
  disabled,
  onPress,
  children,
}: {
  label: string
  disabled: boolean
  onPress: () => void
  children: React.ReactNode
}) {
  return (
    <Button variant="quiet" size="icon" disabled={disabled} onClick={onPress}>
      {children}
      <span className="sr-only">{label}</span>
    </Button>
  )
}
