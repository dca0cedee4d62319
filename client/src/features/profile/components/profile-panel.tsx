import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Suspense } from 'react'
import { lazyPart } from '@/components/lazy-part'
import { QueryState } from '@/components/query-state'
import { Skeleton, SkeletonGroup } from '@/components/ui/skeleton'
import { profileKeys } from '../api/keys'
import { profileQuery } from '../api/queries'
import { messages } from '../messages'
import type { ProfileFormProps } from './profile-form'

const ProfileForm = lazyPart(async () => (await import('./profile-form')).ProfileForm)

/** The Profile tab: the stored profile in a form. */
export function ProfilePanel({ onSaved, ...props }: Omit<ProfileFormProps, 'fullName'>) {
  const client = useQueryClient()
  const query = useQuery(profileQuery(props.userId))
  return (
    <div className="grid gap-5">
      <p className="max-w-text text-muted">{messages.profileText}</p>
      <QueryState query={query} pending={<FormSkeleton />} errorTitle={messages.loadError}>
        {({ fullName }) => (
          <Suspense fallback={<FormSkeleton />}>
            <ProfileForm
              {...props}
              fullName={fullName}
              onSaved={(saved) => {
                client.setQueryData(profileKeys.own(props.userId), { fullName: saved })
                onSaved(saved)
              }}
            />
          </Suspense>
        )}
      </QueryState>
    </div>
  )
}

function FormSkeleton() {
  return (
    <SkeletonGroup label={messages.pending} className="grid max-w-[30rem] gap-5">
      <div className="grid gap-1.5">
        <Skeleton className="h-5 w-24" />
        <Skeleton className="h-11" />
      </div>
      <div className="grid gap-1.5">
        <Skeleton className="h-11.5 w-56" />
        <Skeleton className="h-11" />
      </div>
      <Skeleton className="h-11 w-36" />
    </SkeletonGroup>
  )
}
