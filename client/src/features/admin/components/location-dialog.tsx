import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import { FormField } from '@/components/form-field'
import { Input } from '@/components/ui/input'
import { slugify } from '@/lib/text'
import { useSaveLocation } from '../api/locations'
import { messages } from '../messages'
import {
  addedSchema,
  editedSchema,
  type Location,
  type LocationForm,
  locationText,
  takenField,
  toForm,
} from '../model/location'
import { RowFormDialog } from './row-form-dialog'
import { useRowSave } from './use-row-save'

const texts = messages.locations
const takenWords = { original: texts.nameTaken, slug: texts.slugTaken }

type LocationDialogProps = {
  /** Null when adding one. */
  location: Location | null
  onSaved: (typed: LocationForm) => void
  onClose: () => void
}

/** Adds a location or edits it (ADMIN-LOC-03 to ADMIN-LOC-07). */
export function LocationDialog({ location, onSaved, onClose }: LocationDialogProps) {
  const isNew = location === null
  const save = useSaveLocation()
  const form = useForm<LocationForm>({
    resolver: zodResolver(isNew ? addedSchema : editedSchema),
    defaultValues: toForm(location),
  })

  // Leaving the name field generates the slug if it is empty (ADMIN-LOC-06).
  const fillSlug = () => {
    const { original, slug } = form.getValues()
    const made = slugify(original)
    if (slug.trim() === '' && made !== '') {
      form.setValue('slug', made, { shouldDirty: true, shouldValidate: form.formState.isSubmitted })
    }
  }

  const { obstacle, send } = useRowSave({
    row: location,
    form,
    save: save.mutateAsync,
    textOf: locationText,
    taken: (message) => {
      const field = takenField(message)
      return { field, text: takenWords[field] }
    },
    onSaved,
  })

  return (
    <RowFormDialog
      title={isNew ? texts.addTitle : texts.editTitle(location.original)}
      saveLabel={isNew ? texts.add : messages.save}
      isNew={isNew}
      isPending={save.isPending}
      isDirty={form.formState.isDirty}
      obstacle={obstacle}
      words={texts}
      onSubmit={(event) => void form.handleSubmit(send)(event)}
      onClose={onClose}
    >
      <FormField form={form} name="original" label={texts.name}>
        {(control) => (
          <Input
            {...control}
            autoComplete="off"
            data-autofocus
            onBlur={(event) => {
              void control.onBlur(event)
              fillSlug()
            }}
          />
        )}
      </FormField>
      <FormField
        form={form}
        name="slug"
        label={texts.slug}
        help={isNew ? `${texts.slugHelp}. ${texts.slugOptional}` : texts.slugHelp}
      >
        {(control) => (
          <Input {...control} autoComplete="off" autoCapitalize="none" spellCheck={false} />
        )}
      </FormField>
    </RowFormDialog>
  )
}
