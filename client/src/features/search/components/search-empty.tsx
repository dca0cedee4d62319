import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { TileMark } from '@/components/tile/tile-mark'
import { ButtonLink } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { paths } from '@/lib/paths'
import { synonymsQuery } from '../api/synonyms'
import { messages } from '../empty-messages'
import { isNarrowed, type Terms } from '../model/terms'
import type { CategoryChoice } from './category-select'

/** Not one business is stored (SEARCH-16). */
export function NoBusinesses() {
  return (
    <EmptyState
      title={messages.noBusinesses}
      text={messages.noBusinessesText}
      action={<ButtonLink to={paths.ownerSignUp}>{messages.addYourBusiness}</ButtonLink>}
    />
  )
}

type SearchEmptyProps = {
  terms: Terms
  categories: readonly CategoryChoice[]
  /** Places to try instead. */
  locations: readonly string[]
  hrefOf: (terms: Terms) => string
}

const maxSuggestions = 4
const suggestedAnyway = ['beautysvc', 'restaurants', 'health', 'homeservices']
const link =
  'inline-flex min-h-11 items-center rounded-full border border-control bg-surface px-4 text-sm font-semibold hover:bg-sunken'

/** Nothing matches: four ways on (SEARCH-17). */
function NoResults({ terms, categories, locations, hrefOf }: SearchEmptyProps) {
  const { data: synonyms = [] } = useQuery(synonymsQuery(terms.findDesc))
  const codes = [...synonyms.map((synonym) => synonym.category_slug), ...suggestedAnyway]
  const suggestions = [...new Set(codes)]
    .flatMap((code) => categories.find((category) => category.code === code) ?? [])
    .filter((category) => category.name !== terms.category)
    .slice(0, maxSuggestions)
  const elsewhere = locations.filter((name) => name !== terms.findLoc)
  return (
    <div className="grid gap-10 py-10">
      <div className="grid justify-items-center gap-3 text-center">
        <TileMark seed={messages.noResults} className="mb-2 size-20 rounded-card" />
        <h3 className="text-xl">{messages.noResults}</h3>
        <p className="text-muted">{messages.noResultsText}</p>
      </div>
      <div className="grid gap-x-10 gap-y-8 sm:grid-cols-2">
        <Way title={messages.clearFilters} text={messages.clearFiltersText}>
          <ButtonLink to={paths.search()}>{messages.clearFilters}</ButtonLink>
        </Way>
        <Way title={messages.otherLocation}>
          {elsewhere.map((name) => (
            <Link key={name} to={hrefOf({ ...terms, findLoc: name, page: 1 })} className={link}>
              {name}
            </Link>
          ))}
        </Way>
        <Way title={messages.suggestions} text={messages.suggestionsText}>
          {suggestions.map((category) => (
            <Link
              key={category.code}
              to={paths.search({ findLoc: terms.findLoc, category: category.name })}
              className={link}
            >
              {category.name}
            </Link>
          ))}
        </Way>
        <Way title={messages.addBusiness} text={messages.addBusinessText}>
          <ButtonLink variant="outline" to={paths.ownerSignUp}>
            {messages.addBusiness}
          </ButtonLink>
        </Way>
      </div>
    </div>
  )
}

function Way({ title, text, children }: { title: string; text?: string; children: ReactNode }) {
  return (
    <section className="grid content-start gap-2 border-line border-t pt-5">
      <h4 className="font-semibold">{title}</h4>
      {text !== undefined && <p className="text-sm text-muted">{text}</p>}
      <div className="mt-1 flex flex-wrap gap-2">{children}</div>
    </section>
  )
}

/** In place of results: nothing asked for and nothing there, or nothing that matches. */
export function SearchEmpty(props: SearchEmptyProps) {
  return isNarrowed(props.terms) ? <NoResults {...props} /> : <NoBusinesses />
}
