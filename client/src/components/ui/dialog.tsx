import { X } from 'lucide-react'
import { type ReactNode, useEffect, useId, useLayoutEffect, useRef } from 'react'
import { OfflineNote } from '@/components/offline-note'
import { cn } from '@/lib/cn'
import { Button } from './button'
import { messages } from './messages'

export type DialogProps = {
  open: boolean
  /** Called on Escape, on the close button and on a press outside. */
  onClose: () => void
  title: string
  description?: ReactNode
  /**
   * `center` is a dialog; `sheet` slides in from the side. On phones both slide in from the bottom.
   */
  shape?: 'center' | 'sheet'
  /** The footer, always visible: the actions. */
  footer?: ReactNode
  className?: string
  /** A control marked `data-autofocus` gets the focus; otherwise the close button does. */
  children?: ReactNode
}

/**
 * A modal dialog based on the native <dialog>: focus moves in, is trapped, and returns to where it
 * was; the page behind is inert and does not scroll.
 */
export function Dialog({
  open,
  onClose,
  title,
  description,
  shape = 'center',
  footer,
  className,
  children,
}: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  const descriptionId = useId()

  useEffect(() => {
    const dialog = ref.current
    if (!dialog) return
    if (open && !dialog.open) {
      dialog.showModal()
      dialog.querySelector<HTMLElement>('[data-autofocus]')?.focus()
    }
    if (!open && dialog.open) dialog.close()
  }, [open])

  // If it is unmounted while open, it is closed first: otherwise the focus would not return.
  useLayoutEffect(() => {
    const dialog = ref.current
    return () => dialog?.close()
  }, [])

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it; the press on the backdrop is for pointers
    <dialog
      ref={ref}
      className={cn('overlay', shape === 'sheet' ? 'overlay-sheet' : 'overlay-center', className)}
      aria-labelledby={titleId}
      aria-describedby={description === undefined ? undefined : descriptionId}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClick={(event) => {
        // The backdrop belongs to the dialog element itself; its content is a child.
        if (event.target === event.currentTarget) onClose()
      }}
    >
      {open && (
        <div className="flex max-h-[inherit] min-h-full flex-col">
          <header className="flex items-start gap-4 px-6 pt-5 pb-2">
            <div className="grid flex-1 gap-1">
              <h2 id={titleId} className="text-xl">
                {title}
              </h2>
              {description !== undefined && (
                <div id={descriptionId} className="text-sm text-muted">
                  {description}
                </div>
              )}
            </div>
            <Button variant="quiet" size="icon" className="-me-3 -mt-2" onClick={onClose}>
              <X className="size-5" strokeWidth={1.75} aria-hidden />
              <span className="sr-only">{messages.close}</span>
            </Button>
          </header>
          <OfflineNote className="px-6" />
          <div className="flex-1 overflow-y-auto px-6 pt-2 pb-6">{children}</div>
          {footer !== undefined && (
            <footer className="sticky bottom-0 flex flex-wrap justify-end gap-3 border-line border-t bg-surface px-6 py-4">
              {footer}
            </footer>
          )}
        </div>
      )}
    </dialog>
  )
}
