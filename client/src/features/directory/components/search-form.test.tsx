import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import { paths, type SearchTerms } from '@/lib/paths'
import { renderApp } from '@/testing/render'
import { SearchForm } from './search-form'

async function searchFor(what: string, where: string, currentCity = 'Barcelona') {
  const user = userEvent.setup()
  const onSearch = vi.fn<(terms: SearchTerms) => void>()
  const { unmount } = renderApp(
    <SearchForm
      currentCity={currentCity}
      what={{ options: [], listLabel: 'Sugerencias', onVisit: () => {}, onRemove: () => {} }}
      where={{ options: [], onVisit: () => {} }}
      onType={() => {}}
      onSuggestion={() => {}}
      onSearch={onSearch}
    />,
  )
  if (what !== '') await user.type(screen.getByLabelText('Qué'), what)
  if (where !== '') await user.type(screen.getByLabelText('Dónde'), where)
  await user.click(screen.getByRole('button', { name: 'Buscar' }))
  unmount()
  return paths.search(onSearch.mock.calls[0]?.[0])
}

describe('the hero form', () => {
  it('HOME-02: asks what and where', async () => {
    expect(await searchFor('Corte', 'Madrid')).toBe('/search?find_desc=Corte&find_loc=Madrid')
  })
  it('HOME-03: sends only what was filled in', async () => {
    expect(await searchFor('', 'Madrid')).toBe('/search?find_loc=Madrid')
    expect(await searchFor('   ', '', '')).toBe('/search')
  })
  it('HOME-04: searches in the current city when no place is given', async () => {
    expect(await searchFor('Corte', '')).toBe('/search?find_desc=Corte&find_loc=Barcelona')
  })
  it('RULE-21: cleans what was typed', async () => {
    expect(await searchFor('<Corte>', '"Madrid"')).toBe('/search?find_desc=Corte&find_loc=Madrid')
  })
})
