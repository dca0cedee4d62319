import { Ban, EllipsisVertical, Flag, Store } from 'lucide-react'
import { Suspense, useEffect, useState } from 'react'
import { lazyPart } from '@/components/lazy-part'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { Menu } from '@/components/ui/menu'
import { paths } from '@/lib/paths'
import { useBlock, useMarkRead } from '../api/mutations'
import { messages } from '../messages'
import type { Conversation } from '../model/conversation'
import { useTyping } from '../model/use-typing'
import { Composer } from './composer'
import { MessageLog } from './message-log'
import { PaneHeading } from './pane-heading'

// The confirmation before somebody is blocked.
const ConfirmDialog = lazyPart(
  async () => (await import('@/components/confirm-dialog')).ConfirmDialog,
)

type ConversationPaneProps = {
  userId: string
  conversation: Conversation
  topCategoryOf: (category: string) => string
  /** Called when messages were read, to update their notifications. */
  onRead: () => void
  onReport: (conversation: Conversation) => void
}

/** A conversation: the other party, its messages, and the composer. */
export function ConversationPane({
  userId,
  conversation,
  topCategoryOf,
  onRead,
  onReport,
}: ConversationPaneProps) {
  const { id, business, isOwner, otherId, name, unread, isOpen, isBlockedByMe } = conversation
  const { isOtherTyping, tellTyping } = useTyping(id, userId)
  const markRead = useMarkRead(onRead)
  const { mutate } = markRead
  useEffect(() => {
    // A page in the background counts as read once it becomes visible.
    const read = () => {
      if (unread > 0 && document.visibilityState === 'visible') mutate(id)
    }
    read()
    document.addEventListener('visibilitychange', read)
    return () => document.removeEventListener('visibilitychange', read)
  }, [id, unread, mutate])
  return (
    <section
      aria-label={messages.log(name)}
      className="grid h-full grid-cols-[minmax(0,1fr)] grid-rows-[auto_minmax(0,1fr)_auto_auto]"
    >
      <PaneHeading
        party={conversation}
        topCategoryOf={topCategoryOf}
        actions={<Options conversation={conversation} onReport={() => onReport(conversation)} />}
      />
      <MessageLog userId={userId} conversationId={id} name={name} />
      <p role="status" className="h-6 truncate px-4 text-sm text-muted">
        {isOtherTyping && isOpen && messages.typing(name)}
      </p>
      {isOpen && business ? (
        <Composer
          key={id}
          userId={userId}
          businessId={business.id}
          customerId={isOwner ? otherId : null}
          onTyping={tellTyping}
          onSent={() => undefined}
        />
      ) : (
        <div className="p-3">
          <Alert title={isBlockedByMe ? messages.blocked : messages.closed} />
        </div>
      )}
    </section>
  )
}

function Options({ conversation, onReport }: { conversation: Conversation; onReport: () => void }) {
  const { id, name, business, isBlockedByMe } = conversation
  const [isAsking, setAsking] = useState(false)
  const block = useBlock()
  const change = (isBlocked: boolean) =>
    block.mutate({ id, isBlocked }, { onSettled: () => setAsking(false) })
  const icon = { className: 'size-5', strokeWidth: 1.75, 'aria-hidden': true }
  return (
    <>
      <Menu
        label={messages.options}
        trigger={(props) => (
          <Button {...props} variant="quiet" size="icon">
            <EllipsisVertical {...icon} />
            <span className="sr-only">{messages.options}</span>
          </Button>
        )}
        groups={[
          business
            ? [
                {
                  key: 'visit',
                  label: messages.visit,
                  icon: <Store {...icon} />,
                  to: paths.business(business.id),
                },
              ]
            : [],
          [
            {
              key: 'report',
              label: messages.report,
              icon: <Flag {...icon} />,
              onSelect: onReport,
            },
            isBlockedByMe
              ? {
                  key: 'unblock',
                  label: messages.unblock,
                  icon: <Ban {...icon} />,
                  onSelect: () => change(false),
                }
              : {
                  key: 'block',
                  label: messages.block,
                  icon: <Ban {...icon} />,
                  tone: 'danger',
                  onSelect: () => setAsking(true),
                },
          ],
        ]}
      />
      <Suspense>
        {isAsking && (
          <ConfirmDialog
            open
            onClose={() => setAsking(false)}
            title={messages.blockTitle(name)}
            text={messages.blockText}
            confirmLabel={messages.block}
            pending={block.isPending}
            onConfirm={() => change(true)}
          />
        )}
      </Suspense>
    </>
  )
}
