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
        <RoleChoice
          value={role}
          current={isOne ? first?.role : undefined}
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

type RoleChoiceProps = {
  value: Role | null
  /** The current role, which cannot be selected. */
  current: Role | undefined
  error: string | undefined
  onChange: (role: Role) => void
}

function RoleChoice({ value, current, error, onChange }: RoleChoiceProps) {
  const errorId = useId()
  return (
    <fieldset className="grid gap-2" aria-describedby={error === undefined ? undefined : errorId}>
      <legend className="mb-2 text-sm font-semibold">{texts.newRole}</legend>
      {roles.map((role) => (
        <label
          key={role}
          className="flex cursor-pointer items-start gap-3 rounded-control border border-control p-3 has-checked:border-primary has-checked:bg-primary-soft has-disabled:cursor-default has-disabled:opacity-55"
        >
          <input
            type="radio"
            name="role"
            className="mt-0.5 size-5 shrink-0 accent-primary"
            checked={value === role}
            disabled={role === current}
            onChange={() => onChange(role)}
          />
          <span className="grid gap-0.5">
            <span className="font-semibold">{roleLabel(role)}</span>
            <span className="text-sm text-muted">{texts.rights[role]}</span>
          </span>
        </label>
      ))}
      {error !== undefined && (
        <p id={errorId} role="alert" className="text-sm text-danger">
          {error}
        </p>
      )}
    </fieldset>
  )
}
