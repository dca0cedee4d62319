import { useLayoutEffect, useReducer, useRef } from 'react'
import { useLocation, useNavigation } from 'react-router'
import { FilterBar, type FilterBarProps } from '@/features/search/components/filter-bar'
import type { Terms } from '@/features/search/model/terms'
import { extras } from './load-extras'

/** The filter bar. Sorting by distance from no place asks for the visitor's position first. */
export function SearchFilters({ terms, onChange, ...rest }: FilterBarProps) {
  const { key } = useLocation()
  const isLeaving = useNavigation().state !== 'idle'
  const shown = useRef('')
  useLayoutEffect(() => {
    shown.current = isLeaving ? '' : key
    return () => {
      shown.current = ''
    }
  }, [key, isLeaving])
  // The select shows what was pressed until it is rendered again.
  const [, showOrder] = useReducer((times: number) => times + 1, 0)

  const change = async (part: Partial<Terms>) => {
    const needsPosition = part.sort === 'distance' && terms.near === '' && terms.findLoc === ''
    if (!needsPosition) return onChange(part)
    const { nearPosition } = await extras()
    const near = await nearPosition(() => shown.current === key)
    if (near === null) showOrder()
    else onChange({ ...part, near })
  }
  return <FilterBar terms={terms} onChange={(part) => void change(part)} {...rest} />
}
