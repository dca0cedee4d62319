import { Alert } from '@/components/ui/alert'
import { messages } from '../messages'
import { refusalText } from '../model/refusal'

export type ObstacleWords = {
  addError: string
  updateError: string
  changed: (now: string) => string
  gone: string
}

/** Why a row was not saved: somebody else changed it first, or the server refused. */
export type Obstacle =
  | { kind: 'gone' }
  | { kind: 'changed'; now: string }
  | { kind: 'failed'; error: unknown }

/** Shows the reason above the fields, which keep their input. */
export function ObstacleAlert({
  obstacle,
  isNew,
  words,
}: {
  obstacle: Obstacle
  isNew: boolean
  words: ObstacleWords
}) {
  const title = isNew ? words.addError : words.updateError
  if (obstacle.kind === 'changed') {
    return (
      <Alert tone="warning" title={title}>
        {words.changed(obstacle.now)} {messages.saveAgain}
      </Alert>
    )
  }
  return (
    <Alert tone="danger" title={title}>
      {obstacle.kind === 'gone' ? words.gone : refusalText(obstacle.error)}
    </Alert>
  )
}
