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
  /** No week is stored. */
  isNew: boolean
  /** What is stored in place of a week, if it is a text. */
  text: string
}

/** The Hours tab: a week whose every change is saved at once (OWNER-07, OWNER-16 to OWNER-18). */
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
