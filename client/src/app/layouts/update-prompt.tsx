import { useEffect } from 'react'
import { Button } from '@/components/ui/button'
import { applyUpdate, postponeUpdate, registerWorker, useUpdate } from '../updates'

const messages = {
  label: 'Update',
  text: 'A new version is available. Refresh to update?',
  refresh: 'Refresh',
  later: 'Later',
} as const

/** Asks before a new build replaces the one on the screen (UI-07). */
export function UpdatePrompt() {
  useEffect(registerWorker, [])
  const isOffered = useUpdate()
  return (
    <section
      aria-label={messages.label}
      aria-live="polite"
      lang="en"
      className="pointer-events-none fixed inset-x-4 bottom-[calc(1rem+var(--below))] z-50 flex justify-center sm:justify-end"
    >
      {isOffered && (
        <div className="toast-in pointer-events-auto flex w-full max-w-md flex-wrap items-center gap-3 rounded-card border border-line bg-surface p-4 shadow-float">
          <p className="min-w-0 flex-1 basis-56 font-semibold">{messages.text}</p>
          <div className="flex gap-2">
            <Button variant="quiet" size="sm" onClick={postponeUpdate}>
              {messages.later}
            </Button>
            <Button size="sm" onClick={applyUpdate}>
              {messages.refresh}
            </Button>
          </div>
        </div>
      )}
    </section>
  )
}
