import { Trash2, UserCog } from 'lucide-react'
import type { Column } from '@/components/data-table'
import { Badge } from '@/components/ui/badge'
import { messages } from '../messages'
import { roleLabel, roleTones, type User, userName } from '../model/user'
import { dayText } from '../model/words'
import { RowActions } from './row-actions'
import { UserCell } from './user-cell'

const texts = messages.users

type UserColumnsProps = {
  ownId: string
  onChangeRole: (user: User) => void
  onDelete: (user: User) => void
}

/** The columns of the users' table (ADMIN-USERS-08, ADMIN-USERS-09). */
export function userColumns({ ownId, onChangeRole, onDelete }: UserColumnsProps): Column<User>[] {
  return [
    {
      key: 'name',
      header: texts.name,
      isSortable: true,
      isTitle: true,
      cell: (user) => <UserCell user={user} isOwn={user.id === ownId} />,
    },
    {
      key: 'role',
      header: texts.role,
      cell: ({ role }) => <Badge tone={roleTones[role]}>{roleLabel(role)}</Badge>,
    },
    {
      key: 'created_at',
      header: texts.joined,
      isSortable: true,
      cell: ({ createdAt }) => <span className="whitespace-nowrap">{dayText(createdAt)}</span>,
    },
    {
      key: 'actions',
      header: messages.actions,
      align: 'end',
      isActions: true,
      // Admins edit their own account in the profile; changing it here could lock them out.
      cell: (user) =>
        user.id !== ownId && (
          <RowActions
            name={userName(user)}
            actions={[
              { label: texts.changeRole, icon: UserCog, onSelect: () => onChangeRole(user) },
              { label: texts.delete, icon: Trash2, tone: 'danger', onSelect: () => onDelete(user) },
            ]}
          />
        ),
    },
  ]
}
