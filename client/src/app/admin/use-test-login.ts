import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { showToast } from '@/components/ui/toast'
import { requestTestLogin } from '@/features/admin/api/test-tools'
import { testMessages as texts } from '@/features/admin/test-messages'
import { signInByToken } from '@/features/auth/api/mutations'
import { signOut } from '@/features/auth/api/sign-out'
import { paths } from '@/lib/paths'

/**
 * Returns a function that signs out and signs in as a test user (ADMIN-TEST-08, S-55). The token is
 * requested first, so that an admin who is refused stays signed in.
 */
export function useTestLogin(): (user: { id: string; name: string }) => Promise<void> {
  const client = useQueryClient()
  const navigate = useNavigate()
  return async ({ id, name }) => {
    try {
      const token = await requestTestLogin(id)
      // Navigate first: a page that needs a session would redirect to sign-in.
      await navigate(paths.home)
      await signOut()
      client.clear()
      await signInByToken(token)
      showToast({ title: texts.loggedIn(name), tone: 'success' })
    } catch {
      showToast({ title: texts.loginFailed, text: texts.loginFailedText, tone: 'danger' })
    }
  }
}
