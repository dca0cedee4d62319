import { MapPin, Search } from 'lucide-react'
import { type FormEvent, useId } from 'react'
import { Button } from '@/components/ui/button'
import { Combobox, type ComboboxOption } from '@/components/ui/combobox'
import { useSearchText } from '@/lib/use-search-text'
import { messages } from '../messages'
import type { Terms } from '../model/terms'
import { usePlaceSuggestions, useWhatSuggestions } from '../model/use-suggestions'

type SearchBarProps = {
  terms: Terms
  /** Called when the user types. */
  onType: (change: Partial<Terms>) => void
  /** Called when the user selects a suggestion. */
  onChoose: (change: Partial<Terms>) => void
  /** Called for an explicit search, by a button or a selection. */
  onSearch: (part: Partial<Terms>) => void
  /** Opens the page of a business by its slug. */
  onOpen: (slug: string) => void
}

const half =
  'flex items-center gap-2.5 rounded-control px-3.5 transition-colors has-[:focus-visible]:bg-sunken has-[:focus-visible]:outline-2 has-[:focus-visible]:outline-primary has-[:focus-visible]:-outline-offset-2'
const box = 'h-11 w-full placeholder:text-muted focus-visible:outline-none'

/**
 * The fields for what and where, stored in the URL; typing searches after a debounce (SEARCH-13).
 */
export function SearchBar({ terms, onType, onChoose, onSearch, onOpen }: SearchBarProps) {
  const id = useId()
  const what = useSearchText(terms.findDesc, (findDesc) => onType({ findDesc }))
  const where = useSearchText(terms.findLoc, (findLoc) => onType({ findLoc }))
  const suggested = useWhatSuggestions(what.text, messages.whatWords)
  const places = usePlaceSuggestions(where.text, messages.placeWords)
  const take = (option: ComboboxOption) => {
    const choice = suggested.take(option)
    if (choice === null) return
    if ('slug' in choice) {
      what.put(terms.findDesc)
      onOpen(choice.slug)
      return
    }
    const { findDesc, category = terms.category, findLoc = where.text } = choice.terms
    what.put(findDesc)
    where.put(findLoc)
    onSearch({ findDesc, category, findLoc })
    onChoose({ findDesc, category, findLoc })
  }

  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    onSearch({ findDesc: what.send(what.text), findLoc: where.send(where.text) })
  }

  return (
    <search>
      <form
        aria-label={messages.formLabel}
        onSubmit={handleSubmit}
        className="relative grid grid-cols-[1fr_auto] items-center rounded-card border border-line bg-surface p-1.5 shadow-float sm:grid-cols-[1fr_1px_1fr_auto]"
      >
        <div className={half}>
          <Search className="size-4 shrink-0 text-muted" strokeWidth={1.75} aria-hidden />
          <label htmlFor={`${id}-what`} className="sr-only">
            {messages.what}
          </label>
          <div className="min-w-0 flex-1">
            <Combobox
              id={`${id}-what`}
              name="find_desc"
              type="search"
              maxLength={100}
              placeholder={messages.whatPlaceholder}
              listLabel={suggested.listLabel}
              bare
              wideOnPhones
              className={box}
              value={what.text}
              onChange={what.type}
              options={suggested.options}
              onSelect={take}
              onRemove={suggested.onRemove}
              onFocus={suggested.onVisit}
            />
          </div>
        </div>
        <span className="h-7 bg-line max-sm:hidden" aria-hidden />
        <div className={`${half} max-sm:order-last max-sm:col-span-2`}>
          <MapPin className="size-4 shrink-0 text-muted" strokeWidth={1.75} aria-hidden />
          <label htmlFor={`${id}-where`} className="sr-only">
            {messages.where}
          </label>
          <div className="min-w-0 flex-1">
            <Combobox
              id={`${id}-where`}
              name="find_loc"
              maxLength={100}
              placeholder={messages.wherePlaceholder}
              listLabel={messages.whereSuggestions}
              bare
              wideOnPhones
              className={box}
              value={where.text}
              onChange={where.type}
              options={places.options}
              onFocus={places.onVisit}
              onSelect={(option) => where.send(option.label)}
            />
          </div>
        </div>
        <Button type="submit" className="max-sm:w-11 max-sm:px-0">
          <Search className="size-5 sm:hidden" strokeWidth={1.75} aria-hidden />
          <span className="max-sm:sr-only">{messages.submit}</span>
        </Button>
      </form>
    </search>
  )
}
