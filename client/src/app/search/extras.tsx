import { List, Map as MapIcon } from 'lucide-react'
import { Link } from 'react-router'
import { buttonClass } from '@/components/ui/button'
import { mapMessages } from '@/features/search/map-messages'

export { ResultLines } from '@/features/businesses/components/result-lines'
export { ResultsRecorder } from '@/features/businesses/components/results-recorder'
export { MeaningLine } from '@/features/search/components/meaning-line'
export { SetChips } from '@/features/search/components/set-chips'
export { nearPosition } from './near-position'
export { ResultsOnMap } from './on-map'
export { storeSearch } from './store-search'

type ViewToggleProps = { isMap: boolean; to: string }

/** Switches between list and map on phones. */
export function ViewToggle({ isMap, to }: ViewToggleProps) {
  const Icon = isMap ? List : MapIcon
  return (
    <Link
      to={to}
      preventScrollReset
      className={buttonClass(
        {},
        'fixed bottom-4 left-1/2 z-30 -translate-x-1/2 rounded-full shadow-float lg:hidden',
      )}
    >
      <Icon className="size-4" strokeWidth={1.75} aria-hidden />
      {isMap ? mapMessages.toList : mapMessages.toMap}
    </Link>
  )
}
