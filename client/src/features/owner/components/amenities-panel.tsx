import type { Amenity } from '../model/amenities'
import { partsMessages as messages } from '../parts-messages'
import { AmenitiesEditor } from './amenities-editor'
import { FormSection } from './form-section'
import { SaveState } from './save-state'
import type { InstantSave } from './use-instant-save'

/** The Amenities tab: each change is saved at once (OWNER-07, OWNER-12 to OWNER-15). */
export function AmenitiesPanel({ save }: { save: InstantSave<Amenity[]> }) {
  return (
    <FormSection
      title={messages.amenitiesTitle}
      text={
        <>
          <p>{messages.amenitiesText}</p>
          <SaveState
            save={save}
            failed={messages.amenitiesFailed}
            changed={messages.amenitiesChanged}
          />
        </>
      }
    >
      <AmenitiesEditor amenities={save.value} onChange={save.change} />
    </FormSection>
  )
}
