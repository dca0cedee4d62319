import { type KeyboardEvent, useId, useState } from 'react'
import { cn } from '@/lib/cn'
import { language } from '@/lib/language'
import { localName } from '@/lib/local-name'
import { messages } from '../messages'
import { type City, matchCities } from '../model/cities'

type CityListProps = { current: string; onChoose: (city: City) => void }

/** The box 'Search cities...' with its matches below; popular cities before anything is typed. */
export function CityList({ current, onChoose }: CityListProps) {
  const id = useId()
  const [text, setText] = useState('')
  const [active, setActive] = useState(0)
  const found = matchCities(text)
  const activeCity = found[active]

  const handleKey = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined && found.length > 0) {
      setActive((active + step + found.length) % found.length)
    } else if (event.key === 'Enter' && activeCity) {
      onChoose(activeCity)
    } else return
    event.preventDefault()
  }

  return (
    <div className="grid w-72 gap-1 p-2" lang={language}>
      <input
        role="combobox"
        aria-label={messages.search}
        aria-expanded
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={activeCity ? `${id}-${active}` : undefined}
        placeholder={messages.search}
        autoComplete="off"
        className="h-11 w-full rounded-control border border-control bg-surface px-3 text-base placeholder:text-muted"
        value={text}
        onChange={(event) => {
          setText(event.target.value)
          setActive(0)
        }}
        onKeyDown={handleKey}
      />
      <div
        id={`${id}-list`}
        role="listbox"
        aria-label={text.trim() === '' ? messages.popular : messages.matches}
        className="h-77 overflow-y-auto"
      >
        {found.map((city, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the box handles the keyboard, according to the combobox pattern
          <div
            key={city.name}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={city.name === current}
            className={cn(
              'flex min-h-11 cursor-pointer items-center justify-between rounded-chip px-3 hover:bg-sunken',
              index === active && 'bg-sunken',
              city.name === current && 'font-semibold text-primary',
            )}
            onClick={() => onChoose(city)}
          >
            {localName(city.name)}
            <span className="text-sm font-normal text-muted">{localName(city.country)}</span>
          </div>
        ))}
      </div>
      <p className="-mt-77 px-3 py-2 text-sm text-muted empty:hidden" aria-live="polite">
        {found.length === 0 ? messages.empty : ''}
      </p>
    </div>
  )
}
