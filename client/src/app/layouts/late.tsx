import { AppToast } from '@/components/ui/app-toast'
import { ConnectionLine } from './connection-line'

// Drawn where something fails (page-error.tsx, components/part.tsx), and loaded with this for it.
import '@/components/error-alert'
import '@/components/part-failed'
import '@/components/ui/error-message'
import './missing-code'

/** What shows only once something happens; loaded when the page is at rest, for later it may be offline. */
export function Late() {
  return (
    <>
      <ConnectionLine />
      <AppToast />
    </>
  )
}
