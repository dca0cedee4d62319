import { type FormEvent, useState } from 'react'
import { Button } from '@/components/ui/button'
import { Combobox, type ComboboxOption } from '@/components/ui/combobox'
import type { SearchTerms } from '@/lib/paths'
import { cleanQuery } from '@/lib/text'
import { messages } from '../messages'

type SearchFormProps = {
  /** Where the search happens when no place is typed (HOME-04). */
  currentCity: string
  /** Cities that begin with or contain a text. */
  suggestCities: (text: string) => readonly ComboboxOption[]
  onSearch: (terms: SearchTerms) => void
}

const label = 'block px-1 text-start text-xs font-semibold text-muted'
const box = 'h-7 rounded-none border-0 bg-transparent px-1 outline-offset-4'

/** The terms that a filled form stands for: only what was given (HOME-03). */
export function searchTerms(what: string, where: string, currentCity: string): SearchTerms {
  const findDesc = cleanQuery(what).trim()
  const findLoc = cleanQuery(where).trim() || currentCity
  return { ...(findDesc && { findDesc }), ...(findLoc && { findLoc }) }
}

/** Home's search bar: two fields and a button. */
export function SearchForm({ currentCity, suggestCities, onSearch }: SearchFormProps) {
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
        className="grid rounded-card border border-line bg-surface p-2 shadow-float sm:grid-cols-[1fr_1fr_auto] sm:items-center"
      >
        <div className="px-3 py-2">
          <label htmlFor="home-what" className={label}>
            {messages.what}
          </label>
          <input
            id="home-what"
            name="find_desc"
            type="search"
            maxLength={100}
            autoComplete="off"
            placeholder={messages.whatPlaceholder}
            className={`${box} w-full text-base placeholder:text-muted`}
            value={what}
            onChange={(event) => setWhat(event.target.value)}
          />
        </div>
        <div className="border-line px-3 py-2 max-sm:border-t sm:border-s">
          <label htmlFor="home-where" className={label}>
            {messages.where}
          </label>
          <Combobox
            id="home-where"
            name="find_loc"
            maxLength={100}
            placeholder={currentCity}
            listLabel={messages.whereSuggestions}
            className={box}
            value={where}
            onChange={setWhere}
            options={suggestCities(where)}
          />
        </div>
        <Button type="submit" size="lg" className="max-sm:mt-1">
          {messages.submit}
        </Button>
      </form>
    </search>
  )
}
