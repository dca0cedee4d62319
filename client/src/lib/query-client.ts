import {
  type InvalidateOptions,
  type InvalidateQueryFilters,
  MutationCache,
  type Query,
  QueryCache,
  QueryClient,
} from '@tanstack/react-query'
import { toAppError } from './errors'
import { recordFailure } from './failures'

const minute = 60_000

/** Search results: fresh 2 minutes, kept 5, two retries (CONST-09). */
export const resultCache = {
  staleTime: 2 * minute,
  gcTime: 5 * minute,
  retry: retryUpTo(2),
} as const
/** Synonyms of search terms: fresh 5 minutes, kept 10 (CONST-10). */
export const synonymCache = { staleTime: 5 * minute, gcTime: 10 * minute } as const
/** The list of categories: fresh 60 minutes, kept 120 (CONST-11). */
export const categoryCache = { staleTime: 60 * minute, gcTime: 120 * minute } as const
/** Everything else: fresh 30 minutes, collected after 60 (CONST-12). */
export const defaultCache = { staleTime: 30 * minute, gcTime: 60 * minute } as const

/**
 * Retries failures that may be temporary (network, server), but neither the server's decisions nor
 * cases in which waiting is useless: offline, or a server that has already timed out.
 */
function retryUpTo(times: number) {
  return (failures: number, error: Error) => {
    const { code, kind } = toAppError(error)
    const mayPass =
      kind === 'server' || (kind === 'network' && code !== 'offline' && code !== 'timeout')
    return failures < times && mayPass
  }
}

/** 1.2 seconds for both retries, so that an unavailable server is reported within three. */
const retryDelay = (failures: number) => 400 * 2 ** failures

/**
 * After a write, reads in flight are restarted, since their results may be older than the write.
 * The library restarts only those of active queries that have data already, and treats the results
 * of all others as fresh. It also discards a further page that is being read, although somebody
 * has asked for it: here the list is read again after that.
 */
class Client extends QueryClient {
  override invalidateQueries(
    filters?: InvalidateQueryFilters,
    options?: InvalidateOptions,
  ): Promise<void> {
    const growing = new Set<Query>()
    const reading = this.getQueryCache().findAll({ ...filters, fetchStatus: 'fetching' })
    for (const query of reading) {
      if (query.state.fetchMeta?.fetchMore) growing.add(query)
      if (query.state.data !== undefined && query.isActive()) continue
      void query.cancel({ silent: true })
      query.fetch().catch(() => {})
    }
    const predicate = (query: Query) => !growing.has(query) && (filters?.predicate?.(query) ?? true)
    return Promise.all([
      super.invalidateQueries({ ...filters, predicate }, options),
      ...[...growing].map(async (query) => {
        await query.fetch().catch(() => {}) // that of the page
        await super.invalidateQueries({ queryKey: query.queryKey, exact: true }, options)
      }),
    ]).then(() => {})
  }
}

/**
 * The only layer that retries, and only reads: a write is sent once and immediately. Nothing waits
 * for the network to come back: requests fail at once, and only reads are then refetched.
 */
export function createQueryClient(): QueryClient {
  return new Client({
    queryCache: new QueryCache({
      onError: (error) => {
        // biome-ignore lint/suspicious/noConsole: screens show what a failure means, not its details (ERR-45)
        console.error(error)
        recordFailure(error)
      },
    }),
    mutationCache: new MutationCache({ onError: recordFailure }),
    defaultOptions: {
      queries: {
        ...defaultCache,
        refetchOnWindowFocus: false,
        refetchOnReconnect: true,
        networkMode: 'always',
        retry: retryUpTo(2),
        retryDelay,
      },
      mutations: { networkMode: 'always', retry: false },
    },
  })
}
