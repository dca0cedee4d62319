import { useMutation, useQuery } from '@tanstack/react-query'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { toAppError } from '@/lib/errors'
import { signInWithGoogle } from '../api/mutations'
import { providersQuery } from '../api/sign-in-queries'
import { messages } from '../messages'

/** 'Continue with Google', where the server offers it (AUTH-07, ERR-06). */
export function GoogleButton({ redirectTo }: { redirectTo: string }) {
  const { data: providers } = useQuery(providersQuery)
  const start = useMutation({ mutationFn: () => signInWithGoogle(redirectTo) })
  if (!providers?.google) return null
  const isOffline = start.isError && toAppError(start.error).kind === 'network'
  return (
    <div className="grid gap-4">
      <p className="flex items-center gap-3 text-sm text-muted before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        {messages.or}
      </p>
      {start.isError && (
        <Alert tone="danger" title={isOffline ? messages.googleError : messages.googleFailed}>
          {messages.googleText}
        </Alert>
      )}
      <Button variant="outline" size="lg" pending={start.isPending} onClick={() => start.mutate()}>
        {messages.google}
      </Button>
    </div>
  )
}
