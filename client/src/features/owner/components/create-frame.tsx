import type { ReactNode } from 'react'
import { LimitAlert } from '@/components/limit-alert'
import { PageHeader } from '@/components/page-header'
import { Breadcrumb } from '@/components/ui/breadcrumb'
import { paths } from '@/lib/paths'
import { messages } from '../messages'

type CreateFrameProps = {
  used: number
  /** The plan's maximum number of businesses; null: no limit. */
  allowed: number | null
  children: ReactNode
}

/**
 * The header of the screen that adds a business; replaces the form with an explanation if the limit
 * is reached (SUB-08).
 */
export function CreateFrame({ used, allowed, children }: CreateFrameProps) {
  return (
    <div className="page pb-16">
      <PageHeader
        title={messages.newTitle}
        text={messages.newText}
        above={
          <Breadcrumb
            crumbs={[
              { key: 'list', label: messages.toList, to: paths.myBusinesses },
              { key: 'new', label: messages.add },
            ]}
          />
        }
      />
      {allowed !== null && used >= allowed ? (
        <LimitAlert title={messages.limit(allowed)} plansHref={paths.plans}>
          {messages.limitText}
        </LimitAlert>
      ) : (
        children
      )}
    </div>
  )
}
