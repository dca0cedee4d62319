import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearchParams } from 'react-router'
import { PageHeader } from '@/components/page-header'
import { categoriesQuery } from '@/features/directory/api/queries'
import { topCodeOf } from '@/features/directory/model/categories'
import { ConversationList } from '@/features/messages/components/conversation-list'
import { OpenConversation } from '@/features/messages/components/open-conversation'
import { messages } from '@/features/messages/messages'
import { notificationKeys } from '@/features/notifications/api/keys'
import { cn } from '@/lib/cn'
import { pageTitle, usePageMeta } from '@/lib/page-meta'
import { paths } from '@/lib/paths'
import { useSession } from '@/lib/session'
import { useReport } from './use-report'

/** The user's conversations, with the open one beside them (MSG-01 to MSG-03). */
export function Component() {
  usePageMeta({ title: pageTitle(messages.title) })
  const { user } = useSession()
  const [params] = useSearchParams()
  const navigate = useNavigate()
  const client = useQueryClient()
  const { report, dialog } = useReport()
  const { data: categories = [] } = useQuery(categoriesQuery)
  if (!user) return null
  const conversationId = params.get('conversation')
  const businessId = params.get('business')
  const isAnyOpen = conversationId !== null || businessId !== null
  const topCategoryOf = (category: string) => topCodeOf(category, categories)
  return (
    <div className="page pb-6">
      <div className={cn(isAnyOpen && 'max-lg:sr-only')}>
        <PageHeader title={messages.title} />
      </div>
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 max-lg:pt-4 lg:grid-cols-[22rem_minmax(0,1fr)]">
        <div className={cn(isAnyOpen && 'max-lg:hidden')}>
          <ConversationList
            userId={user.id}
            current={conversationId}
            topCategoryOf={topCategoryOf}
          />
        </div>
        <OpenConversation
          userId={user.id}
          conversationId={conversationId}
          businessId={businessId}
          topCategoryOf={topCategoryOf}
          onRead={() => void client.invalidateQueries({ queryKey: notificationKeys.all })}
          onReport={({ isOwner, otherId, business, name }) => {
            if (!isOwner && business) report({ type: 'business', id: business.id, name })
            if (isOwner && otherId !== null) report({ type: 'user', id: otherId, name })
          }}
          onFound={(id) => void navigate(paths.conversation(id), { replace: true })}
        />
      </div>
      {dialog}
    </div>
  )
}
