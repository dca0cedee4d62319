import { Plus } from 'lucide-react'
import { useState } from 'react'
import { LimitAlert } from '@/components/limit-alert'
import { Button, ButtonLink } from '@/components/ui/button'
import { paths } from '@/lib/paths'
import { messages } from '../messages'

type BusinessAllowanceProps = {
  used: number
  /** The plan's maximum number of businesses; null: no limit. */
  allowed: number | null
  /** The plan allows several businesses (SUB-07). */
  isForSeveral: boolean
  plansHref: string
}

/**
 * Shows how many more businesses the plan allows, with a link to add one, or to larger plans if
 * there are none left (SUB-07, SUB-08).
 */
export function BusinessAllowance({
  used,
  allowed,
  isForSeveral,
  plansHref,
}: BusinessAllowanceProps) {
  const [isTold, setTold] = useState(false)
  const isFull = allowed !== null && used >= allowed
  return (
    <div className="mb-6 grid gap-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="nums text-muted">{allowed !== null && messages.used(used, allowed)}</p>
        {isFull ? (
          <Button variant="outline" aria-expanded={isTold} onClick={() => setTold(true)}>
            <Plus className="size-5" strokeWidth={1.75} aria-hidden />
            {messages.add}
          </Button>
        ) : (
          <ButtonLink to={paths.businessNew}>
            <Plus className="size-5" strokeWidth={1.75} aria-hidden />
            {messages.add}
          </ButtonLink>
        )}
      </div>
      {isFull && isTold && (
        <LimitAlert title={messages.limit(allowed)} plansHref={plansHref}>
          {messages.limitText} {!isForSeveral && messages.severalText}
        </LimitAlert>
      )}
    </div>
  )
}
