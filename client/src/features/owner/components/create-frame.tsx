import type { ReactNode } from 'react'
import { LimitAlert } from '@/components/limit-alert'
import { PageHeader } from '@/components/page-header'
import { Alert } from '@/components/ui/alert'
import { Breadcrumb } from '@/components/ui/breadcrumb'
import { paths } from '@/lib/paths'
import { messages } from '../messages'

type CreateFrameProps = {
  /** May sell: an owner or an admin. */
  isAllowed: boolean
  used: number
  /** How many businesses the plan allows; null: no limit. */
  allowed: number | null
  children: ReactNode
}

/** The head of the screen that adds a business; in place of the form, why there can be none (PERM-06, SUB-08). */
export function CreateFrame({ isAllowed, used, allowed, children }: CreateFrameProps) {
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
      {!isAllowed ? (
        <Alert tone="danger" title={messages.denied}>
          <p>{messages.deniedText}</p>
          <p>{messages.newDenied}</p>
        </Alert>
      ) : allowed !== null && used >= allowed ? (
        <LimitAlert title={messages.limit(allowed)} plansHref={paths.plans}>
          {messages.limitText}
        </LimitAlert>
      ) : (
        children
      )}
    </div>
  )
}
