import { Crosshair, ExternalLink } from 'lucide-react'
import type { UseFormReturn } from 'react-hook-form'
import { FormField } from '@/components/form-field'
import { lazyPart } from '@/components/lazy-part'
import { MapFrame } from '@/components/map/map-frame'
import { Button, buttonClass } from '@/components/ui/button'
import { Input } from '@/components/ui/input'
import { Select } from '@/components/ui/select'
import { detailsMessages as words } from '../details-messages'
import type { DetailsForm } from '../model/details'
import { elsewhere, type Place, placeLabel } from '../model/place'
import {
  distanceText,
  followTown,
  metresFrom,
  type Position,
  positionOf,
  readPosition,
} from '../model/position'

const PinMap = lazyPart(async () => (await import('./pin-map')).PinMap)

type PlaceFieldsProps = { form: UseFormReturn<DetailsForm>; places: readonly Place[] }

const countries = ['Andorra', 'Spain'] as const

/**
 * The location of a business: its town from the list, its address and its position (RULE-11,
 * RULE-14).
 */
export function PlaceFields({ form, places }: PlaceFieldsProps) {
  const isElsewhere = form.watch('city') === elsewhere
  const placeOf = (slug: string) => places.find((place) => place.slug === slug)
  const handleTown = (former: string, next: string) => {
    const position = followTown(form.getValues(), placeOf(former), placeOf(next))
    if (position) setPosition(form, position)
  }
  return (
    <>
      <div className="grid gap-x-4 gap-y-5 sm:grid-cols-2">
        <FormField form={form} name="city" label={words.city}>
          {(control) => (
            <Select
              {...control}
              onChange={(event) => {
                handleTown(form.getValues('city'), event.target.value)
                void control.onChange(event)
              }}
            >
              <option value="">{words.cityChoose}</option>
              {countries.map((country) => (
                <optgroup key={country} label={country}>
                  {places
                    .filter((place) => place.country === country)
                    .map((place) => (
                      <option key={place.slug} value={place.slug}>
                        {placeLabel(place)}
                      </option>
                    ))}
                </optgroup>
              ))}
              <option value={elsewhere}>{words.cityElsewhere}</option>
            </Select>
          )}
        </FormField>
        <FormField form={form} name="area" label={isElsewhere ? words.elsewhereArea : words.area}>
          {(control) => <Input {...control} autoComplete="address-level3" />}
        </FormField>
      </div>
      <FormField form={form} name="address" label={words.address} help={words.addressHelp}>
        {(control) => <Input {...control} autoComplete="street-address" />}
      </FormField>
      <PositionFields form={form} places={places} />
    </>
  )
}

function setPosition(form: UseFormReturn<DetailsForm>, { latitude, longitude }: Position): void {
  const options = { shouldDirty: true, shouldValidate: form.formState.isSubmitted }
  form.setValue('latitude', latitude, options)
  form.setValue('longitude', longitude, options)
}

/** Describes the position of the pin; '' if there is none. */
function whereText(place: Place | undefined, at: Position): string {
  const position = readPosition(at)
  if (position === null) return ''
  const metres = place ? metresFrom(place, at) : null
  if (!place || metres === null) return words.atPosition(position.join(', '))
  return metres < 1
    ? words.atCentre(place.local_name)
    : words.fromCentre(distanceText(metres), place.local_name)
}

function PositionFields({ form, places }: PlaceFieldsProps) {
  const [city, latitude, longitude] = form.watch(['city', 'latitude', 'longitude'])
  const place = places.find(({ slug }) => slug === city)
  const at = readPosition({ latitude, longitude })
  return (
    <div className="grid gap-3">
      <MapFrame className="h-80 rounded-card border border-line">
        <PinMap
          place={place}
          pin={at && { latitude: at[0], longitude: at[1] }}
          onPin={(point) => setPosition(form, positionOf(point))}
        />
      </MapFrame>
      <div className="grid gap-x-4 gap-y-5 sm:grid-cols-2">
        <FormField form={form} name="latitude" label={words.latitude}>
          {(control) => <Input {...control} inputMode="decimal" autoComplete="off" />}
        </FormField>
        <FormField form={form} name="longitude" label={words.longitude}>
          {(control) => <Input {...control} inputMode="decimal" autoComplete="off" />}
        </FormField>
      </div>
      <p className="text-sm text-muted">
        {words.positionHelp} <span role="status">{whereText(place, { latitude, longitude })}</span>
      </p>
      <div className="flex flex-wrap gap-2">
        <Button
          variant="outline"
          size="sm"
          disabled={place === undefined}
          onClick={() => place && setPosition(form, positionOf(place))}
        >
          <Crosshair className="size-4" strokeWidth={1.75} aria-hidden />
          {place ? words.centre(place.local_name) : words.centreUnknown}
        </Button>
        {at && (
          <a
            href={`https://www.openstreetmap.org/?mlat=${at[0]}&mlon=${at[1]}#map=17/${at.join('/')}`}
            target="_blank"
            rel="noreferrer"
            className={buttonClass({ variant: 'quiet', size: 'sm' })}
          >
            <ExternalLink className="size-4" strokeWidth={1.75} aria-hidden />
            {words.onMap}
            <span className="sr-only">{words.newTab}</span>
          </a>
        )}
      </div>
    </div>
  )
}
