import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import type { Week } from '../model/week'
import { partsMessages as messages } from '../parts-messages'
import { FormSection } from './form-section'
import { SaveState } from './save-state'
import type { InstantSave } from './use-instant-save'
import { WeekEditor } from './week-editor'

type HoursPanelProps = {
  save: InstantSave<Week>
  /** No hours are stored. */
  isNew: boolean
  /** The stored hours if they are a text. */
  text: string
}

/** The Hours tab: every change is saved at once (OWNER-07, OWNER-16 to OWNER-18). */
export function HoursPanel({ save, isNew, text }: HoursPanelProps) {
  return (
    <FormSection
      title={messages.hoursTitle}
      text={
        <>
          <p>{messages.hoursText}</p>
          <SaveState save={save} failed={messages.hoursFailed} changed={messages.hoursChanged} />
        </>
      }
    >
      {isNew && save.step === 'idle' && (
        <Alert
          title={text === '' ? messages.hoursNone : messages.hoursAsText(text)}
          action={
            <Button variant="outline" size="sm" onClick={() => save.change(save.value)}>
              {messages.hoursStore}
            </Button>
          }
        />
      )}
      <WeekEditor week={save.value} onChange={save.change} />
    </FormSection>
  )
}
