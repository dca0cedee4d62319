import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import type { ReactNode } from 'react'
import { QueryState } from '@/components/query-state'
import { ButtonLink } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { Skeleton, SkeletonGroup } from '@/components/ui/skeleton'
import { Tabs } from '@/components/ui/tabs'
import { paths } from '@/lib/paths'
import { ownBusinessesQuery } from '../api/queries'
import { dashboardMessages as messages } from '../dashboard-messages'

type BusinessTabsProps = {
  userId: string
  /** The business whose tab is open, according to the URL. */
  open: string | null
  onOpen: (businessId: string) => void
  children: (businessId: string) => ReactNode
}

/** A tab for each of the user's businesses (DASH-10 to DASH-12). */
export function BusinessTabs({ userId, open, onOpen, children }: BusinessTabsProps) {
  const query = useQuery(ownBusinessesQuery(userId))
  const shown = query.data?.find(({ id }) => id === open) ?? query.data?.[0]
  return (
    <section aria-label={messages.title} className="grid grid-cols-[minmax(0,1fr)] gap-5">
      {shown !== undefined && (
        <div className="flex flex-wrap items-center justify-between gap-3">
          <h2 className="min-w-0 text-xl [overflow-wrap:anywhere]">{shown.name}</h2>
          <div className="flex flex-wrap gap-3">
            <ButtonLink to={paths.businessNew}>
              <Plus className="size-5" strokeWidth={1.75} aria-hidden />
              {messages.add}
            </ButtonLink>
            <ButtonLink to={paths.businessEdit(shown.id)} variant="outline">
              {messages.edit}
            </ButtonLink>
          </div>
        </div>
      )}
      <QueryState
        query={query}
        errorTitle={messages.failed}
        pending={
          <SkeletonGroup label={messages.pending} className="grid gap-5">
            <Skeleton className="h-11" />
            <Skeleton className="h-11 w-60" />
            <Skeleton className="h-96 rounded-panel" />
          </SkeletonGroup>
        }
        isEmpty={(businesses) => businesses.length === 0}
        empty={
          <EmptyState
            title={messages.empty}
            text={messages.emptyText}
            action={<ButtonLink to={paths.businessNew}>{messages.create}</ButtonLink>}
          />
        }
      >
        {(businesses) => (
          <Tabs
            label={messages.tabs}
            value={shown?.id ?? ''}
            onChange={onOpen}
            tabs={businesses.map(({ id, name }) => ({
              key: id,
              label: name,
              content: children(id),
            }))}
          />
        )}
      </QueryState>
    </section>
  )
}
