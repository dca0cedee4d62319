import { LimitAlert } from '@/components/limit-alert'
import { cn } from '@/lib/cn'
import { messages } from '../messages'

type UsageProps = {
  used: number
  allowed: number | null
  /** More files were selected than the plan allows. */
  keepsFiles: boolean
  plansHref: string
}

/** The number of photos and the plan's limit, and a link to larger plans (SUB-08). */
export function Usage({ used, allowed, keepsFiles, plansHref }: UsageProps) {
  const isFull = allowed !== null && used >= allowed
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <p className="nums font-semibold" role="status">
          {messages.used(used, allowed)}
        </p>
        {allowed !== null && (
          <div className="h-2 w-40 max-w-full overflow-hidden rounded-full bg-sunken" aria-hidden>
            <div
              className={cn('h-full rounded-full', isFull ? 'bg-warning' : 'bg-primary')}
              style={{ width: `${Math.min(100, (used / Math.max(1, allowed)) * 100)}%` }}
            />
          </div>
        )}
      </div>
      {allowed !== null && (isFull || keepsFiles) && (
        <LimitAlert title={messages.limit(allowed)} plansHref={plansHref}>
          {keepsFiles ? messages.limitKept : messages.limitText}
        </LimitAlert>
      )}
    </div>
  )
}
