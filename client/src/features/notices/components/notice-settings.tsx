import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { QueryState } from '@/components/query-state'
import { Alert } from '@/components/ui/alert'
import { Skeleton, SkeletonGroup } from '@/components/ui/skeleton'
import { Switch } from '@/components/ui/switch'
import { describeError } from '@/lib/error-text'
import { useSetNotice } from '../api/mutations'
import { settingsQuery } from '../api/queries'
import { messages } from '../messages'
import { kindsFor, type NoticeKind, type NoticeSettings as Settings } from '../model/kind'

type NoticeSettingsProps = { userId: string; isOwner: boolean }

/** The mail settings: a switch for each kind, saved at once. */
export function NoticeSettings({ userId, isOwner }: NoticeSettingsProps) {
  const kinds = kindsFor(isOwner)
  return (
    <QueryState
      query={useQuery(settingsQuery(userId))}
      pending={<SwitchesSkeleton kinds={kinds} />}
      errorTitle={messages.loadError}
    >
      {(settings) => <Switches userId={userId} kinds={kinds} settings={settings} />}
    </QueryState>
  )
}

type SwitchesProps = { userId: string; kinds: readonly NoticeKind[]; settings: Settings }

function Switches({ userId, kinds, settings }: SwitchesProps) {
  const [errors, setErrors] = useState<Partial<Record<NoticeKind, Error | undefined>>>({})
  const note = (kind: NoticeKind, error?: Error) => setErrors((now) => ({ ...now, [kind]: error }))
  const { mutate } = useSetNotice(userId, note)
  return (
    <ul className="-mt-3 divide-y divide-line">
      {kinds.map((kind) => (
        <li key={kind}>
          <Switch
            {...messages.kinds[kind]}
            checked={settings[kind]}
            onChange={({ target }) => {
              note(kind)
              mutate({ kind, isOn: target.checked })
            }}
          />
          {errors[kind] && (
            <div className="pb-4">
              <Alert tone="danger" title={messages.saveError(messages.kinds[kind].label)}>
                {describeError(errors[kind])}
              </Alert>
            </div>
          )}
        </li>
      ))}
    </ul>
  )
}

function SwitchesSkeleton({ kinds }: { kinds: readonly NoticeKind[] }) {
  return (
    <SkeletonGroup label={messages.pending} className="grid gap-6">
      {kinds.map((kind) => (
        <div key={kind} className="flex justify-between gap-6">
          <Skeleton className="h-11 w-64 max-w-full" />
          <Skeleton className="h-7 w-12 shrink-0 rounded-full" />
        </div>
      ))}
    </SkeletonGroup>
  )
}
