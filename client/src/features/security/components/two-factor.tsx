import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { QueryState } from '@/components/query-state'
import { SecondFactorForm } from '@/components/second-factor-form'
import { Alert } from '@/components/ui/alert'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { Skeleton, SkeletonGroup } from '@/components/ui/skeleton'
import { showToast } from '@/components/ui/toast'
import { describeError } from '@/lib/error-text'
import { type SecondFactorProof, verifySecondFactor } from '@/lib/second-factor'
import { formatHere } from '@/lib/time'
import { securityKeys } from '../api/keys'
import { cancelSetup, disableFactor, factorQuery, startSetup } from '../api/two-factor'
import { messages } from '../messages'
import { type Factor, setupFailure } from '../model/totp'
import { BackupCodes, useCreateCodes } from './backup-codes'
import { TotpSetup } from './totp-setup'

type TwoFactorProps = {
  userId: string
  /** The account's name, for the file of backup codes. */
  account: string
}

/** Setting up and managing the second factor (SEC-05 to SEC-15). */
export function TwoFactor({ userId, account }: TwoFactorProps) {
  const query = useQuery(factorQuery(userId))
  const make = useCreateCodes(userId)
  return (
    <QueryState query={query} pending={<PanelSkeleton />} errorTitle={messages.factorError}>
      {(factor) => (
        <div className="grid gap-10">
          {factor?.isVerified ? (
            <FactorOn factor={factor} />
          ) : (
            <FactorOff
              userId={userId}
              unfinished={factor}
              onEnabled={() => make.mutate({ isFirst: true })}
            />
          )}
          {factor?.isVerified && <BackupCodes userId={userId} account={account} make={make} />}
        </div>
      )}
    </QueryState>
  )
}

function Head({ isOn, text }: { isOn: boolean; text: string }) {
  return (
    <div className="grid gap-1">
      <div className="flex flex-wrap items-center gap-3">
        <h2 className="text-xl">{messages.factorTitle}</h2>
        <Badge tone={isOn ? 'success' : 'neutral'}>{isOn ? messages.on : messages.off}</Badge>
      </div>
      <p className="max-w-text text-muted">{text}</p>
    </div>
  )
}

type FactorOffProps = { userId: string; unfinished: Factor | null; onEnabled: () => void }

function FactorOff({ userId, unfinished, onEnabled }: FactorOffProps) {
  const client = useQueryClient()
  const refresh = () => client.invalidateQueries({ queryKey: securityKeys.factor(userId) })
  const start = useMutation({
    mutationFn: () => startSetup(unfinished),
    // The secret is not cached.
    gcTime: 0,
    onSuccess: () => showToast({ title: messages.generated, tone: 'success' }),
  })
  const handleEnabled = () => {
    showToast({ title: messages.enabled, text: messages.othersEnded, tone: 'success' })
    onEnabled()
    void client.invalidateQueries({ queryKey: securityKeys.all })
  }
  const handleCancel = async (factorId: string) => {
    start.reset()
    await cancelSetup(factorId).catch(() => undefined)
    await refresh()
  }
  const { data: setup } = start
  const failure = start.isError ? setupFailure(start.error) : null
  return (
    <section className="grid gap-6">
      <Head isOn={false} text={messages.factorIntro} />
      {failure && (
        <Alert tone="danger" title={failure.title}>
          {failure.text ?? describeError(start.error)}
        </Alert>
      )}
      {setup ? (
        <TotpSetup
          setup={setup}
          onCancel={() => void handleCancel(setup.factorId)}
          onEnabled={handleEnabled}
        />
      ) : (
        <div className="grid justify-items-start gap-4">
          {unfinished && <Alert title={messages.unfinished}>{messages.unfinishedText}</Alert>}
          <Button pending={start.isPending} onClick={() => start.mutate()}>
            {messages.generate}
          </Button>
        </div>
      )}
    </section>
  )
}

function FactorOn({ factor }: { factor: Factor }) {
  const [isAsked, setOpenDialog] = useState(false)
  const now = new Date()
  const when = (at: string) => formatHere(new Date(at), now)
  const used =
    factor.lastUsedAt === null ? messages.neverUsed : messages.lastUsed(when(factor.lastUsedAt))
  const since = factor.createdAt === null ? '' : `${messages.since(when(factor.createdAt))}, `
  return (
    <section className="grid gap-4">
      <Head isOn text={messages.factorOnText} />
      <div className="flex flex-wrap items-center gap-4">
        <p className="nums text-sm text-muted">
          {since}
          {used}
        </p>
        <Button variant="outline" onClick={() => setOpenDialog(true)}>
          {messages.disable}
        </Button>
      </div>
      {isAsked && <DisableDialog factorId={factor.id} onClose={() => setOpenDialog(false)} />}
    </section>
  )
}

/** Disabling it requires a code (S-23). */
function DisableDialog({ factorId, onClose }: { factorId: string; onClose: () => void }) {
  const client = useQueryClient()
  const [isFailed, setFailed] = useState(false)
  const handleProof = async (proof: SecondFactorProof) => {
    setFailed(false)
    await verifySecondFactor(factorId, proof)
    try {
      await disableFactor(factorId)
    } catch {
      return setFailed(true)
    }
    onClose()
    showToast({ title: messages.disabled, tone: 'success' })
    await client.invalidateQueries({ queryKey: securityKeys.all })
  }
  return (
    <Dialog open onClose={onClose} title={messages.disableTitle} description={messages.disableText}>
      <div className="grid gap-4">
        {isFailed && <Alert tone="danger" title={messages.disableFailed} />}
        <SecondFactorForm submitLabel={messages.disable} variant="danger" onProof={handleProof}>
          <Button variant="outline" size="lg" onClick={onClose}>
            {messages.cancel}
          </Button>
        </SecondFactorForm>
      </div>
    </Dialog>
  )
}

function PanelSkeleton() {
  return (
    <SkeletonGroup label={messages.factorPending} className="grid justify-items-start gap-6">
      <div className="grid gap-2">
        <Skeleton className="h-7 w-56" />
        <Skeleton className="h-6 w-80 max-w-full" />
      </div>
      <Skeleton className="h-11 w-44" />
    </SkeletonGroup>
  )
}
