import { X } from 'lucide-react'
import { useEffect, useSyncExternalStore } from 'react'
import { cn } from '@/lib/cn'
import { Button } from './button'
import { messages } from './messages'
import { dismissToast, toastStore } from './toast'

const visibleMs = 5000

const toneBar = { info: 'bg-primary', success: 'bg-success', danger: 'bg-danger' }

/**
 * Renders the app's only toast, in a live region that always exists so that screen readers observe
 * it.
 */
export function AppToast() {
  const toast = useSyncExternalStore(toastStore.subscribe, toastStore.current)
  const id = toast?.id

  useEffect(() => {
    if (id === undefined) return
    const timer = setTimeout(() => dismissToast(id), visibleMs)
    return () => clearTimeout(timer)
  }, [id])

  return (
    <section
      aria-label={messages.notices}
      aria-live="polite"
      className="pointer-events-none fixed inset-x-4 bottom-[calc(1rem+var(--below))] z-50 flex justify-center sm:justify-start"
    >
      {toast && (
        <div
          key={toast.id}
          className="toast-in pointer-events-auto flex w-full max-w-md items-start gap-3 overflow-hidden rounded-card border border-line bg-surface py-3 ps-4 pe-2 shadow-float"
        >
          <span className={cn('mt-1 h-4 w-1.5 shrink-0 rounded-full', toneBar[toast.tone])} />
          <div className="grid flex-1 gap-0.5 py-0.5">
            <p className="font-semibold">{toast.title}</p>
            {toast.text !== undefined && <p className="text-sm text-muted">{toast.text}</p>}
          </div>
          {toast.action && (
            <Button
              variant="quiet"
              size="sm"
              onClick={() => {
                toast.action?.onSelect()
                dismissToast(toast.id)
              }}
            >
              {toast.action.label}
            </Button>
          )}
          <Button variant="quiet" size="icon" className="-my-1.5" onClick={() => dismissToast()}>
            <X className="size-4" strokeWidth={1.75} aria-hidden />
            <span className="sr-only">{messages.dismiss}</span>
          </Button>
        </div>
      )}
    </section>
  )
}
