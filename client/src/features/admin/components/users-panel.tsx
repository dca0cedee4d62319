import { useQuery } from '@tanstack/react-query'
import { Trash2, UserCog } from 'lucide-react'
import { useState } from 'react'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { showToast } from '@/components/ui/toast'
import { roles } from '@/lib/role'
import { usersQuery } from '../api/users'
import { messages } from '../messages'
import type { BulkOutcome } from '../model/bulk'
import type { ListKind } from '../model/list'
import { deleteReport, type Report, roleReport } from '../model/report'
import { type Chosen, countElsewhere, toggled, without } from '../model/selection'
import { useList } from '../model/use-list'
import { roleLabel, type User, userName } from '../model/user'
import { AdminList } from './admin-list'
import { ChoiceFilter } from './choice-filter'
import { DeleteUsersDialog } from './delete-users-dialog'
import { RoleDialog } from './role-dialog'
import { SelectionBar } from './selection-bar'
import { userColumns } from './user-columns'

const texts = messages.users
const kind: ListKind = {
  tab: 'users',
  filters: ['role'],
  sorts: ['name', 'created_at'],
  defaultSort: { key: 'created_at', descending: true },
}

type OpenDialog = { what: 'role' | 'delete'; users: readonly User[] }

/** Users: search, roles, deletion, one by one or many at once (ADMIN-USERS-08 to ADMIN-USERS-13). */
export function UsersPanel({ ownId }: { ownId: string }) {
  const address = useList(kind)
  const query = useQuery(usersQuery(address.list))
  const [chosen, setChosen] = useState<Chosen<User>>(new Map())
  const [openDialog, setOpenDialog] = useState<OpenDialog | null>(null)
  const [report, setReport] = useState<Report | null>(null)
  const [removals, setRemovals] = useState(0)
  const rows = query.data?.rows ?? []
  // With their current data if they are on this page.
  const all = [...chosen.values()].map((user) => rows.find(({ id }) => id === user.id) ?? user)

  const ask = (what: OpenDialog['what'], users: readonly User[]) => {
    setReport(null)
    setOpenDialog({ what, users })
  }
  const close = () => setOpenDialog(null)
  const tell = (next: Report, { settled }: BulkOutcome) => {
    close()
    // Users that were not processed stay selected for a retry.
    setChosen((before) => without(before, settled))
    if (next.isFull) showToast({ title: next.title, text: next.text, tone: 'success' })
    else setReport(next)
  }

  return (
    <>
      <AdminList
        words={texts}
        errorTitle={texts.error}
        address={address}
        query={query}
        rowName={userName}
        columns={userColumns({
          ownId,
          onChangeRole: (user) => ask('role', [user]),
          onDelete: (user) => ask('delete', [user]),
        })}
        filter={
          <ChoiceFilter
            address={address}
            name="role"
            label={texts.role}
            any={texts.anyRole}
            options={roles.map((role) => ({ value: role, label: roleLabel(role) }))}
          />
        }
        selection={{
          chosen,
          onToggle: (rows, isSelected) => setChosen(toggled(chosen, rows, isSelected)),
          isSelectable: ({ id }) => id !== ownId,
        }}
        notice={report && <ReportAlert report={report} onClose={() => setReport(null)} />}
        removals={removals}
      />
      {all.length > 0 && (
        <SelectionBar
          count={all.length}
          elsewhere={countElsewhere(chosen, rows)}
          actions={[
            { label: texts.changeRole, icon: UserCog, onSelect: () => ask('role', all) },
            {
              label: texts.delete,
              icon: Trash2,
              tone: 'danger',
              onSelect: () => ask('delete', all),
            },
          ]}
          onClear={() => {
            setChosen(new Map())
            setRemovals(removals + 1)
          }}
        />
      )}
      {openDialog?.what === 'role' && (
        <RoleDialog
          users={openDialog.users}
          onClose={close}
          onDone={(outcome, role) => tell(roleReport(openDialog.users, outcome, role), outcome)}
        />
      )}
      {openDialog?.what === 'delete' && (
        <DeleteUsersDialog
          users={openDialog.users}
          onClose={close}
          onDone={(outcome) => {
            tell(deleteReport(openDialog.users, outcome), outcome)
            setRemovals(removals + 1)
          }}
        />
      )}
    </>
  )
}

function ReportAlert({ report, onClose }: { report: Report; onClose: () => void }) {
  return (
    <Alert
      tone="warning"
      title={report.title}
      action={
        <Button variant="outline" size="sm" onClick={onClose}>
          {messages.close}
        </Button>
      }
    >
      {report.text}
    </Alert>
  )
}
