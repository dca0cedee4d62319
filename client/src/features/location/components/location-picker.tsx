import { ChevronDown, MapPin } from 'lucide-react'
import { Popover } from '@/components/ui/popover'
import { language } from '@/lib/language'
import { localName } from '@/lib/local-name'
import { messages, nearMessages } from '../messages'
import { useLocationChoice } from '../model/use-location'
import { CityList } from './city-list'

/** Shows the current city and how it was determined, and lets users change it. */
export function LocationPicker() {
  const { location, city, isPending, choose } = useLocationChoice()
  return (
    <div className="flex min-h-11 flex-wrap items-center gap-x-2 text-sm text-muted">
      <MapPin className="size-4 shrink-0" strokeWidth={1.75} aria-hidden />
      <span>{nearMessages.near}</span>
      <Popover
        label={messages.pickerLabel}
        trigger={(props) => (
          <button
            {...props}
            className="inline-flex min-h-11 items-center gap-1 font-semibold text-ink hover:text-primary"
          >
            {localName(city)}
            <ChevronDown className="size-4" strokeWidth={1.75} aria-hidden />
            <span className="sr-only">{nearMessages.change}</span>
          </button>
        )}
      >
        {(close) => (
          <CityList
            current={city}
            onChoose={(chosen) => {
              choose(chosen)
              close()
            }}
          />
        )}
      </Popover>
      {!isPending && (
        <span lang={language} aria-live="polite">
          · {messages.source[location.source]}
        </span>
      )}
      {!location.isSupported && (
        <span className="basis-full">{nearMessages.notYet(location.city, localName(city))}</span>
      )}
    </div>
  )
}
