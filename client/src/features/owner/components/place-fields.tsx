import { Crosshair, ExternalLink } from 'lucide-react'
import type { UseFormReturn } from 'react-hook-form'
import { FormField } from '@/components/form-field'
import { Button, buttonLook } from '@/components/ui/button'
import { Input } from '@/components/ui/input'
import { Select } from '@/components/ui/select'
import { detailsMessages as words } from '../details-messages'
import type { DetailsForm } from '../model/details'
import { elsewhere, type Place, placeLabel } from '../model/place'

type PlaceFieldsProps = { form: UseFormReturn<DetailsForm>; places: readonly Place[] }

const countries = ['Andorra', 'Spain'] as const

/** Where a business is: its town from the list, its address and its position (RULE-11, RULE-14). */
export function PlaceFields({ form, places }: PlaceFieldsProps) {
  const isElsewhere = form.watch('city') === elsewhere
  return (
    <>
      <div className="grid gap-x-4 gap-y-5 sm:grid-cols-2">
        <FormField form={form} name="city" label={words.city}>
          {(control) => (
            <Select {...control}>
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
      <Position form={form} places={places} />
    </>
  )
}

function Position({ form, places }: PlaceFieldsProps) {
  const [city, latitude, longitude] = form.watch(['city', 'latitude', 'longitude'])
  const place = places.find(({ slug }) => slug === city)
  const takeCentre = () => {
    if (!place) return
    const options = { shouldDirty: true, shouldValidate: true }
    form.setValue('latitude', String(place.latitude), options)
    form.setValue('longitude', String(place.longitude), options)
  }
  const at = [latitude, longitude].map((text) => text.trim().replace(',', '.'))
  const isKnown = at.every((text) => text !== '' && Number.isFinite(Number(text)))
  return (
    <div className="grid gap-3">
      <div className="grid gap-x-4 gap-y-5 sm:grid-cols-2">
        <FormField form={form} name="latitude" label={words.latitude}>
          {(control) => <Input {...control} inputMode="decimal" autoComplete="off" />}
        </FormField>
        <FormField form={form} name="longitude" label={words.longitude}>
          {(control) => <Input {...control} inputMode="decimal" autoComplete="off" />}
        </FormField>
      </div>
      <p className="text-sm text-muted">{words.positionHelp}</p>
      <div className="flex flex-wrap gap-2">
        <Button variant="outline" size="sm" disabled={place === undefined} onClick={takeCentre}>
          <Crosshair className="size-4" strokeWidth={1.75} aria-hidden />
          {place ? words.centre(place.local_name) : words.centreUnknown}
        </Button>
        {isKnown && (
          <a
            href={`https://www.openstreetmap.org/?mlat=${at[0]}&mlon=${at[1]}#map=17/${at.join('/')}`}
            target="_blank"
            rel="noreferrer"
            className={buttonLook({ variant: 'quiet', size: 'sm' })}
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
