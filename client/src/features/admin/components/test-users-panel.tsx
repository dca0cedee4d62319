import { useMutation, useQuery } from '@tanstack/react-query'
import { LogIn as LogInIcon, Route, UserPlus } from 'lucide-react'
import { useState } from 'react'
import { ConfirmDialog } from '@/components/confirm-dialog'
import { type Column, DataTable } from '@/components/data-table'
import { QueryState } from '@/components/query-state'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { showToast } from '@/components/ui/toast'
import {
  createTestScenario,
  createTestUsers,
  type TestUser,
  testUsersQuery,
  useTestTool,
} from '../api/test-tools'
import { messages } from '../messages'
import { refusalText } from '../model/refusal'
import { roleLabel, roleTones, userName } from '../model/user'
import { dayText } from '../model/words'
import { testMessages as texts } from '../test-messages'
import { ListSkeleton } from './list-skeleton'
import { RowActions } from './row-actions'
import { TestToolsState } from './test-tools-state'
import { UserCell } from './user-cell'

/** Signs out, then signs in as a test user. It shows what became of it. */
export type LogIn = (user: { id: string; name: string }) => Promise<void>

/** Test users: who there are, creating them, logging in as one (ADMIN-TEST-08, ADMIN-TEST-09). */
export function TestUsersPanel({ logIn }: { logIn: LogIn }) {
  return (
    <TestToolsState>
      {({ is_on }) => (
        <>
          <div className="flex flex-wrap items-start justify-between gap-4">
            <div className="grid max-w-[72ch] gap-1">
              <h2 className="text-xl">{texts.users}</h2>
              <p className="text-sm text-muted">
                {texts.usersText} {texts.scenarioText}
              </p>
            </div>
            {is_on && <CreateButtons />}
          </div>
          <TestUsers isOn={is_on} logIn={logIn} />
        </>
      )}
    </TestToolsState>
  )
}

function CreateButtons() {
  const users = useTestTool(createTestUsers)
  const scenario = useTestTool(createTestScenario)
  const toastsOf = (done: { title: string; text: string }, failed: string) => ({
    onSuccess: () => showToast({ ...done, tone: 'success' }),
    onError: (error: Error) =>
      showToast({ title: failed, text: refusalText(error), tone: 'danger' }),
  })
  return (
    <div className="flex flex-wrap gap-3">
      <Button
        variant="outline"
        pending={scenario.isPending}
        onClick={() =>
          scenario.mutate(
            undefined,
            toastsOf(
              { title: texts.scenarioCreated, text: texts.scenarioCreatedText },
              texts.scenarioFailed,
            ),
          )
        }
      >
        <Route className="size-4.5" strokeWidth={1.75} aria-hidden />
        {texts.createScenario}
      </Button>
      <Button
        pending={users.isPending}
        onClick={() =>
          users.mutate(
            undefined,
            toastsOf(
              { title: texts.usersCreated, text: texts.usersCreatedText },
              texts.usersCreateFailed,
            ),
          )
        }
      >
        <UserPlus className="size-4.5" strokeWidth={1.75} aria-hidden />
        {texts.createUsers}
      </Button>
    </div>
  )
}

function TestUsers({ isOn, logIn }: { isOn: boolean; logIn: LogIn }) {
  const query = useQuery(testUsersQuery)
  const [chosen, setChosen] = useState<TestUser | null>(null)
  return (
    <QueryState
      query={query}
      errorTitle={texts.usersFailed}
      pending={<ListSkeleton label={texts.usersPending} />}
      isEmpty={(users) => users.length === 0}
      empty={
        <EmptyState
          as="h3"
          title={texts.usersEmpty}
          {...(isOn && { text: texts.usersEmptyText })}
        />
      }
    >
      {(users) => (
        <>
          <DataTable
            caption={texts.users}
            rows={users}
            columns={columns(isOn ? setChosen : null)}
            rowId={({ id }) => id}
            rowName={userName}
          />
          {chosen && <LogInDialog user={chosen} logIn={logIn} onClose={() => setChosen(null)} />}
        </>
      )}
    </QueryState>
  )
}

type LogInDialogProps = { user: TestUser; logIn: LogIn; onClose: () => void }

function LogInDialog({ user, logIn, onClose }: LogInDialogProps) {
  const name = userName(user)
  const run = useMutation({ mutationFn: () => logIn({ id: user.id, name }), onSettled: onClose })
  return (
    <ConfirmDialog
      open
      tone="primary"
      title={texts.logInAsk(name)}
      text={texts.logInText}
      confirmLabel={texts.logInShort}
      pending={run.isPending}
      onClose={() => !run.isPending && onClose()}
      onConfirm={() => run.mutate()}
    />
  )
}

/** The columns; without onLogIn nobody can be logged in as. */
function columns(onLogIn: ((user: TestUser) => void) | null): Column<TestUser>[] {
  return [
    {
      key: 'name',
      header: texts.user,
      isTitle: true,
      cell: (user) => <UserCell user={user} />,
    },
    {
      key: 'role',
      header: texts.role,
      cell: ({ role }) => <Badge tone={roleTones[role]}>{roleLabel(role)}</Badge>,
    },
    {
      key: 'email',
      header: texts.email,
      isMinor: true,
      cell: ({ email }) => <span className="text-sm [overflow-wrap:anywhere]">{email}</span>,
    },
    {
      key: 'last',
      header: texts.lastLogin,
      cell: ({ lastSignInAt }) => (
        <span className="whitespace-nowrap">
          {lastSignInAt === null ? texts.never : dayText(lastSignInAt)}
        </span>
      ),
    },
    ...(onLogIn === null
      ? []
      : [
          {
            key: 'actions',
            header: messages.actions,
            align: 'end' as const,
            isActions: true,
            cell: (user: TestUser) => (
              <RowActions
                name={userName(user)}
                actions={[
                  { label: texts.logInShort, icon: LogInIcon, onSelect: () => onLogIn(user) },
                ]}
              />
            ),
          },
        ]),
  ]
}
