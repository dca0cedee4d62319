import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Link } from 'react-router'
import { Button } from '@/components/ui/button'
import { paths } from '@/lib/paths'
import { resendConfirmation } from '../api/mutations'
import { messages } from '../messages'
import { authSearch } from '../model/auth-mode'
import { CodeForm } from './code-form'

// Source: supabase/auth sends an address one mail a minute.
const resendAfterSeconds = 60

/** What is left to do after sign-up: open the link, or type the code; or have both sent again. */
export function CheckEmail({ email, emailRedirectTo }: { email: string; emailRedirectTo: string }) {
  const [sent, setSent] = useState(0)
  const resend = useMutation({
    mutationFn: () => resendConfirmation(email, emailRedirectTo),
    onSuccess: () => setSent((times) => times + 1),
  })
  const wait = useCountdown(resendAfterSeconds, sent)
  return (
    <div className="grid gap-6">
      <CodeForm email={email} />
      <div className="grid gap-2 border-line border-t pt-4">
        <p aria-live="polite" className="text-sm text-muted">
          {resend.isSuccess && messages.resent}
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
          <Link
            to={{ pathname: paths.auth, search: authSearch({ mode: 'register', role: 'user' }) }}
            className="hit inline-flex items-center text-sm text-primary underline underline-offset-4"
          >
            {messages.otherEmail}
          </Link>
        </div>
      </div>
    </div>
  )
}

/** Seconds left of a wait that begins anew whenever `round` changes; none before the first. */
function useCountdown(seconds: number, round: number): number {
  const [left, setLeft] = useState(0)
  useEffect(() => {
    if (round === 0) return
    setLeft(seconds)
    const timer = setInterval(() => setLeft((now) => Math.max(0, now - 1)), 1000)
    return () => clearInterval(timer)
  }, [seconds, round])
  return left
}
