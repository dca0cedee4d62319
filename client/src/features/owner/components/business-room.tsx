import { Plus } from 'lucide-react'
import { useState } from 'react'
import { LimitAlert } from '@/components/limit-alert'
import { Button, ButtonLink } from '@/components/ui/button'
import { paths } from '@/lib/paths'
import { messages } from '../messages'

type BusinessRoomProps = {
  used: number
  /** How many businesses the plan allows; null: no limit. */
  allowed: number | null
  /** The plan is one for several businesses (SUB-07). */
  isForSeveral: boolean
  plansHref: string
}

/** How many businesses the plan leaves room for, with the way to add one; where there is none, the way to more (SUB-07, SUB-08). */
export function BusinessRoom({ used, allowed, isForSeveral, plansHref }: BusinessRoomProps) {
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
