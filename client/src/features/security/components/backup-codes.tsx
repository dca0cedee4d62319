import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { ConfirmDialog } from '@/components/confirm-dialog'
import { QueryState } from '@/components/query-state'
import { Alert } from '@/components/ui/alert'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { Skeleton, SkeletonGroup } from '@/components/ui/skeleton'
import { describeError } from '@/lib/error-text'
import { saveFile } from '@/lib/save-file'
import { securityKeys } from '../api/keys'
import { backupCodesQuery, createBackupCodes } from '../api/two-factor'
import { messages } from '../messages'
import { backupCodeCount, codesFile, isLow } from '../model/backup-codes'
import { CopyButton } from './copy-button'

/** Creates codes; they are shown once and not stored. */
export function useCreateCodes(userId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: createBackupCodes,
    gcTime: 0,
    onSuccess: () => client.invalidateQueries({ queryKey: securityKeys.backupCodes(userId) }),
  })
}

type BackupCodesProps = {
  userId: string
  account: string
  make: ReturnType<typeof useCreateCodes>
}

/** Backup codes: how many are left, creating new ones, and showing them once (SEC-09). */
export function BackupCodes({ userId, account, make }: BackupCodesProps) {
  const query = useQuery(backupCodesQuery(userId))
  const [isAsked, setOpenDialog] = useState(false)
  return (
    <section aria-labelledby="backup-codes" className="grid gap-4">
      <div className="grid gap-1">
        <h2 id="backup-codes" className="text-xl">
          {messages.codesTitle}
        </h2>
        <p className="max-w-text text-muted">{messages.codesIntro}</p>
      </div>
      {make.isError && (
        <Alert tone="danger" title={messages.codesFailed}>
          {describeError(make.error)}
        </Alert>
      )}
      {make.data ? (
        <NewCodes codes={make.data} account={account} onDone={make.reset} />
      ) : (
        <QueryState
          query={query}
          pending={
            <SkeletonGroup label={messages.codesPending}>
              <Skeleton className="h-11 w-60" />
            </SkeletonGroup>
          }
          errorTitle={messages.codesError}
        >
          {(remaining) => (
            <div className="flex flex-wrap items-center gap-4">
              <Badge tone={isLow(remaining) ? 'warning' : 'neutral'}>
                {remaining === null
                  ? messages.codesNone
                  : messages.codesLeft(remaining, backupCodeCount)}
              </Badge>
              <Button
                variant={remaining === null ? 'primary' : 'outline'}
                pending={make.isPending}
                onClick={() =>
                  remaining === null ? make.mutate({ isFirst: true }) : setOpenDialog(true)
                }
              >
                {remaining === null ? messages.makeCodes : messages.regenerate}
              </Button>
            </div>
          )}
        </QueryState>
      )}
      <ConfirmDialog
        open={isAsked}
        onClose={() => setOpenDialog(false)}
        title={messages.regenerateTitle}
        text={messages.regenerateText}
        confirmLabel={messages.regenerate}
        pending={make.isPending}
        onConfirm={() => make.mutate({ isFirst: false }, { onSettled: () => setOpenDialog(false) })}
      />
    </section>
  )
}

type NewCodesProps = { codes: readonly string[]; account: string; onDone: () => void }

function NewCodes({ codes, account, onDone }: NewCodesProps) {
  return (
    <div className="grid max-w-[34rem] gap-4 rounded-card border border-line bg-surface p-4 sm:p-5">
      <Alert tone="warning" title={messages.codesMade}>
        {messages.codesMadeText}
      </Alert>
      <ul
        aria-label={messages.codesList}
        className="nums grid grid-cols-2 gap-2 text-center text-lg tracking-widest"
      >
        {codes.map((code) => (
          <li key={code} className="rounded-chip bg-sunken py-1.5">
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-3">
        <CopyButton text={codes.join('\n')} label={messages.copyCodes} />
        <Button
          variant="outline"
          size="sm"
          onClick={() =>
            saveFile('plaza-backup-codes.txt', 'text/plain', codesFile(codes, account, new Date()))
          }
        >
          <Download className="size-4" strokeWidth={1.75} aria-hidden />
          {messages.downloadCodes}
        </Button>
        <Button size="sm" className="ms-auto" onClick={onDone}>
          {messages.codesDone}
        </Button>
      </div>
    </div>
  )
}
