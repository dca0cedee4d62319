import { type ReactNode, Suspense, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { lazyPart } from '@/components/lazy-part'
import { showToast } from '@/components/ui/toast'
import { messages } from '@/features/reports/messages'
import type { Reported } from '@/features/reports/model/report'
import { paths } from '@/lib/paths'
import { rememberReturn } from '@/lib/return-path'
import { useSession } from '@/lib/session'

const ReportDialog = lazyPart(
  async () => (await import('@/features/reports/components/report-dialog')).ReportDialog,
)

/**
 * Lets users report something on a screen: `report` asks for the reason in `dialog`; visitors sign
 * in first.
 */
export function useReport(): { report: (reported: Reported) => void; dialog: ReactNode } {
  const [reported, setReported] = useState<Reported | null>(null)
  const { user } = useSession()
  const { pathname, search } = useLocation()
  const navigate = useNavigate()
  const report = (next: Reported) => {
    if (user) return setReported(next)
    showToast({ title: messages.signIn, text: messages.signInText })
    rememberReturn(pathname + search)
    void navigate(paths.auth)
  }
  const dialog =
    user && reported ? (
      <Suspense>
        <ReportDialog
          key={reported.id}
          userId={user.id}
          reported={reported}
          onClose={() => setReported(null)}
        />
      </Suspense>
    ) : null
  return { report, dialog }
}
