import { useEffect } from 'react'
import { tellLeaving } from '../api/session-row'

const channelName = 'plaza.session'
/** The beacon of the page that left has arrived by then. */
const answerAfterMs = 2000

/**
 * Tells the server that this page leaves (AUTH-24). Other pages of the same session
 * answer by noting activity, as this one does when it comes back (S-19).
 */
export function useLeaving(sessionId: string, note: () => void): void {
  useEffect(() => {
    const others = new BroadcastChannel(channelName)
    let timer: ReturnType<typeof setTimeout> | undefined
    const handleLeave = () => {
      tellLeaving(sessionId)
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
