import { QueryClientProvider } from '@tanstack/react-query'
import { render } from '@testing-library/react'
import type { ReactElement } from 'react'
import { MemoryRouter } from 'react-router'
import { createQueryClient } from '@/lib/query-client'

/** Renders a component inside the app's providers, with its own query cache and URL. */
export function renderApp(element: ReactElement, { at = '/' }: { at?: string } = {}) {
  const queryClient = createQueryClient()
  const view = render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter initialEntries={[at]}>{element}</MemoryRouter>
    </QueryClientProvider>,
  )
  return { ...view, queryClient }
}
