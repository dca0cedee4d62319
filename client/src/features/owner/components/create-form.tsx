import { zodResolver } from '@hookform/resolvers/zod'
import { useState } from 'react'
import { flushSync } from 'react-dom'
import { useForm } from 'react-hook-form'
import { LeaveGuard } from '@/components/leave-guard'
import { LimitAlert } from '@/components/limit-alert'
import { Alert } from '@/components/ui/alert'
import { describeError } from '@/lib/error-text'
import { createBusiness } from '../api/mutations'
import { detailsMessages as words } from '../details-messages'
import { messages } from '../messages'
import type { Amenity } from '../model/amenities'
import { type DetailsForm, detailsSchema, emptyDetails, fromDetails } from '../model/details'
import type { Place } from '../model/place'
import { fieldRefusal, isPlanFull } from '../model/refusal'
import { defaultWeek, writeWeek } from '../model/week'
import { partsMessages } from '../parts-messages'
import { AmenitiesEditor } from './amenities-editor'
import { DetailsFields } from './details-fields'
import { FormBar, formClass } from './form-bar'
import { FormSection } from './form-section'
import type { CategoryChoice } from './type-select'
import { WeekEditor } from './week-editor'

type CreateFormProps = {
  places: readonly Place[]
  categories: readonly CategoryChoice[]
  allowed: number | null
  plansHref: string
  onCreated: (id: string) => void
  onCancel: () => void
}

/** A new business: its details, and hours and amenities that are saved after them (C-40). */
export function CreateForm({ places, categories, allowed, ...props }: CreateFormProps) {
  const form = useForm<DetailsForm>({
    resolver: zodResolver(detailsSchema(allowed, '')),
    defaultValues: emptyDetails,
  })
  const [week, setWeek] = useState(defaultWeek)
  const [amenities, setAmenities] = useState<Amenity[]>([])
  const [error, setError] = useState<unknown>(null)
  const [isDone, setDone] = useState(false)
  const { isDirty, isSubmitting } = form.formState
  const isUntouched = !isDirty && week === defaultWeek && amenities.length === 0

  const submit = form.handleSubmit(async (typed) => {
    setError(null)
    try {
      const id = await createBusiness({
        ...fromDetails(typed, places),
        hours: writeWeek(week),
        amenities,
      })
      // The page's leave guard must be updated before navigating.
      flushSync(() => setDone(true))
      props.onCreated(id)
    } catch (thrown) {
      const refusal = fieldRefusal(thrown, allowed)
      if (refusal === null) return setError(thrown)
      form.setError(refusal.field, { message: refusal.message }, { shouldFocus: true })
    }
  })

  return (
    <form className={formClass} noValidate onSubmit={(event) => void submit(event)}>
      <DetailsFields form={form} {...{ places, categories, allowed }} />
      <FormSection title={partsMessages.hoursTitle} text={partsMessages.hoursText}>
        <WeekEditor week={week} onChange={setWeek} />
      </FormSection>
      <FormSection title={partsMessages.amenitiesTitle} text={partsMessages.amenitiesText}>
        <AmenitiesEditor amenities={amenities} onChange={setAmenities} />
      </FormSection>
      <FormBar saveLabel={messages.create} isPending={isSubmitting} onCancel={props.onCancel}>
        {error !== null && <CreateFailed error={error} plansHref={props.plansHref} />}
      </FormBar>
      <LeaveGuard
        when={!isUntouched && !isDone}
        title={messages.leaveTitle}
        text={messages.leaveText}
        leaveLabel={messages.leave}
        stayLabel={messages.stay}
      />
    </form>
  )
}

function CreateFailed({ error, plansHref }: { error: unknown; plansHref: string }) {
  if (isPlanFull(error)) {
    return (
      <LimitAlert title={words.limitBusinesses} plansHref={plansHref}>
        {messages.limitText} {words.kept}
      </LimitAlert>
    )
  }
  return (
    <Alert tone="danger" title={words.saveFailed}>
      {describeError(error)} {words.kept}
    </Alert>
  )
}
