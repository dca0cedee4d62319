import { act, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { beforeEach, expect, it, vi } from 'vitest'
import { renderApp } from '@/testing/render'
import { noFilters } from '../model/filter-draft'
import { FilterSheet } from './filter-sheet'

// The browser's geolocation; it answers when the test does.
let answer = () => {}

beforeEach(() => {
  const coords = { latitude: 41.4, longitude: 2.2 } as GeolocationCoordinates
  const getCurrentPosition = (found: PositionCallback) => {
    answer = () => found({ coords } as GeolocationPosition)
  }
  vi.spyOn(navigator, 'geolocation', 'get').mockReturnValue({ getCurrentPosition } as Geolocation)
})

function Sheet({ onApply = () => undefined }: { onApply?: (filters: object) => void }) {
  const [open, setOpen] = useState(true)
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Open
      </button>
      <FilterSheet
        open={open}
        start={noFilters}
        categories={[]}
        findLoc="Barcelona"
        showLabel={() => 'Show'}
        onApply={onApply}
        onClose={() => setOpen(false)}
      />
    </>
  )
}

it('the position, which takes a while, keeps the filters set meanwhile', async () => {
  const onApply = vi.fn<(filters: object) => void>()
  const user = userEvent.setup()
  renderApp(<Sheet onApply={onApply} />)
  await user.click(screen.getByRole('button', { name: 'Use my position' }))
  await user.click(screen.getByRole('checkbox', { name: 'Open now' }))
  await user.selectOptions(screen.getByLabelText('Distance'), 'Within 10 km')
  answer()
  await screen.findByRole('button', { name: 'Do not use my position' })
  await user.click(screen.getByRole('button', { name: 'Show' }))
  expect(onApply).toHaveBeenCalledExactlyOnceWith({
    ...noFilters,
    open: true,
    near: '41.4,2.2',
    within: 10,
  })
})

it('a position asked for before the sheet was closed is not used after that', async () => {
  const user = userEvent.setup()
  renderApp(<Sheet />)
  await user.click(screen.getByRole('button', { name: 'Use my position' }))
  await user.click(screen.getByRole('button', { name: 'Close' }))
  await user.click(screen.getByRole('button', { name: 'Open' }))
  await act(async () => answer())
  expect(screen.getByRole('button', { name: 'Use my position' })).toBeTruthy()
})
