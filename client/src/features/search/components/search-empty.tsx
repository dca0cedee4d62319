import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { TileMark } from '@/components/tile/tile-mark'
import { ButtonLink } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { localName } from '@/lib/local-name'
import { paths } from '@/lib/paths'
import { synonymsQuery } from '../api/synonyms'
import { messages } from '../empty-messages'
import { type Alternative, isNarrowed, lift, splitAlternatives } from '../model/alternatives'
import type { Terms } from '../model/terms'
import { AlertSection } from './alert-section'
import { AlternativeSection } from './alternative-section'
import type { CategoryChoice } from './category-select'

/** Shown if no business is stored at all (SEARCH-16). */
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
  /** Alternatives with results; undefined until they are loaded. */
  alternatives: readonly Alternative[] | undefined
  /** Places to suggest if no alternative is known. */
  locations: readonly string[]
  hrefOf: (terms: Terms) => string
  onSignIn: () => void
}

const link =
  'inline-flex min-h-11 items-center gap-1.5 rounded-full border border-control bg-surface px-4 text-sm font-semibold hover:bg-sunken'

/**
 * Shown if nothing matches: which filter to remove, where there are results, and other alternatives
 * (SEARCH-17).
 */
function NoResults({ terms, alternatives, hrefOf, ...rest }: SearchEmptyProps) {
  const { filters, places } = splitAlternatives(alternatives ?? [])
  const isAskable = terms.findDesc !== '' || terms.findLoc !== '' || terms.category !== ''
  return (
    <div className="grid gap-10 pb-6 sm:py-6">
      <div className="grid justify-items-center gap-3 text-center">
        <TileMark seed={messages.noResults} className="mb-2 size-16 rounded-card sm:size-20" />
        <h3 className="text-xl">{messages.noResults}</h3>
        <p className="text-muted">{messages.noResultsText}</p>
      </div>
      <div className="grid gap-x-10 gap-y-8 sm:grid-cols-2">
        <AlternativeSection title={messages.clearFilters} text={messages.clearFiltersText}>
          {filters.map((one) => (
            <CountLink
              key={one.target}
              to={hrefOf({ ...terms, ...lift(one.target), page: 1 })}
              name={messages.without(one.target, terms)}
              count={one.businesses}
            />
          ))}
          <Link to={paths.search()} className={link}>
            {filters.length > 0 ? messages.clearAll : messages.clearFilters}
          </Link>
        </AlternativeSection>
        <AlternativeSection title={messages.otherLocation}>
          {places.map((place) => (
            <CountLink
              key={place.target}
              to={hrefOf({
                ...terms,
                findLoc: place.name,
                near: '',
                within: 0,
                bounds: '',
                page: 1,
              })}
              name={localName(place.name)}
              count={place.businesses}
              note={place.distance_km !== null && messages.away(place.distance_km)}
            />
          ))}
          {alternatives !== undefined &&
            places.length === 0 &&
            rest.locations
              .filter((name) => name !== terms.findLoc)
              .map((name) => (
                <Link key={name} to={hrefOf({ ...terms, findLoc: name, page: 1 })} className={link}>
                  {localName(name)}
                </Link>
              ))}
        </AlternativeSection>
        {isAskable && <AlertSection terms={terms} onSignIn={rest.onSignIn} />}
        <Suggestions terms={terms} categories={rest.categories} />
        <AlternativeSection title={messages.addBusiness} text={messages.addBusinessText}>
          <ButtonLink variant="outline" to={paths.ownerSignUp}>
            {messages.addBusiness}
          </ButtonLink>
        </AlternativeSection>
      </div>
    </div>
  )
}

type CountLinkProps = { to: string; name: string; count: number; note?: ReactNode }

function CountLink({ to, name, count, note }: CountLinkProps) {
  return (
    <Link to={to} className={link}>
      {name}
      <span className="nums font-normal text-muted">
        {messages.businesses(count)}
        {note && ` · ${note}`}
      </span>
    </Link>
  )
}

const maxSuggestions = 4
const defaultSuggestions = ['beautysvc', 'restaurants', 'health', 'homeservices']

/** Categories similar to the search text, or popular ones. */
function Suggestions({ terms, categories }: Pick<SearchEmptyProps, 'terms' | 'categories'>) {
  const { data: synonyms = [] } = useQuery(synonymsQuery(terms.findDesc))
  const codes = [...synonyms.map((synonym) => synonym.category_slug), ...defaultSuggestions]
  const suggestions = [...new Set(codes)]
    .flatMap((code) => categories.find((category) => category.code === code) ?? [])
    .filter((category) => category.name !== terms.category)
    .slice(0, maxSuggestions)
  return (
    <AlternativeSection title={messages.suggestions} text={messages.suggestionsText}>
      {suggestions.map((category) => (
        <Link
          key={category.code}
          to={paths.search({ findLoc: terms.findLoc, category: category.name })}
          className={link}
        >
          {localName(category.name)}
        </Link>
      ))}
    </AlternativeSection>
  )
}

/** Shown instead of results: either no business is stored, or none matches. */
export function SearchEmpty(props: SearchEmptyProps) {
  return isNarrowed(props.terms) ? <NoResults {...props} /> : <NoBusinesses />
}
