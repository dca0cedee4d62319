// Several supabase-js requests in one transaction of Plaza's data API, with the
// types of the builders. Copy this file into your project; docs/transactions.md
// describes the protocol.
//
//   const { data, error } = await transaction(supabase.schema('public'), (db) => [
//     db.from('orders').insert({ title: 'Nuts' }).select('id').single(),
//     db.from('items').insert({ order_id: result('/0/body/id'), name: 'nut' }),
//   ])
//   if (error) throw error          // nothing was changed; error.request is the index of the failed request
//   const [order] = data

/** The error of a failed transaction; request is the index of the request that failed. */
export type TransactionError = { code: string; message: string; details: string | null; hint: string | null; request?: number }

export type TransactionOptions = {
  /** Default: read committed. */
  isolation?: 'repeatable-read' | 'serializable'
  /** Roll back at the end; the server must allow it (PGRST_DB_TX_END). */
  rollback?: boolean
}

/** The used part of a PostgrestClient, such as supabase.schema('public'). */
type Client = { url: string; headers: HeadersInit; schemaName?: string; fetch?: typeof fetch }
/** A builder. Its type does not mention the data, so that nothing is inferred from here. */
type Query = { then(done: never, failed: never): unknown }
type PartResponse = { status: number; headers: Record<string, string>; body?: unknown }
type Part = { method: string; path: string; headers: Record<string, string>; body?: unknown }
type Results<Q extends readonly Query[]> = { -readonly [K in keyof Q]: Awaited<Q[K]> extends { data: infer D } ? D : never }

/**
 * References a value of an earlier request's response, as a value or in a filter:
 * result('/0/body/id') for a single object, result('/0/body/0/id') for a list.
 */
export function result<T>(pointer: string): T {
  return { toJSON: () => ({ $result: pointer }), toString: () => `{${pointer}}` } as T
}

/** Sends the requests that build returns in one transaction: all succeed, or none. */
export async function transaction<C extends Client, const Q extends readonly Query[]>(
  client: C,
  build: (db: C) => Q,
  options: TransactionOptions = {},
): Promise<{ data: Results<Q>; error: null } | { data: null; error: TransactionError }> {
  const parts: Part[] = []
  const recorded = Promise.withResolvers<void>()
  const respond = Promise.withResolvers<(index: number) => Response>()
  const record: typeof fetch = async (input, init = {}) => {
    const count = parts.push({
      method: init.method ?? 'GET',
      path: String(input).slice(client.url.length),
      headers: Object.fromEntries(new Headers(init.headers)),
      body: typeof init.body === 'string' ? JSON.parse(init.body) : undefined,
    })
    if (count === queries.length) recorded.resolve()
    return (await respond.promise)(count - 1)
  }
  const Recorder = client.constructor as new (url: string, options: object) => C
  const db = new Recorder(client.url, { headers: client.headers, schema: client.schemaName, fetch: record, retry: false })
  const queries = build(db)
  const results = queries.map((query) => Promise.resolve(query as PromiseLike<{ data: unknown }>)) // makes each builder send its request
  if (queries.length > 0) await recorded.promise

  const prefer = [options.isolation && `handling=strict, isolation=${options.isolation}`, options.rollback && 'tx=rollback'].filter(Boolean)
  const headers = new Headers(client.headers)
  headers.set('Content-Type', 'application/vnd.plaza.transaction+json')
  if (prefer.length > 0) headers.set('Prefer', prefer.join(', '))
  const response = await (client.fetch ?? fetch)(`${client.url}/`, { method: 'POST', headers, body: JSON.stringify(parts) })
  const text = await response.text()
  if (!response.ok) {
    respond.resolve(() => new Response(text, { status: response.status }))
    await Promise.all(results)
    return { data: null, error: JSON.parse(text) }
  }
  const responses: PartResponse[] = JSON.parse(text)
  respond.resolve((index) => {
    const { status, headers, body } = responses[index]
    const content = body === undefined ? null : typeof body === 'string' && !headers['content-type']?.includes('json') ? body : JSON.stringify(body)
    return new Response(content, { status, headers })
  })
  const settled = await Promise.all(results)
  return { data: settled.map((each) => each.data) as Results<Q>, error: null }
}
