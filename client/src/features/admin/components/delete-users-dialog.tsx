import { useQuery } from '@tanstack/react-query'
import { ConfirmDialog } from '@/components/confirm-dialog'
import { Consequences } from '@/components/consequences'
import { Alert } from '@/components/ui/alert'
import { countText } from '@/lib/formats'
import { useDeleteUsers, userEffectsQuery } from '../api/users'
import { messages } from '../messages'
import type { BulkOutcome } from '../model/bulk'
import { refusalText } from '../model/refusal'
import { type User, userName } from '../model/user'
import { DeletionEffects } from './deletion-effects'
import { NameList } from './name-list'

const texts = messages.users

type DeleteUsersDialogProps = {
  users: readonly User[]
  onDone: (outcome: BulkOutcome) => void
  onClose: () => void
}

/**
 * Asks for confirmation before accounts are deleted, and lists what is deleted with them and what
 * is kept (ADMIN-USERS-12, RULE-28).
 */
export function DeleteUsersDialog({ users, onDone, onClose }: DeleteUsersDialogProps) {
  const effects = useQuery(userEffectsQuery(users.map(({ id }) => id)))
  const remove = useDeleteUsers()
  const [first] = users
  const isOne = users.length === 1
  const count = countText(users.length)
  return (
    <ConfirmDialog
      open
      onClose={() => !remove.isPending && onClose()}
      title={isOne && first ? texts.deleteTitle(userName(first)) : texts.deleteAllTitle(count)}
      confirmLabel={isOne ? texts.deleteConfirm : texts.deleteAllConfirm(count)}
      pending={remove.isPending}
      onConfirm={() => remove.mutate(users, { onSuccess: onDone })}
      text={
        <div className="grid gap-5">
          {remove.isError && (
            <Alert tone="danger" title={isOne ? texts.deleteFailed : texts.deleteAllFailed}>
              {refusalText(remove.error)}
            </Alert>
          )}
          <NameList rows={users} nameOf={userName} noteOf={({ displayId }) => displayId} />
          <Consequences title={texts.deleteGone} items={texts.deleteGoneList} />
          <DeletionEffects query={effects} lines={4}>
            {({ bookings, reviews, businesses }) => (
              <Consequences
                title={texts.deleteKept}
                items={[
                  texts.bookings(countText(bookings)),
                  texts.reviews(countText(reviews)),
                  texts.businesses(countText(businesses)),
                ]}
              />
            )}
          </DeletionEffects>
          <p>{messages.final}</p>
        </div>
      }
    />
  )
}
