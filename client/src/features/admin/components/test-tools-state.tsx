import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { QueryState } from '@/components/query-state'
import { Alert } from '@/components/ui/alert'
import { Skeleton, SkeletonGroup } from '@/components/ui/skeleton'
import { testToolsQuery } from '../api/test-tools'
import type { TestKind } from '../model/test-data'
import { testMessages as texts } from '../test-messages'

/** What the database says of the test tools. */
export type TestTools = Readonly<Record<TestKind, number>> & { is_on: boolean }

/** Renders its children with the state of the test tools, and says why they are off. */
export function TestToolsState({ children }: { children: (tools: TestTools) => ReactNode }) {
  const query = useQuery(testToolsQuery)
  return (
    <QueryState
      query={query}
      errorTitle={texts.failed}
      pending={
        <SkeletonGroup label={texts.pending} className="grid gap-5">
          <Skeleton className="h-20 rounded-card" />
          <Skeleton className="h-96 rounded-panel" />
        </SkeletonGroup>
      }
    >
      {(tools) => (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
          {!tools.is_on && (
            <Alert tone="warning" title={texts.off}>
              {texts.offText}
            </Alert>
          )}
          {children(tools)}
        </div>
      )}
    </QueryState>
  )
}
