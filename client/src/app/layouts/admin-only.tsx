import { useEffect } from 'react'
import { useNavigate } from 'react-router'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { showToast } from '@/components/ui/toast'
import { accessMessages as messages } from '@/features/admin/access-messages'
import { paths } from '@/lib/paths'
import { Guard } from './guard'

/**
 * Wraps the admin panel (ADMIN-USERS-01 to ADMIN-USERS-03, PERM-14). It only hides the panel: the
 * database enforces access (S-15).
 */
export function Component() {
  return (
    <Guard
      needs="admin"
      waiting={messages.verifying}
      denied={<RedirectHome />}
      failed={(onRetry) => <VerificationFailed onRetry={onRetry} />}
    />
  )
}

/**
 * Redirects anybody who is not an admin home at once and shows the reason there (ADMIN-USERS-02,
 * C-02, C-03).
 */
function RedirectHome() {
  const navigate = useNavigate()
  useEffect(() => {
    showToast({ title: messages.denied(messages.notAdmin), tone: 'danger' })
    void navigate(paths.home, { replace: true })
  }, [navigate])
  return <div className="min-h-[64dvh]" />
}

function VerificationFailed({ onRetry }: { onRetry: () => void }) {
  const title = messages.denied(messages.profileError(messages.profileText))
  return (
    <div className="page min-h-[64dvh] py-16">
      <h1 className="sr-only">{title}</h1>
      <Alert
        tone="danger"
        title={title}
        action={
          <Button variant="outline" onClick={onRetry}>
            {messages.retry}
          </Button>
        }
      />
    </div>
  )
}
