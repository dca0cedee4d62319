import type { UseFormReturn } from 'react-hook-form'
import { FormField } from '@/components/form-field'
import { Input } from '@/components/ui/input'
import { Textarea } from '@/components/ui/textarea'
import { detailsMessages as words } from '../details-messages'
import type { DetailsForm } from '../model/details'
import type { Place } from '../model/place'
import { FormSection } from './form-section'
import { PlaceFields } from './place-fields'
import { type CategoryChoice, TypeSelect } from './type-select'

type DetailsFieldsProps = {
  form: UseFormReturn<DetailsForm>
  places: readonly Place[]
  categories: readonly CategoryChoice[]
  /** The plan's maximum length of a description; null: no limit. */
  allowed: number | null
}

/** The fields of the details form, in four sections (OWNER-05). */
export function DetailsFields({ form, places, categories, allowed }: DetailsFieldsProps) {
  const described = form.watch('description').trim().length
  return (
    <>
      <FormSection title={words.basics} text={words.basicsText}>
        <FormField form={form} name="name" label={words.name}>
          {(control) => <Input {...control} autoComplete="organization" />}
        </FormField>
        <FormField form={form} name="type" label={words.type}>
          {(control) => (
            <TypeSelect {...control} stored={form.getValues('type')} categories={categories} />
          )}
        </FormField>
        <FormField form={form} name="tagline" label={words.tagline} help={words.taglineHelp}>
          {(control) => <Input {...control} autoComplete="off" />}
        </FormField>
        <FormField
          form={form}
          name="description"
          label={words.description}
          help={<span className="nums">{words.descriptionHelp(described, allowed)}</span>}
        >
          {(control) => <Textarea {...control} rows={5} />}
        </FormField>
      </FormSection>
      <FormSection title={words.place} text={words.placeText}>
        <PlaceFields form={form} places={places} />
      </FormSection>
      <FormSection title={words.contact} text={words.contactText}>
        <FormField form={form} name="phone" label={words.phone} help={words.phoneHelp}>
          {(control) => <Input {...control} type="tel" autoComplete="tel" />}
        </FormField>
        <FormField form={form} name="website" label={words.website} help={words.websiteHelp}>
          {(control) => <Input {...control} type="url" autoComplete="url" placeholder="https://" />}
        </FormField>
      </FormSection>
      <FormSection title={words.more} text={words.moreText}>
        <FormField form={form} name="languages" label={words.languages} help={words.languagesHelp}>
          {(control) => <Input {...control} autoComplete="off" />}
        </FormField>
        <FormField form={form} name="values" label={words.values} help={words.valuesHelp}>
          {(control) => <Input {...control} autoComplete="off" />}
        </FormField>
        <FormField form={form} name="imageUrl" label={words.imageUrl} help={words.imageUrlHelp}>
          {(control) => <Input {...control} inputMode="url" autoComplete="off" />}
        </FormField>
      </FormSection>
    </>
  )
}
