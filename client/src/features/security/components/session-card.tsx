import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { agoLabel } from '@/lib/ago'
import { formatHere } from '@/lib/time'
import { messages } from '../messages'
import type { UserSession } from '../model/session'
import { DeviceIcon } from './device-icon'

type SessionCardProps = {
  session: UserSession
  isThis: boolean
  now: Date
  onEnd: () => void
}

/** A session: device, address, activity, expiry; this browser's session is ended by logging out. */
export function SessionCard({ session, isThis, now, onEnd }: SessionCardProps) {
  const { device, ip, startedAt, lastActivityAt, expiresAt } = session
  return (
    <article className="flex flex-wrap items-center gap-x-4 gap-y-3 rounded-card border border-line bg-surface p-4 sm:p-5">
      <DeviceIcon kind={device.kind} />
      <div className="grid min-w-0 flex-1 basis-52 gap-0.5">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h2 className="text-base font-semibold">{device.label}</h2>
          {isThis && <Badge tone="success">{messages.thisDevice}</Badge>}
        </div>
        <p className="nums text-sm text-muted [overflow-wrap:anywhere]">
          {ip ?? messages.noAddress} · {messages.lastActive(agoLabel(lastActivityAt, now))}
        </p>
        <p className="nums text-sm text-muted">
          {messages.signedInAt(formatHere(new Date(startedAt), now))},{' '}
          {messages.endsAt(formatHere(new Date(expiresAt), now))}
        </p>
      </div>
      <Button variant="outline" size="sm" className={isThis ? '' : 'text-danger'} onClick={onEnd}>
        {isThis ? messages.signOut : messages.terminate}
        {!isThis && <span className="sr-only">: {device.label}</span>}
      </Button>
    </article>
  )
}
