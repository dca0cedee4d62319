import { useEffect } from 'react'
import { reportLeaving } from '../api/session-row'

const channelName = 'plaza.session'
/** Delay of a response in milliseconds: by then the beacon of the page that was left has arrived. */
const answerAfterMs = 2000

/**
 * Reports to the server that this page is being left (AUTH-24). Other pages of the same session
 * respond by recording activity, and so does this one when it comes back (S-19).
 */
export function useLeaving(sessionId: string, note: () => void): void {
  useEffect(() => {
    const others = new BroadcastChannel(channelName)
    let timer: ReturnType<typeof setTimeout> | undefined
    const handleLeave = () => {
      reportLeaving(sessionId)
      others.postMessage(sessionId)
    }
    const handleReturn = (event: PageTransitionEvent) => {
      if (event.persisted) note()
    }
    others.onmessage = ({ data }: MessageEvent<unknown>) => {
      if (data === sessionId) timer = setTimeout(note, answerAfterMs)
    }
    window.addEventListener('pagehide', handleLeave)
    window.addEventListener('pageshow', handleReturn)
    return () => {
      clearTimeout(timer)
      others.close()
      window.removeEventListener('pagehide', handleLeave)
      window.removeEventListener('pageshow', handleReturn)
    }
  }, [sessionId, note])
}
