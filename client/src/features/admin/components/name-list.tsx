import { countText } from '@/lib/formats'
import { messages } from '../messages'
import { type User, userName } from '../model/user'

const shownNames = 6

/** The names of the affected users; only the first few of many. */
export function NameList({
  users,
  note,
}: {
  users: readonly User[]
  note?: (user: User) => string
}) {
  const rest = users.length - shownNames
  return (
    <ul className="nums grid gap-1 rounded-control bg-sunken px-4 py-3 text-sm text-ink">
      {users.slice(0, shownNames).map((user) => (
        <li
          key={user.id}
          className="flex flex-wrap justify-between gap-x-4 [overflow-wrap:anywhere]"
        >
          <span className="font-semibold">{userName(user)}</span>
          <span className="text-muted">{note?.(user) ?? user.displayId}</span>
        </li>
      ))}
      {rest > 0 && <li className="text-muted">{messages.more(countText(rest))}</li>}
    </ul>
  )
}
