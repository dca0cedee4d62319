import { type FormEvent, useId, useState } from 'react'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { countText } from '@/lib/formats'
import { type Role, roles } from '@/lib/role'
import { useSetRole } from '../api/users'
import { messages } from '../messages'
import type { BulkOutcome } from '../model/bulk'
import { refusalText } from '../model/refusal'
import { roleLabel, type User, userName } from '../model/user'
import { ChoiceCards } from './choice-cards'
import { NameList } from './name-list'

const texts = messages.users

type RoleDialogProps = {
  users: readonly User[]
  onDone: (outcome: BulkOutcome, role: Role) => void
  onClose: () => void
}

/**
 * Asks which role one or several users should get, and names it in the confirmation
 * (ADMIN-USERS-11, RULE-28).
 */
export function RoleDialog({ users, onDone, onClose }: RoleDialogProps) {
  const formId = useId()
  const [role, setRole] = useState<Role | null>(null)
  const [isMissing, setMissing] = useState(false)
  const setRoles = useSetRole()
  const [first] = users
  const isOne = users.length === 1
  const count = countText(users.length)

  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (role === null) return setMissing(true)
    setRoles.mutate({ users, role }, { onSuccess: (outcome) => onDone(outcome, role) })
  }

  return (
    <Dialog
      open
      onClose={() => !setRoles.isPending && onClose()}
      title={isOne && first ? texts.roleTitle(userName(first)) : texts.rolesTitle(count)}
      footer={
        <>
          <Button variant="outline" disabled={setRoles.isPending} onClick={onClose}>
            {messages.cancel}
          </Button>
          <Button type="submit" form={formId} pending={setRoles.isPending}>
            {role === null ? texts.changeRole : texts.roleConfirm(roleLabel(role))}
          </Button>
        </>
      }
    >
      <form id={formId} className="grid gap-5" onSubmit={handleSubmit} noValidate>
        {setRoles.isError && (
          <Alert tone="danger" title={isOne ? texts.roleFailed : texts.rolesFailed}>
            {refusalText(setRoles.error)}
          </Alert>
        )}
        <NameList
          rows={users}
          nameOf={userName}
          noteOf={({ role }) => texts.roleNow(roleLabel(role))}
        />
        <ChoiceCards
          name="role"
          label={texts.newRole}
          options={roles.map((one) => ({
            value: one,
            label: roleLabel(one),
            text: texts.rights[one],
            // The current role cannot be selected.
            isDisabled: isOne && one === first?.role,
          }))}
          value={role}
          error={isMissing ? texts.roleMissing : undefined}
          onChange={(next) => {
            setRole(next)
            setMissing(false)
          }}
        />
      </form>
    </Dialog>
  )
}
