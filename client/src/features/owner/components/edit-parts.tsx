import { type ReactNode, useState } from 'react'
import { LeaveGuard } from '@/components/leave-guard'
import { Badge } from '@/components/ui/badge'
import { Tabs } from '@/components/ui/tabs'
import type { EditedBusiness } from '../api/queries'
import { messages } from '../messages'
import { readAmenities } from '../model/amenities'
import { type EditTab, editTabs } from '../model/edit-tab'
import type { Place } from '../model/place'
import { defaultWeek, readHoursText, readWeek, writeWeek } from '../model/week'
import { partsMessages } from '../parts-messages'
import { AmenitiesPanel } from './amenities-panel'
import { DetailsFields } from './details-fields'
import { DetailsObstacleAlert } from './details-obstacle'
import { FormBar, formClass } from './form-bar'
import { HoursPanel } from './hours-panel'
import type { CategoryChoice } from './type-select'
import { useDetailsSave } from './use-details-save'
import { isUnsaved, useInstantSave } from './use-instant-save'

type EditPartsProps = {
  business: EditedBusiness
  places: readonly Place[]
  categories: readonly CategoryChoice[]
  /** The plan's maximum length of a description; null: no limit. */
  allowed: number | null
  tab: EditTab
  onTab: (tab: EditTab) => void
  services: ReactNode
  /** A service was entered but not saved. */
  isServiceUnsaved: boolean
  photos: ReactNode
  onStored: (business: EditedBusiness) => void
  /** Called when the form was saved or cancelled (OWNER-09). */
  onDone: () => void
}

const weekOf = (business: EditedBusiness) => readWeek(business.hours) ?? defaultWeek
const amenitiesOf = (business: EditedBusiness) => readAmenities(business.amenities)

/**
 * The five tabs of a listing (OWNER-04, C-41). Unsaved input is held here, so that it is kept when
 * switching tabs.
 */
export function EditParts(props: EditPartsProps) {
  const { business, places, categories, allowed, tab, onTab, onStored, onDone } = props
  const details = useDetailsSave({ business, places, allowed, onStored, onDone })
  const hours = useInstantSave({
    business,
    column: 'hours',
    read: weekOf,
    write: writeWeek,
    done: partsMessages.hoursUpdated,
    onSaved: onStored,
  })
  const amenities = useInstantSave({
    business,
    column: 'amenities',
    read: amenitiesOf,
    write: (list) => list,
    done: partsMessages.amenitiesUpdated,
    onSaved: onStored,
  })
  // Once opened, its forms stay mounted with their input, behind the other tabs.
  const [hasServices, setHasServices] = useState(tab === 'services')
  if (tab === 'services' && !hasServices) setHasServices(true)
  const unsaved: Record<EditTab, boolean> = {
    details: details.isUnsaved,
    services: props.isServiceUnsaved,
    photos: false,
    hours: isUnsaved(hours.step),
    amenities: isUnsaved(amenities.step),
  }
  const content: Record<EditTab, ReactNode> = {
    details: (
      <form className={formClass} noValidate onSubmit={(event) => void details.submit(event)}>
        <DetailsFields form={details.form} {...{ places, categories, allowed }} />
        <FormBar
          saveLabel={messages.save}
          isPending={details.form.formState.isSubmitting}
          onCancel={onDone}
        >
          {details.obstacle && (
            <DetailsObstacleAlert obstacle={details.obstacle} onTakeStored={details.takeStored} />
          )}
        </FormBar>
      </form>
    ),
    services: null,
    photos: props.photos,
    hours: (
      <HoursPanel
        save={hours}
        isNew={readWeek(business.hours) === null}
        text={readHoursText(business.hours)}
      />
    ),
    amenities: <AmenitiesPanel save={amenities} />,
  }
  return (
    <>
      <Tabs
        label={messages.tabs}
        value={tab}
        onChange={onTab}
        tabs={editTabs.map((key) => ({
          key,
          label: messages.tab[key],
          badge: unsaved[key] && key !== tab && <Badge tone="warning">{messages.unsaved}</Badge>,
          content: (
            <>
              {hasServices && (
                <div key="services" hidden={key !== 'services'}>
                  {props.services}
                </div>
              )}
              {content[key]}
            </>
          ),
        }))}
      />
      <LeaveGuard
        when={Object.values(unsaved).includes(true)}
        title={messages.leaveTitle}
        text={messages.leaveText}
        leaveLabel={messages.leave}
        stayLabel={messages.stay}
      />
    </>
  )
}
