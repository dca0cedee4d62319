import { Plus, X } from 'lucide-react'
import { useRef, useState } from 'react'
import { Button } from '@/components/ui/button'
import { Checkbox } from '@/components/ui/checkbox'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import {
  type Amenity,
  addAmenity,
  amenityNameMax,
  customAmenities,
  hasAmenity,
  suggestedAmenities,
  toggleAmenity,
} from '../model/amenities'
import { partsMessages as messages } from '../parts-messages'

type AmenitiesEditorProps = {
  amenities: readonly Amenity[]
  onChange: (amenities: Amenity[]) => void
}

/** Checkboxes for the suggested amenities, and custom ones (OWNER-12 to OWNER-15). */
export function AmenitiesEditor({ amenities, onChange }: AmenitiesEditorProps) {
  return (
    <>
      <fieldset className="grid gap-2">
        <legend className="mb-2 text-sm font-semibold">{messages.suggested}</legend>
        <div className="grid gap-x-6 sm:grid-cols-2">
          {suggestedAmenities.map(({ name }) => (
            <Checkbox
              key={name}
              label={name}
              checked={hasAmenity(amenities, name)}
              onChange={() => onChange(toggleAmenity(amenities, name))}
            />
          ))}
        </div>
      </fieldset>
      <CustomAmenities amenities={amenities} onChange={onChange} />
    </>
  )
}

function CustomAmenities({ amenities, onChange }: AmenitiesEditorProps) {
  const [typed, setTyped] = useState('')
  const [problem, setProblem] = useState<string>()
  const input = useRef<HTMLInputElement>(null)
  const custom = customAmenities(amenities)

  const add = () => {
    const added = addAmenity(amenities, typed)
    input.current?.focus()
    if ('problem' in added) return setProblem(messages.problems[added.problem])
    setProblem(undefined)
    setTyped('')
    onChange(added.list)
  }
  const remove = (name: string) => {
    onChange(amenities.filter((one) => one.name !== name))
    input.current?.focus()
  }

  return (
    <div className="grid gap-3">
      <Field label={messages.custom} help={messages.customHelp} error={problem}>
        <div className="flex gap-2">
          <Input
            ref={input}
            value={typed}
            maxLength={amenityNameMax}
            autoComplete="off"
            onChange={(event) => {
              setTyped(event.target.value)
              setProblem(undefined)
            }}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
              // Inside a form, Enter would submit it.
              event.preventDefault()
              add()
            }}
          />
          <Button variant="outline" onClick={add}>
            <Plus className="size-5" strokeWidth={1.75} aria-hidden />
            {messages.add}
          </Button>
        </div>
      </Field>
      {custom.length === 0 ? (
        <p className="text-sm text-muted">{messages.customNone}</p>
      ) : (
        <ul className="flex flex-wrap gap-2">
          {custom.map(({ name }) => (
            <li
              key={name}
              className="flex min-w-0 items-center rounded-control border border-line bg-surface ps-3.5"
            >
              <span className="min-w-0 [overflow-wrap:anywhere]">{name}</span>
              <Button
                variant="quiet"
                size="icon"
                aria-label={messages.remove(name)}
                onClick={() => remove(name)}
              >
                <X className="size-4" strokeWidth={1.75} aria-hidden />
              </Button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
