import { queryOptions } from '@tanstack/react-query'
import { callFunction } from '@/lib/call-function'
import { unwrap } from '@/lib/errors'
import { db } from '@/lib/supabase'
import type { Finding, SchemaTable } from '../model/schema'
import { adminKeys } from './keys'

/** The tables and views of the data API. */
export const schemaQuery = queryOptions({
  queryKey: [...adminKeys.tab('schema'), 'tables'] as const,
  queryFn: async ({ signal }) =>
    unwrap(
      await db
        .rpc('admin_schema', undefined, { get: true })
        .abortSignal(signal)
        .overrideTypes<SchemaTable[], { merge: false }>(),
    ),
  staleTime: 0,
})

/** What the doctor finds in the database. */
export const doctorQuery = queryOptions({
  queryKey: [...adminKeys.tab('schema'), 'doctor'] as const,
  queryFn: async () => (await callFunction<{ findings: Finding[] }>('database-doctor')).findings,
  staleTime: 0,
})
