import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { ConfirmDialog } from '@/components/confirm-dialog'
import { QueryState } from '@/components/query-state'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { Skeleton, SkeletonGroup } from '@/components/ui/skeleton'
import { showToast } from '@/components/ui/toast'
import { describeError } from '@/lib/error-text'
import { formatHere } from '@/lib/time'
import { canUsePasskeys } from '@/lib/webauthn'
import { securityKeys } from '../api/keys'
import { addPasskey, passkeysQuery, removePasskey } from '../api/passkeys'
import { messages } from '../messages'
import { type Passkey, passkeyFailure, passkeyName } from '../model/passkey'
import { PasskeyRename } from './passkey-rename'

/** The user's passkeys, which sign in without a password. */
export function Passkeys({ userId }: { userId: string }) {
  const query = useQuery(passkeysQuery(userId))
  const client = useQueryClient()
  const refresh = () => client.invalidateQueries({ queryKey: securityKeys.passkeys(userId) })
  const add = useMutation({
    mutationFn: () => addPasskey(passkeyName(navigator.userAgent)),
    onSuccess: () =>
      showToast({
        title: messages.passkeyAdded,
        text: messages.passkeyAddedText,
        tone: 'success',
      }),
    onSettled: refresh,
  })
  const failure = add.isError ? passkeyFailure(add.error) : null
  if (query.data === null) return null
  return (
    <section aria-labelledby="passkeys" className="grid gap-4">
      <div className="grid gap-1">
        <h2 id="passkeys" className="text-xl">
          {messages.passkeys}
        </h2>
        <p className="max-w-text text-muted">{messages.passkeysIntro}</p>
      </div>
      {failure !== null && (
        <Alert tone="danger" title={messages.passkeyFailed}>
          {failure}
        </Alert>
      )}
      <QueryState
        query={query}
        pending={
          <SkeletonGroup label={messages.passkeysPending}>
            <Skeleton className="h-6 w-60" />
          </SkeletonGroup>
        }
        errorTitle={messages.passkeysError}
        isEmpty={(passkeys) => passkeys?.length === 0}
        empty={<p className="text-muted">{messages.noPasskeys}</p>}
      >
        {(passkeys) => <PasskeyList passkeys={passkeys ?? []} onChanged={() => void refresh()} />}
      </QueryState>
      {canUsePasskeys() ? (
        <Button
          variant="outline"
          className="justify-self-start"
          pending={add.isPending}
          onClick={() => add.mutate()}
        >
          {messages.passkeyAdd}
        </Button>
      ) : (
        <p className="text-sm text-muted">{messages.passkeysUnusable}</p>
      )}
    </section>
  )
}

type PasskeyListProps = { passkeys: readonly Passkey[]; onChanged: () => void }

function PasskeyList({ passkeys, onChanged }: PasskeyListProps) {
  const [openDialog, setOpenDialog] = useState<{
    what: 'rename' | 'remove'
    passkey: Passkey
  } | null>(null)
  const remove = useMutation({
    mutationFn: removePasskey,
    onSuccess: () => showToast({ title: messages.passkeyRemoved, tone: 'success' }),
    onError: (error) =>
      showToast({
        title: messages.passkeyChangeFailed,
        text: describeError(error),
        tone: 'danger',
      }),
    onSettled: () => {
      setOpenDialog(null)
      onChanged()
    },
  })
  const close = () => setOpenDialog(null)
  return (
    <>
      <ul className="grid gap-3">
        {passkeys.map((passkey) => (
          <li key={passkey.id}>
            <PasskeyCard
              passkey={passkey}
              onRename={() => setOpenDialog({ what: 'rename', passkey })}
              onRemove={() => setOpenDialog({ what: 'remove', passkey })}
            />
          </li>
        ))}
      </ul>
      {openDialog?.what === 'rename' && (
        <PasskeyRename passkey={openDialog.passkey} onClose={close} onRenamed={onChanged} />
      )}
      <ConfirmDialog
        open={openDialog?.what === 'remove'}
        onClose={close}
        title={messages.passkeyRemoveTitle}
        text={openDialog && messages.passkeyRemoveText(openDialog.passkey.name)}
        confirmLabel={messages.passkeyRemove}
        pending={remove.isPending}
        onConfirm={() => openDialog && remove.mutate(openDialog.passkey.id)}
      />
    </>
  )
}

type PasskeyCardProps = { passkey: Passkey; onRename: () => void; onRemove: () => void }

function PasskeyCard({ passkey, onRename, onRemove }: PasskeyCardProps) {
  const now = new Date()
  const { name, createdAt, lastUsedAt } = passkey
  const used = lastUsedAt
    ? messages.lastUsed(formatHere(new Date(lastUsedAt), now))
    : messages.neverUsed
  return (
    <article className="flex flex-wrap items-center gap-x-4 gap-y-3 rounded-card border border-line bg-surface p-4 sm:p-5">
      <KeyRound className="size-6 shrink-0 text-muted" strokeWidth={1.75} aria-hidden />
      <div className="grid min-w-0 flex-1 basis-52 gap-0.5">
        <h3 className="text-base font-semibold [overflow-wrap:anywhere]">{name}</h3>
        <p className="nums text-sm text-muted">
          {messages.passkeyMade(formatHere(new Date(createdAt), now))}, {used}
        </p>
      </div>
      <div className="flex gap-2">
        <Button variant="outline" size="sm" onClick={onRename}>
          {messages.passkeyRename}
          <span className="sr-only">: {name}</span>
        </Button>
        <Button variant="quiet" size="sm" className="text-danger" onClick={onRemove}>
          {messages.passkeyRemove}
          <span className="sr-only">: {name}</span>
        </Button>
      </div>
    </article>
  )
}
