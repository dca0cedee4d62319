import { useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { lazyPart } from '@/components/lazy-part'
import { QueryState } from '@/components/query-state'
import { Button, ButtonLink } from '@/components/ui/button'
import { Skeleton, SkeletonGroup } from '@/components/ui/skeleton'
import { paths } from '@/lib/paths'
import { type Application, applicationQuery } from '../api/queries'
import { messages } from '../messages'
import { type ApplicationState, stateOf } from '../model/state'
import { ApplicationSummary } from './application-summary'
import { StateLine } from './state-line'

// The form imports react-hook-form and zod, so the frame renders without it.
const ApplicationForm = lazyPart(async () => (await import('./application-form')).ApplicationForm)

type ApplicationPanelProps = {
  userId: string
  /** The user already has the seller role, regardless of any application. */
  isSeller: boolean
  types: readonly string[]
}

/** The application form, or the state of the application (SELLER-01 to SELLER-06). */
export function ApplicationPanel({ userId, isSeller, types }: ApplicationPanelProps) {
  const query = useQuery({ ...applicationQuery(userId), enabled: !isSeller })
  const [appliesAgain, setAppliesAgain] = useState(false)
  if (isSeller) return <ApplicationStatus state="approved" application={null} />
  return (
    <QueryState query={query} errorTitle={messages.failed} pending={<FormSkeleton />}>
      {(application) => {
        const state = stateOf(application)
        const isForm = state === 'none' || (state === 'rejected' && appliesAgain)
        if (!isForm) {
          return (
            <ApplicationStatus
              state={state}
              application={application}
              onApplyAgain={() => setAppliesAgain(true)}
            />
          )
        }
        return (
          <div className="grid gap-5">
            {state === 'rejected' && <p className="text-muted">{messages.again}</p>}
            <Suspense fallback={<FormSkeleton />}>
              <ApplicationForm userId={userId} types={types} />
            </Suspense>
          </div>
        )
      }}
    </QueryState>
  )
}

type ApplicationStatusProps = {
  state: ApplicationState
  application: Application | null
  onApplyAgain?: () => void
}

function ApplicationStatus({ state, application, onApplyAgain }: ApplicationStatusProps) {
  return (
    <div className="grid max-w-[44rem] gap-6 rounded-panel border border-line bg-surface p-5 sm:p-6">
      <StateLine state={state} headingLevel="h2" />
      {application && <ApplicationSummary application={application} />}
      <div className="flex flex-wrap gap-3">
        {state === 'approved' && (
          <ButtonLink to={paths.businessNew}>{messages.state.approved.action}</ButtonLink>
        )}
        {state === 'rejected' && (
          <>
            <ButtonLink to={paths.contact}>{messages.state.rejected.action}</ButtonLink>
            <Button variant="outline" onClick={onApplyAgain}>
              {messages.applyAgain}
            </Button>
          </>
        )}
        <ButtonLink to={paths.dashboard} variant="outline">
          {messages.toDashboard}
        </ButtonLink>
      </div>
    </div>
  )
}

function FormSkeleton() {
  return (
    <SkeletonGroup label={messages.formLoading} className="grid max-w-[34rem] gap-5">
      <Skeleton className="h-18" />
      <Skeleton className="h-24" />
      <Skeleton className="h-24" />
      <Skeleton className="h-44" />
      <Skeleton className="h-13 w-44" />
    </SkeletonGroup>
  )
}
