import type { ReactNode } from 'react'
import { LimitAlert } from '@/components/limit-alert'
import { PageHeader } from '@/components/page-header'
import { Breadcrumb } from '@/components/ui/breadcrumb'
import { paths } from '@/lib/paths'
import { messages } from '../messages'

type CreateFrameProps = {
  used: number
  /** How many businesses the plan allows; null: no limit. */
  allowed: number | null
  children: ReactNode
}

/** The head of the screen that adds a business; in place of the form, why there can be none (SUB-08). */
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
