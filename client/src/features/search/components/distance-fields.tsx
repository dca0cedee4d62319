import { LocateFixed } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Button } from '@/components/ui/button'
import { Field } from '@/components/ui/field'
import { Select } from '@/components/ui/select'
import { localName } from '@/lib/local-name'
import { requestPosition } from '@/lib/position'
import { filterMessages } from '../filter-messages'
import type { FilterDraft } from '../model/filter-draft'
import { distances } from '../model/read-filters'

type DistanceFieldsProps = {
  value: Pick<FilterDraft, 'within' | 'near'>
  findLoc: string
  onChange: (part: Partial<FilterDraft>) => void
  /** Called with the visitor's position; other filters may have changed since the press. */
  onFound: (near: string) => void
}

/** The distance from the searched place or from the visitor's position. */
export function DistanceFields({ value, findLoc, onChange, onFound }: DistanceFieldsProps) {
  const { within, near } = value
  const hasOrigin = near !== '' || findLoc !== ''
  return (
    <div className="grid gap-2">
      <Field label={filterMessages.distanceTitle} help={originOf(near, findLoc)}>
        <Select
          value={within}
          disabled={!hasOrigin}
          onChange={({ target }) => onChange({ within: Number(target.value) })}
        >
          <option value={0}>{filterMessages.anyDistance}</option>
          {distances.map((km) => (
            <option key={km} value={km}>
              {filterMessages.within(km)}
            </option>
          ))}
        </Select>
      </Field>
      {near === '' ? (
        <PositionButton onFound={onFound} />
      ) : (
        <Button
          variant="quiet"
          className="w-fit"
          onClick={() => onChange({ near: '', ...(findLoc === '' && { within: 0 }) })}
        >
          {filterMessages.dropHere}
        </Button>
      )}
    </div>
  )
}

function originOf(near: string, findLoc: string): string {
  if (near !== '') return filterMessages.fromHere
  return findLoc === '' ? filterMessages.fromNowhere : filterMessages.fromPlace(localName(findLoc))
}

function PositionButton({ onFound }: { onFound: (near: string) => void }) {
  const [state, setState] = useState<'idle' | 'asking' | 'refused'>('idle')
  const isShown = useRef(true)
  useEffect(
    () => () => {
      isShown.current = false
    },
    [],
  )
  const ask = async () => {
    setState('asking')
    const found = await requestPosition()
    if (!isShown.current) return
    setState(found === null ? 'refused' : 'idle')
    if (found !== null) onFound(found)
  }
  return (
    <>
      <Button
        variant="outline"
        className="w-fit"
        pending={state === 'asking'}
        onClick={() => void ask()}
      >
        <LocateFixed className="size-4" strokeWidth={1.75} aria-hidden />
        {filterMessages.useHere}
      </Button>
      <p role="status" className="text-sm text-muted empty:hidden">
        {state === 'refused' && `${filterMessages.noPosition}. ${filterMessages.noPositionText}`}
      </p>
    </>
  )
}
