import { useMutation } from '@tanstack/react-query'
import { Alert } from '@/components/ui/alert'
import { Button, ButtonLink } from '@/components/ui/button'
import { describeError } from '@/lib/error-text'
import { toAppError } from '@/lib/errors'
import { unsubscribe } from '../api/mutations'
import type { NoticeKind } from '../model/kind'
import { messages as texts } from '../unsubscribe-messages'

type UnsubscribePanelProps = { token: string; kind: NoticeKind; settingsPath: string }

/**
 * Unsubscribes with a button: opening the link alone changes nothing, as mail scanners open links.
 */
export function UnsubscribePanel({ token, kind, settingsPath }: UnsubscribePanelProps) {
  const { mutate, isPending, isSuccess, error } = useMutation({
    mutationFn: () => unsubscribe(token),
  })
  const label = texts.labels[kind]
  if (error && toAppError(error).code === 'bad_link') {
    return <BadLink settingsPath={settingsPath} />
  }
  return (
    <div className="grid justify-items-start gap-5">
      {isSuccess ? (
        <Alert tone="success" title={texts.done}>
          {texts.doneText(label)}
        </Alert>
      ) : (
        <p>{texts.text(label)}</p>
      )}
      {error && (
        <Alert tone="danger" title={texts.error}>
          {describeError(error)}
        </Alert>
      )}
      <div className="flex flex-wrap gap-3">
        {!isSuccess && (
          <Button pending={isPending} onClick={() => mutate()}>
            {texts.button}
          </Button>
        )}
        <ButtonLink variant="outline" to={settingsPath}>
          {texts.settings}
        </ButtonLink>
      </div>
    </div>
  )
}

/** Shown for an invalid link, such as a truncated one. */
export function BadLink({ settingsPath }: { settingsPath: string }) {
  return (
    <div className="grid justify-items-start gap-5">
      <Alert tone="danger" title={texts.badLink}>
        {texts.badLinkText}
      </Alert>
      <ButtonLink variant="outline" to={settingsPath}>
        {texts.settings}
      </ButtonLink>
    </div>
  )
}
