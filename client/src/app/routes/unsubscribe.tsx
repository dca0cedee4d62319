import { useSearchParams } from 'react-router'
import { PageHeader } from '@/components/page-header'
import { BadLink, UnsubscribePanel } from '@/features/notices/components/unsubscribe-panel'
import { kindOfToken } from '@/features/notices/model/kind'
import { messages } from '@/features/notices/unsubscribe-messages'
import { pageTitle, usePageMeta } from '@/lib/page-meta'
import { paths } from '@/lib/paths'

/**
 * The target of a mail's unsubscribe link, which ends mails of that kind; anybody with the link can
 * use it.
 */
export function Component() {
  const { title } = messages
  usePageMeta({ title: pageTitle(title) })
  const [params] = useSearchParams()
  const token = params.get('token')
  const kind = kindOfToken(token)
  return (
    <div className="page max-w-[44rem] pb-16">
      <PageHeader title={title} />
      {token !== null && kind !== null ? (
        <UnsubscribePanel token={token} kind={kind} settingsPath={paths.profileNotifications} />
      ) : (
        <BadLink settingsPath={paths.profileNotifications} />
      )}
    </div>
  )
}
