import { MessagesLink } from '@/features/messages/components/messages-link'
import { NotificationBell } from '@/features/notifications/components/notification-bell'
import { AccountMenu } from './account-menu'
import { messages } from './messages'
import type { SignedInAccount } from './use-account'

/** The signed-in user's part of the header: messages, notifications and avatar (NAV-01, NAV-04). */
export function AccountCorner({ account }: { account: SignedInAccount }) {
  return (
    <>
      <MessagesLink userId={account.userId} nameOf={messages.inbox} />
      <NotificationBell userId={account.userId} nameOf={messages.bell} />
      <AccountMenu account={account} />
    </>
  )
}
