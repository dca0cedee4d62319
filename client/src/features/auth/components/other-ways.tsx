import { useMutation, useQuery } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { Alert } from '@/components/ui/alert'
import { Button, ButtonLink } from '@/components/ui/button'
import { showToast } from '@/components/ui/toast'
import { paths } from '@/lib/paths'
import { canUsePasskeys } from '@/lib/webauthn'
import { signInWithGoogle, signInWithPasskey } from '../api/mutations'
import { providersQuery } from '../api/sign-in-queries'
import { messages } from '../messages'
import { googleFailure, passkeyFailure } from '../model/auth-error'
import { authSearch } from '../model/auth-mode'

/** The sign-in methods besides the password that the server offers. */
export function OtherWays({ redirectTo }: { redirectTo: string }) {
  const { data: providers } = useQuery(providersQuery)
  const passkey = providers?.passkey === true && canUsePasskeys()
  if (!providers?.google && !providers?.phone && !passkey) return null
  return (
    <div className="grid gap-4">
      <p className="flex items-center gap-3 text-sm text-muted before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        {messages.or}
      </p>
      {providers.google && <GoogleButton redirectTo={redirectTo} />}
      {passkey && <PasskeyButton />}
      {providers.phone && (
        <ButtonLink
          variant="outline"
          size="lg"
          to={{ pathname: paths.auth, search: authSearch({ mode: 'phone', role: 'user' }) }}
        >
          {messages.usePhone}
        </ButtonLink>
      )}
    </div>
  )
}

/** 'Continue with Google' (AUTH-07, ERR-06). */
function GoogleButton({ redirectTo }: { redirectTo: string }) {
  const start = useMutation({ mutationFn: () => signInWithGoogle(redirectTo) })
  const failure = start.isError ? googleFailure(start.error) : null
  return (
    <>
      {failure && (
        <Alert tone="danger" title={failure.title}>
          {failure.text}
        </Alert>
      )}
      <Button variant="outline" size="lg" pending={start.isPending} onClick={() => start.mutate()}>
        {messages.google}
      </Button>
    </>
  )
}

/** Signs in with a passkey; dismissing the browser's dialog is not an error. */
function PasskeyButton() {
  const start = useMutation({
    mutationFn: signInWithPasskey,
    onSuccess: (isWhole) => {
      if (isWhole) {
        showToast({ title: messages.passkeySignedIn, text: messages.welcomeBack, tone: 'success' })
      }
    },
  })
  const failure = start.isError ? passkeyFailure(start.error) : null
  return (
    <>
      {failure && (
        <Alert tone="danger" title={failure.title}>
          {failure.text}
        </Alert>
      )}
      <Button variant="outline" size="lg" pending={start.isPending} onClick={() => start.mutate()}>
        <KeyRound className="size-5" strokeWidth={1.75} aria-hidden />
        {messages.passkey}
      </Button>
    </>
  )
}
