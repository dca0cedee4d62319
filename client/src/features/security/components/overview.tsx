import { useQuery } from '@tanstack/react-query'
import { KeyRound, MonitorSmartphone, ShieldCheck, ShieldOff } from 'lucide-react'
import type { ComponentType, ReactNode } from 'react'
import { QueryState } from '@/components/query-state'
import { Alert } from '@/components/ui/alert'
import { ButtonLink } from '@/components/ui/button'
import { Skeleton, SkeletonGroup } from '@/components/ui/skeleton'
import { overviewQuery, sessionsQuery } from '../api/queries'
import { factorQuery } from '../api/two-factor'
import { messages } from '../messages'
import { eventTypes } from '../model/event'
import { type Overview as Counts, countOf, isWorrying } from '../model/overview'
import type { SecurityTab } from '../model/tab'

type OverviewProps = {
  userId: string
  hrefOf: (tab: SecurityTab) => string
  /** The URL of the password form. */
  passwordHref: string
}

/** The security state of the account, and the events of the last 30 days (SEC-03, SEC-04). */
export function Overview({ userId, hrefOf, passwordHref }: OverviewProps) {
  const counts = useQuery(overviewQuery(userId))
  return (
    <div className="grid gap-10">
      <section aria-labelledby="security-period" className="grid gap-4">
        <h2 id="security-period" className="text-xl">
          {messages.period}
        </h2>
        <QueryState query={counts} pending={<CountsSkeleton />} errorTitle={messages.overviewError}>
          {(overview) => <EventCounts overview={overview} activityHref={hrefOf('activity')} />}
        </QueryState>
      </section>
      <section aria-labelledby="security-protection" className="grid gap-4">
        <h2 id="security-protection" className="text-xl">
          {messages.protection}
        </h2>
        <Protection userId={userId} hrefOf={hrefOf} passwordHref={passwordHref} />
      </section>
    </div>
  )
}

function EventCounts({ overview, activityHref }: { overview: Counts; activityHref: string }) {
  return (
    <div className="grid gap-4">
      {isWorrying(overview) && (
        <Alert
          tone="warning"
          title={messages.worry}
          action={
            <ButtonLink variant="outline" size="sm" to={activityHref}>
              {messages.showActivity}
            </ButtonLink>
          }
        >
          {messages.worryText}
        </Alert>
      )}
      <dl className="grid grid-cols-2 overflow-hidden rounded-card border border-line bg-surface md:grid-cols-4">
        {eventTypes.map((type) => (
          <div
            key={type}
            className="grid gap-1 border-line p-4 not-first:border-s sm:p-5 max-md:nth-3:border-s-0 max-md:nth-[n+3]:border-t"
          >
            <dt className="text-sm text-muted">{messages.counts[type]}</dt>
            <dd className="nums font-display text-2xl font-semibold">{countOf(overview, type)}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}

function CountsSkeleton() {
  return (
    <SkeletonGroup label={messages.overviewPending}>
      <Skeleton className="h-46 rounded-card sm:h-50 md:h-25" />
    </SkeletonGroup>
  )
}

function Protection({ userId, hrefOf, passwordHref }: OverviewProps) {
  const factor = useQuery(factorQuery(userId))
  const sessions = useQuery(sessionsQuery(userId))
  const isOn = factor.data?.isVerified === true
  return (
    <ul className="grid gap-3">
      <Point
        icon={isOn ? ShieldCheck : ShieldOff}
        tone={factor.data === undefined ? 'text-muted' : isOn ? 'text-success' : 'text-warning'}
        title={factor.data === undefined ? null : isOn ? messages.factorOn : messages.factorOff}
        text={isOn ? messages.factorOnText : messages.factorOffText}
        action={
          <ButtonLink
            variant={isOn || factor.data === undefined ? 'outline' : 'primary'}
            size="sm"
            to={hrefOf('two-factor')}
          >
            {isOn ? messages.manage : messages.turnOn}
            <span className="sr-only">: {messages.tab['two-factor']}</span>
          </ButtonLink>
        }
      />
      <Point
        icon={MonitorSmartphone}
        tone="text-muted"
        title={sessions.data ? messages.sessionsCount(sessions.data.length) : null}
        text={messages.sessionsCountText}
        action={
          <ButtonLink variant="outline" size="sm" to={hrefOf('sessions')}>
            {messages.showSessions}
          </ButtonLink>
        }
      />
      <Point
        icon={KeyRound}
        tone="text-muted"
        title={messages.password}
        text={messages.passwordText}
        action={
          <ButtonLink variant="outline" size="sm" to={passwordHref}>
            {messages.changePassword}
          </ButtonLink>
        }
      />
    </ul>
  )
}

type PointProps = {
  icon: ComponentType<{ className?: string; strokeWidth?: number; 'aria-hidden'?: true }>
  tone: string
  /** Null while it is loading. */
  title: string | null
  text: string
  action: ReactNode
}

function Point({ icon: Icon, tone, title, text, action }: PointProps) {
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-3 rounded-card border border-line bg-surface p-4 sm:p-5">
      <Icon className={`size-6 shrink-0 ${tone}`} strokeWidth={1.75} aria-hidden />
      <div className="grid min-w-0 flex-1 basis-56 gap-0.5">
        {title === null ? (
          <Skeleton className="h-6 w-48" />
        ) : (
          <h3 className="text-base">{title}</h3>
        )}
        <p className="text-sm text-muted">{text}</p>
      </div>
      {action}
    </li>
  )
}
