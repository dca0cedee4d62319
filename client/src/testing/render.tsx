import { QueryClientProvider } from '@tanstack/react-query'
import { render } from '@testing-library/react'
import type { ReactElement } from 'react'
import { MemoryRouter } from 'react-router'
import { createQueryClient } from '@/lib/query-client'

type Setting = {
  at?: string
  /** What the query cache has: keys with their data. */
  data?: readonly [key: readonly unknown[], value: unknown][]
}

/** Renders a component inside the app's providers, with its own query cache and URL. */
export function renderApp(element: ReactElement, { at = '/', data = [] }: Setting = {}) {
  const queryClient = createQueryClient()
  for (const [key, value] of data) queryClient.setQueryData(key, value)
  const view = render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter initialEntries={[at]}>{element}</MemoryRouter>
    </QueryClientProvider>,
  )
  return { ...view, queryClient }
}
