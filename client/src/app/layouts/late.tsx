import { AppToast } from '@/components/ui/app-toast'
import { ConnectionBanner } from './connection-banner'

// Used when something fails (page-error.tsx, components/lazy-part.tsx); imported here so that it is
// already loaded then.
import '@/components/error-alert'
import '@/components/part-failed'
import '@/components/ui/error-message'
import './missing-code'

/**
 * UI that is only needed when something happens. It is loaded when the page is idle, since the
 * browser may be offline later.
 */
export function Late() {
  return (
    <>
      <ConnectionBanner />
      <AppToast />
    </>
  )
}
