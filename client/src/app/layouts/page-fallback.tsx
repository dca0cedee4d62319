import { Spinner } from '@/components/ui/spinner'
import { language } from '@/lib/language'
import { messages } from './messages'

/** A placeholder while a screen's code loads, so that the footer stays below. */
export function PageFallback() {
  return (
    <div className="page grid min-h-[80dvh] place-items-center">
      <div className="grid justify-items-center gap-4">
        <Spinner className="appear-late" />
        <p lang={language} className="reveal-slow text-sm text-muted">
          {messages.slow}{' '}
          <button type="button" className="underline" onClick={() => window.location.reload()}>
            {messages.reload}
          </button>
        </p>
      </div>
    </div>
  )
}
