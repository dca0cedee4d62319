import type { User } from '@supabase/supabase-js'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Alert } from '@/components/ui/alert'
import { ButtonLink } from '@/components/ui/button'
import { Field } from '@/components/ui/field'
import { Select } from '@/components/ui/select'
import { setMailLanguage } from '@/features/auth/api/mutations'
import { accountQuery } from '@/features/auth/api/queries'
import { NoticeSettings } from '@/features/notices/components/notice-settings'
import { messages } from '@/features/notices/messages'
import { Setting } from '@/features/profile/components/setting'
import { describeError } from '@/lib/error-text'
import { languageNames, languages, mailLanguageOf } from '@/lib/language'
import { paths } from '@/lib/paths'
import { hasRole } from '@/lib/role'

/** The Notifications tab: mail settings, and what is coming soon (PROFILE-09). */
export function NotificationsTab({ user }: { user: User }) {
  const { data: account } = useQuery(accountQuery(user.id))
  const email = user.email ?? ''
  const about = (
    <div className="grid justify-items-start gap-3">
      {email !== '' && <p className="break-words">{messages.text(email)}</p>}
      <p>{messages.soon}</p>
      <ButtonLink variant="outline" size="sm" to={paths.notifications}>
        {messages.openNotifications}
      </ButtonLink>
    </div>
  )
  return (
    <Setting title={messages.title} text={about}>
      {email === '' ? (
        <Alert title={messages.noAddress} />
      ) : (
        <div className="grid gap-6">
          <MailLanguage user={user} />
          <NoticeSettings userId={user.id} isOwner={hasRole(account?.role ?? 'user', 'owner')} />
        </div>
      )}
    </Setting>
  )
}

/** The language of all mails to the user, saved at once. */
function MailLanguage({ user }: { user: User }) {
  const { mutate, error, isPending, variables } = useMutation({ mutationFn: setMailLanguage })
  const stored = mailLanguageOf(user.user_metadata)
  return (
    <div className="grid gap-3">
      <Field label={messages.language}>
        <Select
          className="max-w-60"
          value={isPending ? variables : stored}
          onChange={({ target }) => {
            const chosen = languages.find((one) => one === target.value)
            if (chosen) mutate(chosen)
          }}
        >
          {languages.map((one) => (
            <option key={one} value={one} lang={one}>
              {languageNames[one]}
            </option>
          ))}
        </Select>
      </Field>
      {error && (
        <Alert tone="danger" title={messages.languageFailed}>
          {describeError(error)}
        </Alert>
      )}
    </div>
  )
}
