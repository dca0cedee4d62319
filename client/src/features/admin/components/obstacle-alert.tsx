import { Alert } from '@/components/ui/alert'
import { messages } from '../messages'
import { refusalText } from '../model/refusal'

export type ObstacleWords = {
  addError: string
  updateError: string
  changed: (now: string) => string
  gone: string
}

/** What stands in the way of saving: somebody else was there before, or the server refused. */
export type Obstacle =
  | { kind: 'gone' }
  | { kind: 'changed'; now: string }
  | { kind: 'failed'; error: unknown }

/** Says so above the fields, which keep what was typed. */
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
