import { Spinner } from '@/components/ui/spinner'

/** Holds the place of a screen whose code is on its way, so that the footer stays below. */
export function PageFallback() {
  return (
    <div className="page grid min-h-[80dvh] place-items-center">
      <Spinner className="appear-late" />
    </div>
  )
}
