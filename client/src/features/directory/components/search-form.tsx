import { type FocusEvent, type FormEvent, useId, useState } from 'react'
import { Button } from '@/components/ui/button'
import { Combobox, type ComboboxOption } from '@/components/ui/combobox'
import type { SearchTerms } from '@/lib/paths'
import { cleanQuery } from '@/lib/text'
import { messages } from '../messages'

/** The suggestions of a field. */
type Suggested = {
  options: readonly ComboboxOption[]
  /** Called when the field gets the focus. */
  onVisit: () => void
}

type SearchFormProps = {
  /** The place of a search without a typed place (HOME-04). */
  currentCity: string
  /** Suggestions for the first field. */
  what: Suggested & { listLabel: string; onRemove: (option: ComboboxOption) => void }
  /** Suggestions for the second field. */
  where: Suggested
  onType: (field: 'what' | 'where', text: string) => void
  onSuggestion: (option: ComboboxOption, findLoc: string) => void
  onSearch: (terms: SearchTerms) => void
}

const label = 'block text-xs font-semibold text-muted'
const box = 'h-7 w-full bg-transparent text-base placeholder:text-muted focus-visible:outline-none'
// The focused half of the search bar is highlighted as a whole.
const half =
  'rounded-control px-3.5 py-2 transition-colors has-[:focus-visible]:bg-sunken has-[:focus-visible]:outline-2 has-[:focus-visible]:outline-primary has-[:focus-visible]:-outline-offset-2'

const placeOf = (where: string, currentCity: string) => cleanQuery(where).trim() || currentCity

/** Returns the search terms of the form, without empty ones (HOME-03). */
function searchTerms(what: string, where: string, currentCity: string): SearchTerms {
  const findDesc = cleanQuery(what).trim()
  const findLoc = placeOf(where, currentCity)
  return { ...(findDesc && { findDesc }), ...(findLoc && { findLoc }) }
}

/** On phones, scrolls to make space for the suggestions below the form, above the keyboard. */
function makeRoom({ currentTarget }: FocusEvent<HTMLInputElement>): void {
  if (window.matchMedia('(width < 40rem)').matches) currentTarget.form?.scrollIntoView()
}

/** Home's search bar: two fields and a button. */
export function SearchForm({
  currentCity,
  what: suggested,
  where: places,
  onType,
  onSuggestion,
  onSearch,
}: SearchFormProps) {
  const id = useId()
  const [what, setWhat] = useState('')
  const [where, setWhere] = useState('')

  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    onSearch(searchTerms(what, where, currentCity))
  }

  return (
    <search>
      <form
        aria-label={messages.formLabel}
        onSubmit={handleSubmit}
        className="relative grid rounded-card border border-line bg-surface p-2 shadow-float sm:grid-cols-[1fr_1px_1fr_auto] sm:items-center"
      >
        <div className={half}>
          <label htmlFor={`${id}-what`} className={label}>
            {messages.what}
          </label>
          <Combobox
            id={`${id}-what`}
            name="find_desc"
            type="search"
            maxLength={100}
            placeholder={messages.whatPlaceholder}
            listLabel={suggested.listLabel}
            bare
            wideOnPhones
            onFocus={(event) => {
              makeRoom(event)
              suggested.onVisit()
            }}
            className={box}
            value={what}
            onChange={(text) => {
              setWhat(text)
              onType('what', text)
            }}
            options={suggested.options}
            onSelect={(option) => onSuggestion(option, placeOf(where, currentCity))}
            onRemove={suggested.onRemove}
          />
        </div>
        <span className="bg-line max-sm:mx-3 max-sm:h-px sm:h-9" aria-hidden />
        <div className={half}>
          <label htmlFor={`${id}-where`} className={label}>
            {messages.where}
          </label>
          <Combobox
            id={`${id}-where`}
            name="find_loc"
            maxLength={100}
            placeholder={currentCity}
            listLabel={messages.whereSuggestions}
            bare
            wideOnPhones
            onFocus={(event) => {
              makeRoom(event)
              places.onVisit()
            }}
            className={box}
            value={where}
            onChange={(text) => {
              setWhere(text)
              onType('where', text)
            }}
            options={places.options}
          />
        </div>
        <Button type="submit" size="lg" className="max-sm:mt-1">
          {messages.submit}
        </Button>
      </form>
    </search>
  )
}
