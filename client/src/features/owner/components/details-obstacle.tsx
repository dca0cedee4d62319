import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { describeError } from '@/lib/error-text'
import { detailsMessages as words } from '../details-messages'
import type { DetailsColumns, DetailsForm } from '../model/details'
import { fieldOf } from '../model/details'
import type { DetailsObstacle } from './use-details-save'

const labels: Record<keyof DetailsForm, string> = {
  name: words.name,
  type: words.type,
  tagline: words.tagline,
  description: words.description,
  city: words.city,
  area: words.area,
  address: words.address,
  latitude: words.latitude,
  longitude: words.longitude,
  phone: words.phone,
  website: words.website,
  imageUrl: words.imageUrl,
  languages: words.languages,
  values: words.values,
}

function textOf(value: DetailsColumns[keyof DetailsColumns]): string {
  const text = Array.isArray(value) ? value.join(', ') : String(value ?? '')
  return text === '' ? words.changedEmpty : text
}

type DetailsObstacleAlertProps = { obstacle: DetailsObstacle; onTakeStored: () => void }

/** Explains why the details were not saved, what was kept, and what the user can do (ERR-33). */
export function DetailsObstacleAlert({ obstacle, onTakeStored }: DetailsObstacleAlertProps) {
  if (obstacle.kind === 'gone') {
    return (
      <Alert tone="danger" title={words.gone}>
        {words.kept}
      </Alert>
    )
  }
  if (obstacle.kind === 'failed') {
    return (
      <Alert tone="danger" title={words.saveFailed}>
        {describeError(obstacle.error)} {words.kept}
      </Alert>
    )
  }
  return (
    <Alert
      tone="danger"
      title={words.changedTitle}
      action={
        <Button variant="outline" size="sm" onClick={onTakeStored}>
          {words.takeStored}
        </Button>
      }
    >
      <p>{words.changedText}</p>
      <ul className="mt-1 max-h-32 overflow-y-auto [overflow-wrap:anywhere]">
        {obstacle.columns.map((column) => (
          <li key={column}>
            <span className="font-semibold">{labels[fieldOf[column]]}</span>:{' '}
            {textOf(obstacle.now[column])}
          </li>
        ))}
      </ul>
    </Alert>
  )
}
