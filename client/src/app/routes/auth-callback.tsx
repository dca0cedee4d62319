import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { Spinner } from '@/components/ui/spinner'
import { showToast } from '@/components/ui/toast'
import { exchangeQuery } from '@/features/auth/api/sign-in-queries'
import { messages } from '@/features/auth/messages'
import { exchangeFailure, readReturn } from '@/features/auth/model/callback'
import { pageTitle, usePageMeta } from '@/lib/page-meta'
import { paths } from '@/lib/paths'
import { peekReturn, rememberReturn, takeReturn } from '@/lib/return-path'

/** The redirect target of a provider or of a link in a mail (AUTH-13 to AUTH-15). */
export function Component() {
  usePageMeta({ title: pageTitle(messages.signIn) })
  const navigate = useNavigate()
  const [params] = useSearchParams()
  const back = readReturn(params)
  const code = back.kind === 'code' ? back.code : ''
  const next = back.kind === 'code' ? back.next : null
  const { data, error } = useQuery({ ...exchangeQuery(code), enabled: code !== '' })
  const refusal = refusalOf(back, error)
  const isConfirmed = refusal?.isConfirmed === true
  const failure = refusal?.title
  const failureText = refusal?.text

  useEffect(() => {
    if (!data) return
    if (!data.isWhole) {
      // The second factor's code is requested there; afterwards the user continues.
      rememberReturn(next ?? peekReturn() ?? paths.home)
      void navigate(paths.auth, { replace: true })
      return
    }
    // The user must still set a new password: that page explains what to do.
    if (next !== paths.resetPassword) showToast({ title: messages.welcome, tone: 'success' })
    void navigate(next ?? takeReturn() ?? paths.home, { replace: true })
  }, [data, next, navigate])

  useEffect(() => {
    if (failure === undefined || failureText === undefined) return
    const notice = { title: failure, text: failureText }
    showToast({ ...notice, tone: isConfirmed ? 'success' : 'danger' })
    void navigate(paths.auth, { replace: true, state: { notice } })
  }, [failure, failureText, isConfirmed, navigate])

  return (
    <div className="page grid min-h-[64dvh] place-content-center justify-items-center gap-4">
      <h1 className="text-xl">
        <Spinner label={messages.signingIn} />
      </h1>
    </div>
  )
}

function refusalOf(
  back: ReturnType<typeof readReturn>,
  error: Error | null,
): ReturnType<typeof exchangeFailure> | null {
  if (back.kind === 'refused') return back.notice
  if (back.kind === 'nothing') {
    return { title: messages.callbackError, text: messages.callbackErrorText }
  }
  return error ? exchangeFailure(error, back) : null
}
