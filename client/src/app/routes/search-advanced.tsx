import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useNavigate } from 'react-router'
import { PageHeader } from '@/components/page-header'
import { Breadcrumb } from '@/components/ui/breadcrumb'
import { Button, ButtonLink } from '@/components/ui/button'
import { Combobox } from '@/components/ui/combobox'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { categoriesQuery } from '@/features/directory/api/queries'
import { FilterFields } from '@/features/search/components/filter-fields'
import { filterMessages } from '@/features/search/filter-messages'
import { messages } from '@/features/search/messages'
import { noFilters } from '@/features/search/model/filter-draft'
import { addressOf, noTerms } from '@/features/search/model/terms'
import { usePlaceSuggestions } from '@/features/search/model/use-suggestions'
import { pageTitle, usePageMeta } from '@/lib/page-meta'
import { paths } from '@/lib/paths'
import { cleanQuery } from '@/lib/text'

/** All filters as one form (ROUTE-10); submitting it opens /search. */
export function Component() {
  usePageMeta({ title: pageTitle(messages.advancedTitle) })
  const navigate = useNavigate()
  const { data: categories = [] } = useQuery(categoriesQuery)
  const [what, setWhat] = useState('')
  const [where, setWhere] = useState('')
  const places = usePlaceSuggestions(where, messages.placeWords)
  const [filters, setFilters] = useState(noFilters)

  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    const category = categories.find((one) => one.code === filters.category)?.name ?? ''
    const findDesc = cleanQuery(what).trim()
    const findLoc = cleanQuery(where).trim()
    void navigate(addressOf({ ...noTerms, ...filters, category, findDesc, findLoc }))
  }

  return (
    <div className="page max-w-3xl pb-16">
      <PageHeader
        title={messages.advancedTitle}
        text={filterMessages.advancedText}
        above={
          <Breadcrumb
            crumbs={[
              { key: 'home', label: messages.home, to: paths.home },
              { key: 'search', label: messages.submit, to: paths.search() },
              { key: 'here', label: messages.advancedTitle },
            ]}
          />
        }
      />
      <form aria-label={messages.advancedTitle} onSubmit={handleSubmit} className="grid gap-7">
        <div className="grid gap-x-4 gap-y-7 sm:grid-cols-2">
          <Field label={messages.what}>
            <Input
              type="search"
              maxLength={100}
              placeholder={messages.whatPlaceholder}
              value={what}
              onChange={(event) => setWhat(event.target.value)}
            />
          </Field>
          <Field label={messages.where}>
            <Combobox
              maxLength={100}
              placeholder={messages.wherePlaceholder}
              listLabel={messages.whereSuggestions}
              value={where}
              onChange={setWhere}
              options={places.options}
              onFocus={places.onVisit}
            />
          </Field>
        </div>
        <FilterFields
          categories={categories}
          findLoc={cleanQuery(where).trim()}
          value={filters}
          onChange={setFilters}
        />
        <div className="sticky bottom-0 flex flex-wrap justify-end gap-3 border-line border-t bg-ground py-4">
          <ButtonLink variant="outline" to={paths.search()}>
            {filterMessages.clearAll}
          </ButtonLink>
          <Button type="submit">{filterMessages.show}</Button>
        </div>
      </form>
    </div>
  )
}
