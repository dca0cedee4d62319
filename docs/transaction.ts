// Several supabase-js requests in one transaction of Plaza's data API, with the
// types of the builders. Copy this file into your project; docs/transactions.md
// tells what happens on the wire.
//
//   const { data, error } = await transaction(supabase.schema('public'), (db) => [
//     db.from('orders').insert({ title: 'Nuts' }).select('id').single(),
//     db.from('items').insert({ order_id: result('/0/body/id'), name: 'nut' }),
//   ])
//   if (error) throw error          // nothing was done; error.request is the one that failed
//   const [order] = data

/** What a request of a transaction failed with; request is its place in the list. */
export type TransactionError = { code: string; message: string; details: string | null; hint: string | null; request?: number }

export type TransactionOptions = {
  /** Default: read committed. */
  isolation?: 'repeatable-read' | 'serializable'
  /** Undo all at the end; the server has to allow it (PGRST_DB_TX_END). */
  rollback?: boolean
}

/** What is used of a PostgrestClient, such as supabase.schema('public'). */
type Client = { url: string; headers: HeadersInit; schemaName?: string; fetch?: typeof fetch }
/** A builder. It says nothing of the data, so that nothing is inferred from here. */
type Query = { then(done: never, failed: never): unknown }
type Answer = { status: number; headers: Record<string, string>; body?: unknown }
type Part = { method: string; path: string; headers: Record<string, string>; body?: unknown }
type Results<Q extends readonly Query[]> = { -readonly [K in keyof Q]: Awaited<Q[K]> extends { data: infer D } ? D : never }

/**
 * A value of an earlier request's answer, in place of a value or in a filter:
 * result('/0/body/id') of one object, result('/0/body/0/id') of a list.
 */
export function result<T>(pointer: string): T {
  return { toJSON: () => ({ $result: pointer }), toString: () => `{${pointer}}` } as T
}

/** Sends the requests that build gives as one: all are done, or none. */
export async function transaction<C extends Client, const Q extends readonly Query[]>(
  client: C,
  build: (db: C) => Q,
  options: TransactionOptions = {},
): Promise<{ data: Results<Q>; error: null } | { data: null; error: TransactionError }> {
  const parts: Part[] = []
  const recorded = Promise.withResolvers<void>()
  const answered = Promise.withResolvers<(place: number) => Response>()
  const record: typeof fetch = async (input, init = {}) => {
    const place = parts.push({
      method: init.method ?? 'GET',
      path: String(input).slice(client.url.length),
      headers: Object.fromEntries(new Headers(init.headers)),
      body: typeof init.body === 'string' ? JSON.parse(init.body) : undefined,
    })
    if (place === queries.length) recorded.resolve()
    return (await answered.promise)(place - 1)
  }
  const Recorder = client.constructor as new (url: string, options: object) => C
  const db = new Recorder(client.url, { headers: client.headers, schema: client.schemaName, fetch: record, retry: false })
  const queries = build(db)
  const results = queries.map((query) => Promise.resolve(query as PromiseLike<{ data: unknown }>)) // has each builder send its request
  if (queries.length > 0) await recorded.promise

  const prefer = [options.isolation && `isolation=${options.isolation}`, options.rollback && 'tx=rollback'].filter(Boolean)
  const headers = new Headers(client.headers)
  headers.set('Content-Type', 'application/vnd.plaza.transaction+json')
  if (prefer.length > 0) headers.set('Prefer', prefer.join(', '))
  const response = await (client.fetch ?? fetch)(`${client.url}/`, { method: 'POST', headers, body: JSON.stringify(parts) })
  const text = await response.text()
  if (!response.ok) {
    answered.resolve(() => new Response(text, { status: response.status }))
    await Promise.all(results)
    return { data: null, error: JSON.parse(text) }
  }
  const answers: Answer[] = JSON.parse(text)
  answered.resolve((place) => {
    const { status, headers, body } = answers[place]
    const content = body === undefined ? null : typeof body === 'string' && !headers['content-type']?.includes('json') ? body : JSON.stringify(body)
    return new Response(content, { status, headers })
  })
  const settled = await Promise.all(results)
  return { data: settled.map((each) => each.data) as Results<Q>, error: null }
}
