import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { showToast } from '@/components/ui/toast'
import { signOut } from '@/features/auth/api/sign-out'
import { paths } from '@/lib/paths'

/** Signing out: the session ends, what was loaded for it is forgotten, home opens. */
export function useSignOut(): () => Promise<void> {
  const client = useQueryClient()
  const navigate = useNavigate()
  return async () => {
    try {
      // Left first: a page that needs somebody signed in would send to sign-in.
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
      // Also where only the server has not heard of it: this device is signed out first.
      client.clear()
    }
  }
}
