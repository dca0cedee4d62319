import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { showToast } from '@/components/ui/toast'
import { signOut } from '@/features/auth/api/sign-out'
import { paths } from '@/lib/paths'

/** Returns a function that signs out: ends the session, clears its cached data and opens home. */
export function useSignOut(): () => Promise<void> {
  const client = useQueryClient()
  const navigate = useNavigate()
  return async () => {
    try {
      // Navigate first: a page that needs a session would redirect to sign-in.
      await navigate(paths.home)
      await signOut()
      showToast({ title: 'Signed Out', tone: 'success' })
    } catch {
      showToast({
        title: 'Sign Out Error',
        text: 'Unable to sign out. Please try again.',
        tone: 'danger',
      })
    } finally {
      // Also if the request to the server failed: this device is signed out first.
      client.clear()
    }
  }
}
