import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { PageHeader } from '@/components/page-header'
import { QueryState } from '@/components/query-state'
import { Alert } from '@/components/ui/alert'
import { Breadcrumb } from '@/components/ui/breadcrumb'
import { ButtonLink } from '@/components/ui/button'
import { Skeleton, SkeletonGroup } from '@/components/ui/skeleton'
import { paths } from '@/lib/paths'
import { type BookedBusiness, bookedBusinessQuery } from '../api/queries'
import { messages } from '../messages'

type BookingsFrameProps = {
  id: string
  userId: string
  isAdmin: boolean
  actions?: (business: BookedBusiness) => ReactNode
  children: (business: BookedBusiness) => ReactNode
}

/**
 * The header of a business's bookings, and what users who do not manage it see instead (PERM-07).
 */
export function BookingsFrame({ id, userId, isAdmin, actions, children }: BookingsFrameProps) {
  const query = useQuery(bookedBusinessQuery(id))
  return (
    <QueryState query={query} errorTitle={messages.loadFailed} pending={<FramePending />}>
      {(business) => {
        if (business === null) {
          return <Refused title={messages.notFound} text={messages.notFoundText} />
        }
        if (business.owner_id !== userId && !isAdmin) {
          return <Refused title={messages.denied} text={messages.deniedText} />
        }
        return (
          <>
            <PageHeader
              title={messages.title}
              text={<span className="[overflow-wrap:anywhere]">{business.name}</span>}
              above={
                <Breadcrumb
                  crumbs={[
                    { key: 'list', label: messages.toList, to: paths.myBusinesses },
                    { key: 'here', label: messages.title },
                  ]}
                />
              }
              actions={actions?.(business)}
            />
            {children(business)}
          </>
        )
      }}
    </QueryState>
  )
}

function Refused({ title, text }: { title: string; text: string }) {
  return (
    <>
      <PageHeader title={messages.title} />
      <Alert
        tone="danger"
        title={title}
        action={
          <ButtonLink to={paths.myBusinesses} variant="outline" size="sm">
            {messages.toList}
          </ButtonLink>
        }
      >
        {text}
      </Alert>
    </>
  )
}

function FramePending() {
  return (
    <>
      <PageHeader title={messages.title} text={messages.pending} />
      <BookingsPending />
    </>
  )
}

export function BookingsPending() {
  return (
    <SkeletonGroup label={messages.pending} className="grid gap-3">
      {[0, 1, 2, 3].map((index) => (
        <Skeleton key={index} className="h-40 rounded-card sm:h-16" />
      ))}
    </SkeletonGroup>
  )
}
