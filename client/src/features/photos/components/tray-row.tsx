import { CircleAlert, ImageOff, RotateCcw, X } from 'lucide-react'
import { Button } from '@/components/ui/button'
import { Checkbox } from '@/components/ui/checkbox'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { messages } from '../messages'
import { captionMax } from '../model/photo'
import { isBusy, isSendable, type TrayItem, type TrayStep } from '../model/tray'

type TrayRowProps = {
  item: TrayItem
  /** The plan has no space for it. */
  isOverLimit: boolean
  onCaption: (caption: string) => void
  onCover: (isCover: boolean) => void
  onRemove: () => void
  onRetry: () => void
}

/** A selected file: its picture, caption, and progress. */
export function TrayRow({
  item,
  isOverLimit,
  onCaption,
  onCover,
  onRemove,
  onRetry,
}: TrayRowProps) {
  const { file, preview, caption, isCover, state } = item
  const problem = isOverLimit ? messages.overLimit : problemOf(state)
  return (
    <li className="relative grid grid-cols-[5.5rem_minmax(0,1fr)] gap-x-4 gap-y-2 rounded-card border border-line bg-surface p-3 sm:grid-cols-[9rem_minmax(0,1fr)]">
      <div className="grid aspect-4/3 w-full place-items-center self-start overflow-hidden sm:row-span-2 rounded-control bg-sunken">
        {preview === '' ? (
          <ImageOff className="size-6 text-muted" strokeWidth={1.75} aria-hidden />
        ) : (
          <img src={preview} alt="" className="size-full object-cover" />
        )}
      </div>
      <div className="grid min-w-0 grid-cols-1 content-start gap-2">
        <div className="flex items-center gap-2">
          <p className="min-w-0 flex-1 truncate text-sm font-semibold" title={file.name}>
            {file.name}
          </p>
          {state.step !== 'saving' && (
            <Button variant="quiet" size="icon" className="-my-2 -me-1" onClick={onRemove}>
              <X className="size-5" strokeWidth={1.75} aria-hidden />
              <span className="sr-only">
                {isBusy(item) ? messages.cancel(file.name) : messages.remove(file.name)}
              </span>
            </Button>
          )}
        </div>
        {isBusy(item) && <Progress name={file.name} state={state} />}
        {problem !== null && (
          <p className="flex items-start gap-1.5 text-sm text-danger" role="alert">
            <CircleAlert className="mt-0.5 size-4 shrink-0" strokeWidth={1.75} aria-hidden />
            {problem}
          </p>
        )}
        {state.step === 'failed' && !isOverLimit && (
          <Button variant="outline" size="sm" className="w-fit" onClick={onRetry}>
            <RotateCcw className="size-4" strokeWidth={1.75} aria-hidden />
            <span aria-hidden>{messages.retry}</span>
            <span className="sr-only">{messages.retryOf(file.name)}</span>
          </Button>
        )}
      </div>
      {isSendable(item) && (
        <div className="col-span-2 grid items-center gap-x-4 sm:col-span-1 sm:col-start-2 sm:grid-cols-[minmax(0,1fr)_auto]">
          <Field label={messages.captionOf(file.name)} hideLabel>
            <Input
              value={caption}
              maxLength={captionMax}
              placeholder={messages.captionHint}
              onChange={(event) => onCaption(event.target.value)}
            />
          </Field>
          <Checkbox
            label={
              <>
                {messages.useAsCover}
                <span className="sr-only">: {file.name}</span>
              </>
            }
            checked={isCover}
            onChange={(event) => onCover(event.target.checked)}
          />
        </div>
      )}
    </li>
  )
}

/** Returns what went wrong, in the requirements' words, and what to do (ERR-24, RULE-19). */
function problemOf(state: TrayStep): string | null {
  if (state.step === 'invalid') {
    return state.problem === 'too-large' ? messages.tooLarge : messages.wrongType
  }
  if (state.step !== 'failed') return null
  switch (state.code) {
    case 'wrong-type':
      return messages.wrongType
    case 'too-large':
      return messages.tooLarge
    case 'plan_limit_photos':
      return messages.overLimit
    case '42501':
      return `${messages.uploadFailed}. ${messages.refused}`
    default:
      return `${state.at === 'add' ? messages.addFailed : messages.uploadFailed}. ${messages.unsent}`
  }
}

function Progress({ name, state }: { name: string; state: TrayStep }) {
  const share = state.step === 'uploading' ? state.share : state.step === 'saving' ? 1 : 0
  const percent = Math.round(share * 100)
  return (
    <div className="grid gap-1.5">
      <progress
        aria-label={messages.progressOf(name)}
        className="upload-progress h-2 w-full"
        value={percent}
        max={100}
      />
      <p className="nums text-sm text-muted">{progressText(state, percent)}</p>
    </div>
  )
}

function progressText(state: TrayStep, percent: number): string {
  if (state.step === 'saving') return messages.saving
  if (state.step !== 'uploading') return messages.queued
  return state.isOffline ? messages.offline : messages.uploading(percent)
}
