import { QueryClient } from '@tanstack/react-query'
import { expect, it } from 'vitest'
import { metricsQuery } from './queries'

it('METRICS-22: a query of metrics without a business fails and says what is missing', async () => {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const query = metricsQuery('', { first: '2026-11-17', last: '2026-11-23' })
  await expect(client.fetchQuery(query)).rejects.toThrow('Business ID is required')
})
