import { useShellAccount } from '@/app/layouts/use-account'
import { PageHeader } from '@/components/page-header'
import { Breadcrumb } from '@/components/ui/breadcrumb'
import { DebugConsole } from '@/features/admin/components/debug-console'
import { debugMessages } from '@/features/admin/debug-messages'
import { messages } from '@/features/admin/messages'
import { pageTitle, usePageMeta } from '@/lib/page-meta'
import { paths } from '@/lib/paths'

/** The debug console, for admins only (ROUTE-35, S-56). */
export function Component() {
  const { title, text } = debugMessages
  usePageMeta({ title: pageTitle(title) })
  const account = useShellAccount()
  // The name of the entry's file has a hash of its content.
  const entry = document.querySelector<HTMLScriptElement>('script[type="module"]')?.src ?? ''
  return (
    <div className="page pb-16">
      <PageHeader
        title={title}
        text={text}
        above={
          <Breadcrumb
            crumbs={[
              { key: 'home', label: messages.home, to: paths.home },
              { key: 'admin', label: messages.title, to: paths.admin },
              { key: 'debug', label: title },
            ]}
          />
        }
      />
      <DebugConsole role={account.role ?? 'user'} build={entry.replace(/^.*\//, '')} />
    </div>
  )
}
