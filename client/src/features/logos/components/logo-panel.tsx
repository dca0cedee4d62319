import { Trash2 } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { LimitAlert } from '@/components/limit-alert'
import { LogoPicture } from '@/components/logo-picture'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { Spinner } from '@/components/ui/spinner'
import { showToast } from '@/components/ui/toast'
import { useRemoveLogo, useSaveLogo } from '../api/mutations'
import { messages } from '../messages'
import { type ChosenLogo, checkLogo, logoFailure } from '../model/logo'
import { LogoButton } from './logo-button'

type LogoPanelProps = {
  userId: string
  /** `logo_url` is the stored logo, `logo` the visible one: none without the plan. */
  business: { id: string; name: string; logo_url: string | null; logo: string | null }
  hasLogos: boolean
  plansHref: string
  /** Called to refetch everything that shows the logo. */
  onChanged: () => void
}

/** The logo of a business: added, replaced and removed, as the plan allows (SUB-07). */
export function LogoPanel({ userId, business, hasLogos, plansHref, onChanged }: LogoPanelProps) {
  const stored = business.logo_url
  const [problem, setProblem] = useState<string | null>(null)
  const isGone = useIsGone()
  const tell = (saved: string, failed: string) => ({
    onSuccess: () => showToast({ title: saved, tone: 'success' }),
    onError: () => {
      if (isGone()) showToast({ title: failed, tone: 'danger' })
    },
    onSettled: onChanged,
  })
  const save = useSaveLogo(
    { userId, businessId: business.id },
    tell(messages.saved, messages.saveFailed),
  )
  const remove = useRemoveLogo(business.id, tell(messages.removed, messages.removeFailed))
  const isBusy = save.isPending || remove.isPending
  const handleChoose = async (file: File) => {
    setProblem(null)
    remove.reset()
    save.reset()
    const logo = await checkLogo(file)
    if (typeof logo === 'string') setProblem(logo)
    else save.mutate(logo)
  }
  const handleRemove = () => {
    setProblem(null)
    save.reset()
    remove.mutate()
  }
  const failed = save.isError ? save.variables : null
  return (
    <section className="grid gap-4 *:min-w-0" aria-labelledby="logo-title">
      <div className="grid gap-1">
        <h2 id="logo-title" className="text-xl">
          {messages.title}
        </h2>
        <p className="max-w-text text-sm text-muted">{messages.text}</p>
      </div>
      <PlanNotice isStored={stored !== null} {...{ business, hasLogos, plansHref }} />
      <div className="flex flex-wrap items-center gap-4">
        <Preview chosen={save.variables} stored={stored} />
        <div className="flex flex-wrap gap-2">
          {hasLogos && (
            <LogoButton
              label={stored === null ? messages.choose : messages.replace}
              disabled={isBusy}
              onChoose={(file) => void handleChoose(file)}
            />
          )}
          {stored !== null && (
            <Button
              variant="outline"
              disabled={isBusy}
              pending={remove.isPending}
              onClick={handleRemove}
            >
              <Trash2 className="size-5" strokeWidth={1.75} aria-hidden />
              {messages.remove}
            </Button>
          )}
        </div>
        {save.isPending && <Spinner className="appear-late" label={messages.saving} />}
      </div>
      {problem !== null && <Alert tone="danger" title={problem} />}
      {failed && (
        <Alert
          tone="danger"
          title={messages.saveFailed}
          action={
            <Button variant="outline" size="sm" onClick={() => save.mutate(failed)}>
              {messages.again}
            </Button>
          }
        >
          {logoFailure(save.error)}
        </Alert>
      )}
      {remove.isError && (
        <Alert tone="danger" title={messages.removeFailed}>
          {logoFailure(remove.error)}
        </Alert>
      )}
    </section>
  )
}

/** Returns a function that reports whether the component is unmounted. */
function useIsGone(): () => boolean {
  const isGone = useRef(false)
  useEffect(() => {
    isGone.current = false
    return () => {
      isGone.current = true
    }
  }, [])
  return () => isGone.current
}

type PlanNoticeProps = Pick<LogoPanelProps, 'business' | 'hasLogos' | 'plansHref'> & {
  isStored: boolean
}

/** Explains how the plan affects the logo, if it does. */
function PlanNotice({ business, hasLogos, plansHref, isStored }: PlanNoticeProps) {
  if (isStored && business.logo === null) {
    return (
      <LimitAlert title={messages.hidden} plansHref={plansHref}>
        {messages.hiddenText}
      </LimitAlert>
    )
  }
  if (hasLogos) return null
  return (
    <LimitAlert title={messages.noPlan} plansHref={plansHref}>
      {messages.noPlanText}
    </LimitAlert>
  )
}

const size = 'size-20'

/** The logo as shown, a newly selected one first; or a placeholder. */
function Preview({ chosen, stored }: { chosen: ChosenLogo | undefined; stored: string | null }) {
  const url = useFileUrl(chosen?.file)
  const shown = url ?? stored
  if (shown !== null) return <LogoPicture key={shown} url={shown} className={size} />
  return (
    <div
      className={`grid ${size} place-content-center rounded-control border border-dashed border-control px-1 text-center text-xs text-muted`}
    >
      {messages.none}
    </div>
  )
}

/** Returns an object URL for a file. */
function useFileUrl(file: File | undefined): string | null {
  const [url, setUrl] = useState<string | null>(null)
  useEffect(() => {
    if (!file) return
    const made = URL.createObjectURL(file)
    setUrl(made)
    return () => {
      setUrl(null)
      URL.revokeObjectURL(made)
    }
  }, [file])
  return url
}
