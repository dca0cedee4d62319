import { zodResolver } from '@hookform/resolvers/zod'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { FormField } from '@/components/form-field'
import { Input } from '@/components/ui/input'
import { toAppError } from '@/lib/errors'
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
import type { Obstacle } from './obstacle-alert'
import { RowFormDialog } from './row-form-dialog'

const words = messages.locations
const doubleCode = '23505'
const takenWords = { original: words.nameTaken, slug: words.slugTaken }

type LocationDialogProps = {
  /** Null for one that is to be added. */
  location: Location | null
  onSaved: (typed: LocationForm) => void
  onClose: () => void
}

/** Adds a location or edits it (ADMIN-LOC-03 to ADMIN-LOC-07). */
export function LocationDialog({ location, onSaved, onClose }: LocationDialogProps) {
  const isNew = location === null
  const [before, setBefore] = useState(location)
  const [obstacle, setObstacle] = useState<Obstacle | null>(null)
  const save = useSaveLocation()
  const form = useForm<LocationForm>({
    resolver: zodResolver(isNew ? addedSchema : editedSchema),
    defaultValues: toForm(location),
  })

  // Leaving the name makes the slug, if there is none (ADMIN-LOC-06).
  const fillSlug = () => {
    const { original, slug } = form.getValues()
    const made = slugify(original)
    if (slug.trim() === '' && made !== '') {
      form.setValue('slug', made, { shouldDirty: true, shouldValidate: form.formState.isSubmitted })
    }
  }

  const handleSubmit = form.handleSubmit(async (typed) => {
    setObstacle(null)
    try {
      const saved = await save.mutateAsync({ typed, before })
      if (saved.state === 'saved') return onSaved(typed)
      if (saved.state === 'gone') return setObstacle({ kind: 'gone' })
      setBefore(saved.now)
      setObstacle({ kind: 'changed', now: locationText(saved.now) })
    } catch (error) {
      const { code, message } = toAppError(error)
      if (code !== doubleCode) return setObstacle({ kind: 'failed', error })
      const field = takenField(message)
      form.setError(field, { message: takenWords[field] }, { shouldFocus: true })
    }
  })

  return (
    <RowFormDialog
      title={isNew ? words.addTitle : words.editTitle(location.original)}
      saveLabel={isNew ? words.add : messages.save}
      isNew={isNew}
      isPending={save.isPending}
      obstacle={obstacle}
      words={words}
      onSubmit={(event) => void handleSubmit(event)}
      onClose={onClose}
    >
      <FormField form={form} name="original" label={words.name}>
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
        label={words.slug}
        help={isNew ? `${words.slugHelp}. ${words.slugOptional}` : words.slugHelp}
      >
        {(control) => (
          <Input {...control} autoComplete="off" autoCapitalize="none" spellCheck={false} />
        )}
      </FormField>
    </RowFormDialog>
  )
}
