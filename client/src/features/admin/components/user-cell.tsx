import { Avatar } from '@/components/ui/avatar'
import { Badge } from '@/components/ui/badge'
import { messages } from '../messages'
import { type User, userName } from '../model/user'

type UserCellProps = {
  user: Pick<User, 'name' | 'avatarUrl' | 'displayId'>
  isOwn?: boolean
}

/** The cell that names an account. */
export function UserCell({ user, isOwn = false }: UserCellProps) {
  const name = userName(user)
  return (
    <div className="flex min-w-0 items-center gap-3">
      <Avatar name={name} src={user.avatarUrl} className="size-9" />
      <div className="grid min-w-0">
        <span className="flex flex-wrap items-center gap-x-2 font-semibold [overflow-wrap:anywhere]">
          {name}
          {isOwn && <Badge>{messages.users.you}</Badge>}
        </span>
        <span className="nums text-xs font-normal text-muted">{user.displayId}</span>
      </div>
    </div>
  )
}
