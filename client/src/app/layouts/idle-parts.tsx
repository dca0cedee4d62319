import { useEffect } from 'react'
import { AppToast } from '@/components/ui/app-toast'
import { sendVitals } from '../vitals'
import { ConnectionBanner } from './connection-banner'
import { UpdatePrompt } from './update-prompt'

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
export function IdleParts() {
  useEffect(sendVitals, [])
  return (
    <>
      <ConnectionBanner />
      <AppToast />
      <UpdatePrompt />
    </>
  )
}
