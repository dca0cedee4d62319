import type { User } from '@supabase/supabase-js'
import { useQueryClient } from '@tanstack/react-query'
import { Suspense } from 'react'
import { useNavigate } from 'react-router'
import { lazyPart } from '@/components/lazy-part'
import { showToast } from '@/components/ui/toast'
import { signOut } from '@/features/auth/api/sign-out'
import { PasswordSetting } from '@/features/auth/components/password-setting'
import { messages as authMessages } from '@/features/auth/messages'
import { returnAddress } from '@/features/auth/model/callback'
import { ExportData } from '@/features/profile/components/export-data'
import { Setting } from '@/features/profile/components/setting'
import { messages } from '@/features/profile/messages'
import { confirmationWord } from '@/features/profile/model/deletion'
import { paths } from '@/lib/paths'

const DeleteAccount = lazyPart(
  async () => (await import('@/features/profile/components/delete-account')).DeleteAccount,
)

/** The Account tab: password, data export, and account deletion (PROFILE-04, PROFILE-08). */
export function AccountTab({ user }: { user: User }) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const redirectTo = returnAddress(paths.authCallback, paths.resetPassword)
  const handleDeleted = async () => {
    // Navigate first: a page that needs a session would redirect to sign-in.
    await navigate(paths.home)
    await signOut().catch(() => undefined)
    client.clear()
    showToast({ title: messages.deleted, text: messages.deletedText, tone: 'success' })
  }
  return (
    <>
      <Setting title={authMessages.changeTitle} text={authMessages.changeText}>
        <PasswordSetting user={user} redirectTo={redirectTo} />
      </Setting>
      <Setting title={messages.export} text={messages.exportText}>
        <ExportData />
      </Setting>
      <Setting title={messages.delete} text={messages.deleteText}>
        <Suspense>
          <DeleteAccount
            word={confirmationWord({ email: user.email ?? '', phone: user.phone ?? '' })}
            onDeleted={handleDeleted}
          />
        </Suspense>
      </Setting>
    </>
  )
}
