import { Suspense } from 'react'
import { lazyPart } from '@/components/lazy-part'
import { BizCard } from '@/features/businesses/components/biz-card'
import { LinePlaceholders } from '@/features/businesses/components/line-placeholders'
import type { CardBusiness } from '@/features/businesses/model/business-card'
import { type Category, topCodeOf } from '@/features/directory/model/categories'
import { extras } from './load-extras'

// Space for its lines is reserved before they are loaded.
const ResultLines = lazyPart(async () => (await extras()).ResultLines, null)

export type Result = CardBusiness & { isPromoted: boolean; away: string | undefined }

type SearchResultProps = {
  business: Result
  /** All rows of the page. */
  rows: readonly Result[]
  /** The search text. */
  findDesc: string
  categories: readonly Category[]
}

/** A business among the results, with details that depend on the search. */
export function SearchResult({ business, rows, findDesc, categories }: SearchResultProps) {
  const lines = Number(business.owner_id !== null) + Number(findDesc !== '')
  return (
    <BizCard
      business={business}
      isPromoted={business.isPromoted}
      away={business.away}
      topCategory={topCodeOf(business.category_code ?? business.type, categories)}
      shape="row"
      now={new Date()}
    >
      <Suspense fallback={<LinePlaceholders count={lines} />}>
        <ResultLines business={business} rows={rows} findDesc={findDesc} />
      </Suspense>
    </BizCard>
  )
}
