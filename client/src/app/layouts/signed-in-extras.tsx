import { useQueryClient } from '@tanstack/react-query'
import { useLocation, useNavigate } from 'react-router'
import { NotificationToaster } from '@/components/ui/notification-toaster'
import { showToast } from '@/components/ui/toast'
import { signOut } from '@/features/auth/api/sign-out'
import { Arrivals } from '@/features/notifications/components/arrivals'
import { SessionKeeper } from '@/features/session/components/session-keeper'
import { paths } from '@/lib/paths'
import { rememberReturn } from '@/lib/return-path'
import { useSession } from '@/lib/session'
import { useLiveAccount } from './use-live-account'

/** UI for signed-in users around the screens; loaded after sign-in. */
export function SignedInExtras() {
  const client = useQueryClient()
  const navigate = useNavigate()
  const { user } = useSession()
  const { pathname, search, hash } = useLocation()
  const here = `${pathname}${search}${hash}`

  const handleEnd = async (notice: { title: string; text: string }) => {
    // The server has already ended the session or will not refresh it; remove it here in either
    // case.
    await signOut().catch(() => undefined)
    client.clear()
    // After the guard, which only knows that nobody is signed in any more.
    rememberReturn(here)
    showToast({ ...notice, tone: 'danger' })
    await navigate(paths.auth, { replace: true, state: { notice } })
  }

  return (
    <>
      <NotificationToaster />
      {user && <LiveAccount key={user.id} userId={user.id} />}
      <SessionKeeper onEnd={(notice) => void handleEnd(notice)} />
    </>
  )
}

function LiveAccount({ userId }: { userId: string }) {
  useLiveAccount(userId)
  return <Arrivals userId={userId} />
}
