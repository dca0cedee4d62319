import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Button } from '@/components/ui/button'
import { useCountdown } from '@/lib/use-countdown'
import { messages } from '../messages'

// Source: supabase/auth sends an address one mail, and a phone one code, per minute.
const resendAfterSeconds = 60

type ResendProps = {
  onSend: () => Promise<void>
  sentText: string
  /** A code was sent a moment ago, so the next one has to wait. */
  isSentNow?: boolean
  /** An alternative: a link. */
  children: ReactNode
}

/** Sends a code again, after a waiting time. */
export function Resend({ onSend, sentText, isSentNow = false, children }: ResendProps) {
  const [sent, setSent] = useState(isSentNow ? 1 : 0)
  const resend = useMutation({
    mutationFn: onSend,
    onSuccess: () => setSent((times) => times + 1),
  })
  const wait = useCountdown(resendAfterSeconds, sent)
  return (
    <div className="grid gap-2 border-line border-t pt-4">
      <p aria-live="polite" className="text-sm text-muted">
        {resend.isSuccess && sentText}
        {resend.isError && <span className="text-danger">{messages.resendFailed}</span>}
      </p>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <Button
          variant="outline"
          disabled={wait > 0}
          pending={resend.isPending}
          onClick={() => resend.mutate()}
        >
          {wait > 0 ? messages.resendIn(wait) : messages.resend}
        </Button>
        {children}
      </div>
    </div>
  )
}
