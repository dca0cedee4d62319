import { Spinner } from '@/components/ui/spinner'

/** A placeholder while a screen's code loads, so that the footer stays below. */
export function PageFallback() {
  return (
    <div className="page grid min-h-[80dvh] place-items-center">
      <div className="grid justify-items-center gap-4">
        <Spinner className="appear-late" />
        <p lang="en" className="reveal-slow text-sm text-muted">
          This takes longer than usual.{' '}
          <button type="button" className="underline" onClick={() => window.location.reload()}>
            Reload
          </button>
        </p>
      </div>
    </div>
  )
}
