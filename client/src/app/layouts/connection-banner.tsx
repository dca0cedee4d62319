import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { CircleCheck, CloudOff, Hourglass, RefreshCwOff, WifiOff } from 'lucide-react'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useLocation, useNavigate, useNavigation } from 'react-router'
import { Button } from '@/components/ui/button'
import { messages as ui } from '@/components/ui/messages'
import { type Connection, stopWaiting, useConnection } from '@/lib/connection'
import { language } from '@/lib/language'
import { useIsLivePaused } from '@/lib/live-outages'
import { request } from '@/lib/request'
import { messages } from './messages'

/** Interval of the checks whether an unreachable server is back, in milliseconds. */
const checkMs = 5_000
/** How long the notice "connected again" is shown, in milliseconds. */
const restoredMs = 4_000
/** After how long the loading of the next screen counts as slow, in milliseconds. */
const slowMs = 10_000

type Shown = Exclude<Connection, 'fine'> | 'back' | 'paused'

const words: Record<Shown, { icon: typeof WifiOff; title: string; text?: string }> = {
  offline: {
    icon: WifiOff,
    title: ui.offline,
    text: ui.offlineText,
  },
  down: {
    icon: CloudOff,
    title: messages.down,
    text: messages.downText,
  },
  slow: { icon: Hourglass, title: messages.late },
  back: { icon: CircleCheck, title: messages.back },
  paused: { icon: RefreshCwOff, title: messages.paused, text: messages.pausedText },
}

/** A banner at the bottom of every screen while there is a problem with the connection. */
export function ConnectionBanner() {
  const connection = useConnection()
  const { checkServer, isChecking } = useServerCheck(connection === 'down')
  const isLate = useSlowNavigation()
  const isBack = useRestored(connection)
  const isPaused = useIsLivePaused()
  const shown = connection === 'fine' ? whileFine(isLate, isBack, isPaused) : connection
  return (
    <div
      role="status"
      lang={language}
      ref={useSpaceBelow(shown)}
      className="fixed inset-x-0 bottom-0 z-40 bg-surface"
    >
      {shown && (
        <Banner shown={shown}>
          {shown === 'down' && (
            <Button variant="outline" size="sm" pending={isChecking} onClick={checkServer}>
              {messages.tryAgain}
            </Button>
          )}
          {shown === 'slow' && <StopWaiting />}
        </Banner>
      )}
    </div>
  )
}

/** Returns what is worth a notice although requests are answered. */
function whileFine(isLate: boolean, isBack: boolean, isPaused: boolean): Shown | null {
  if (isLate) return 'slow'
  if (isBack) return 'back'
  return isPaused ? 'paused' : null
}

function Banner({ shown, children }: { shown: Shown; children: React.ReactNode }) {
  const { icon: Icon, title, text } = words[shown]
  return (
    <div className="border-line border-t pb-[env(safe-area-inset-bottom)]">
      <div className="page flex min-h-12 flex-wrap items-center gap-x-4 gap-y-1 py-1.5 text-sm">
        <p className="flex min-w-0 flex-1 basis-40 items-center gap-3">
          <Icon className="size-5 shrink-0 text-muted" strokeWidth={1.75} aria-hidden />
          <span>
            <strong className="font-semibold">{title}</strong>{' '}
            <span className="text-muted">{text}</span>
          </span>
        </p>
        {children}
      </div>
    </div>
  )
}

/** Aborts the slow requests; their callers report the failure and offer a retry. */
function StopWaiting() {
  const navigate = useNavigate()
  const { state } = useNavigation()
  const here = useLocation()
  const handleStop = () => {
    stopWaiting()
    if (state !== 'idle') void navigate(here, { replace: true })
  }
  return (
    <Button variant="outline" size="sm" onClick={handleStop}>
      {messages.stopWaiting}
    </Button>
  )
}

/** Checks whether the server is back, and then refetches the queries that failed. */
async function checkServer(client: QueryClient): Promise<void> {
  const answer = await request('/favicon.svg', { method: 'HEAD', cache: 'no-store' }).catch(
    () => null,
  )
  if (!answer?.ok) return
  await client.refetchQueries({
    type: 'active',
    predicate: ({ state }) => state.status === 'error',
  })
}

/** Checks the server periodically while it is unreachable, and on request. */
function useServerCheck(isDown: boolean) {
  const client = useQueryClient()
  const [isChecking, setChecking] = useState(false)
  useEffect(() => {
    if (!isDown) return
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void checkServer(client)
    }, checkMs)
    return () => clearInterval(timer)
  }, [isDown, client])
  const handleCheck = () => {
    setChecking(true)
    void checkServer(client).finally(() => setChecking(false))
  }
  return { checkServer: handleCheck, isChecking }
}

/** Reports whether the next screen has been loading for long. */
function useSlowNavigation(): boolean {
  const { state, location } = useNavigation()
  const [late, setLate] = useState<unknown>(null)
  useEffect(() => {
    if (state === 'idle') return
    const timer = setTimeout(() => setLate(location), slowMs)
    return () => clearTimeout(timer)
  }, [state, location])
  return state !== 'idle' && late === location
}

/** Reports whether the connection came back a moment ago. */
function useRestored(connection: Connection): boolean {
  const [isBack, setBack] = useState(false)
  const last = useRef(connection)
  useEffect(() => {
    const wasLost = last.current === 'offline' || last.current === 'down'
    last.current = connection
    if (connection !== 'fine' || !wasLost) return
    setBack(true)
    const end = () => setBack(false)
    const timer = setTimeout(end, restoredMs)
    return () => {
      clearTimeout(timer)
      end()
    }
  }, [connection])
  return isBack
}

/**
 * Reserves space for the banner below the page, and moves other fixed elements at the bottom above
 * it.
 */
function useSpaceBelow(shown: unknown) {
  const line = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const height = shown === null ? 0 : (line.current?.offsetHeight ?? 0)
    document.documentElement.style.setProperty('--below', `${height}px`)
  }, [shown])
  return line
}
