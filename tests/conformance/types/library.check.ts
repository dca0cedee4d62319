// Compiled, never run: uses each construct of the types that gentypes writes, as programs do.
import { createClient } from '@supabase/supabase-js'
import { Constants } from '../../../server/gentypes/testdata/library.ts'
import type { CompositeTypes, Database, Enums, Json, Tables, TablesInsert, TablesUpdate } from '../../../server/gentypes/testdata/library.ts'
import { same, type Equal } from './equal.ts'

const supabase = createClient<Database>('http://127.0.0.1', 'key')
type Public = Database['public']
type Archive = Database['archive']
type LoanState = 'requested' | 'lent' | 'returned' | 'lost'

// Helper types.
same<Equal<Tables<'books'>, Public['Tables']['books']['Row']>>(true)
same<Equal<Tables<'book_list'>, Public['Views']['book_list']['Row']>>(true)
same<Equal<Tables<'books' | 'authors'>, Tables<'books'> | Tables<'authors'>>>(true)
same<Equal<Tables<{ schema: 'archive' }, 'old_books'>, Archive['Tables']['old_books']['Row']>>(true)
same<Equal<Tables<{ schema: 'public' }, 'book_stats'>, Public['Views']['book_stats']['Row']>>(true)
same<Equal<TablesInsert<'books'>, Public['Tables']['books']['Insert']>>(true)
same<Equal<TablesInsert<{ schema: 'archive' }, 'old_books'>, Archive['Tables']['old_books']['Insert']>>(true)
same<Equal<TablesUpdate<'loans'>, Public['Tables']['loans']['Update']>>(true)
same<Equal<TablesUpdate<{ schema: 'archive' }, 'old_books'>, Archive['Tables']['old_books']['Update']>>(true)
same<Equal<Enums<'loan_state'>, LoanState>>(true)
same<Equal<Enums<{ schema: 'archive' }, 'loan_state'>, 'kept' | 'shredded'>>(true)
same<Equal<Enums<'shelf-mark'>, 'A' | 'with "quotes"' | "it's">>(true)
same<Equal<CompositeTypes<'dimensions'>, { height: number | null; width: number | null; unit: string | null }>>(true)
same<Equal<CompositeTypes<{ schema: 'public' }, 'parcel'>['size'], CompositeTypes<'dimensions'> | null>>(true)
// @ts-expect-error: no such table
export type NoTable = Tables<'nowhere'>
// @ts-expect-error: no such table of the schema
export type NoTableThere = Tables<{ schema: 'archive' }, 'books'>
// @ts-expect-error: no such schema
export type NoSchema = Tables<{ schema: 'hidden' }, 'notes'>
// @ts-expect-error: a second name needs a schema
export type TwoNames = Tables<'books', 'books'>
// @ts-expect-error: a view has no helper for inserts
export type NoInsert = TablesInsert<'book_list'>
// @ts-expect-error: no such enum
export type NoEnum = Enums<'no_values'>
// @ts-expect-error: no such composite type
export type NoComposite = CompositeTypes<'stamp'>

// Constants.
same<Equal<(typeof Constants.public.Enums.loan_state)[number], LoanState>>(true)
same<Equal<typeof Constants.archive.Enums.loan_state, readonly ['kept', 'shredded']>>(true)
same<Equal<(typeof Constants.public.Enums)['shelf-mark'][number], Enums<'shelf-mark'>>>(true)

// Columns.
type Book = Tables<'books'>
same<Equal<Book['state'], LoanState>>(true)
same<Equal<Book['next_state'], LoanState>>(true)
same<Equal<Book['old_states'], ('kept' | 'shredded')[] | null>>(true)
same<Equal<Book['secrecies'], ('open' | 'sealed')[] | null>>(true)
same<Equal<Book['packed'], CompositeTypes<'parcel'>[] | null>>(true)
same<Equal<Book['tag_list'], string[] | null>>(true)
same<Equal<Book['full_title'], string | null>>(true)
same<Equal<Book['named_title'], string | null>>(true)
same<Equal<Tables<'authors'>['details'], NonNullable<Json>>>(true)
same<Equal<Tables<'authors'>['more'], Json | null>>(true)
same<Equal<Tables<'book_details'>['first_author'], Tables<'authors'> | null>>(true)
same<Equal<Tables<'partner_notes'>['partner'], Tables<'partner_books'> | null>>(true)
same<Equal<Tables<'stats_notes'>['stats'], Tables<'book_stats'> | null>>(true)
same<Equal<Tables<'stats_notes'>['list'], Tables<'book_list'> | null>>(true)
same<Equal<keyof Tables<'nothing'>, never>>(true)

export const book: TablesInsert<'books'> = { author_id: 1, title: 'Nuts', next_state: 'lent', strict_code: '1' }
export const cleared: TablesUpdate<'books'> = { editor_id: null, price: null }
// @ts-expect-error: generated
export const generated: TablesInsert<'books'> = { ...book, title_length: 4 }
// @ts-expect-error: always an identity
export const identity: TablesUpdate<'authors'> = { id: 1 }
// @ts-expect-error: no such label
export const label: TablesUpdate<'loans'> = { state: 'kept' }
// @ts-expect-error: a required column
export const required: TablesInsert<'books'> = { author_id: 1, next_state: 'lent', strict_code: '1' }
// @ts-expect-error: computed by the view
export const shouted: Public['Views']['book_list']['Insert'] = { shouted: 'NUTS' }
export const mail: Public['Views']['inbox']['Insert'] = { subject: 'Nuts' }
export const outbox: Public['Views']['outbox']['Update'] = { subject: null }
// @ts-expect-error: only inserts have a trigger
export type InboxUpdate = Public['Views']['inbox']['Update']
// @ts-expect-error: a materialized view
export type StatsInsert = Public['Views']['book_stats']['Insert']

export async function relationships() {
  const one = await supabase.from('books').select('title, authors!books_author_id_fkey(name), book_details(summary)').single()
  if (one.error) return
  same<Equal<typeof one.data.authors, { name: string }>>(true)
  same<Equal<typeof one.data.book_details, { summary: string | null } | null>>(true)

  const many = await supabase.from('authors').select('name, books!books_author_id_fkey(title)').single()
  if (many.error) return
  same<Equal<typeof many.data.books, { title: string }[]>>(true)

  const view = await supabase.from('book_list').select('title, authors(name)').single()
  if (view.error) return
  same<Equal<typeof view.data.authors, { name: string } | null>>(true)

  const composite = await supabase.from('loans').select('state, copies(number)').single()
  if (composite.error) return
  same<Equal<typeof composite.data.copies, { number: number }>>(true)

  const partitioned = await supabase.from('events').select('note, event_year, authors(name)').single()
  if (partitioned.error) return
  same<Equal<typeof partitioned.data.event_year, number | null>>(true)

  const itself = await supabase.schema('archive').from('old_books').select('id, state, first_state').single()
  if (itself.error) return
  same<Equal<typeof itself.data, { id: number; state: 'kept' | 'shredded'; first_state: LoanState | null }>>(true)

  const computed = await supabase.from('books').select('author_of(name)').single()
  if (computed.error) return
  same<Equal<typeof computed.data.author_of, { name: string | null }>>(true)
}

export async function functions() {
  same<Equal<Public['Functions']['returns_enums']['Returns'], LoanState[]>>(true)
  same<Equal<Public['Functions']['returns_table']['Args'], { limit_to?: number }>>(true)
  same<Equal<Public['Functions']['returns_other_row']['Returns'], Tables<{ schema: 'archive' }, 'old_books'> extends infer Row ? Row : never>>(true)
  same<Equal<Public['Functions']['takes_list']['Args']['list'], Book[]>>(true)
  same<Equal<Public['Functions']['variadic_arguments']['Args']['list'], string[]>>(true)
  same<Equal<Archive['Functions']['shred']['Returns'], 'kept' | 'shredded'>>(true)

  const number = await supabase.rpc('no_arguments')
  same<Equal<typeof number.data, number | null>>(true)
  const rows = await supabase.rpc('returns_table', { limit_to: 3 })
  same<Equal<typeof rows.data, { id: string; state: LoanState; title: string }[] | null>>(true)
  const chosen = await supabase.rpc('returns_row').select('title')
  same<Equal<typeof chosen.data, { title: string } | null>>(true)
  const one = await supabase.rpc('returns_one_row').select('name')
  same<Equal<typeof one.data, { name: string }[] | null>>(true)
  const first = await supabase.rpc('overloaded', { a: 1 })
  same<Equal<typeof first.data, number | null>>(true)
  const second = await supabase.rpc('overloaded', { b: 'b' })
  same<Equal<typeof second.data, string | null>>(true)
  await supabase.rpc('many_arguments', { a: 1, b: 'b', state: 'lent', sizes: [{ height: 1, width: null, unit: 'cm' }] })
  await supabase.rpc('quoted-name', { 'an-argument': 1 })
  await supabase.rpc('returns_nothing')
  await supabase.schema('archive').rpc('shred', { id: 1 })

  // @ts-expect-error: a required argument
  await supabase.rpc('many_arguments', { a: 1 })
  // @ts-expect-error: no such label
  await supabase.rpc('many_arguments', { a: 1, b: 'b', state: 'kept' })
  // @ts-expect-error: the API has no such function
  await supabase.rpc('unnamed_number', {})
  // @ts-expect-error: the API cannot choose, and so there is an error in place of a result
  same<Equal<Extract<Public['Functions']['ambiguous'], { Args: { a: number } }>['Returns'], number>>(true)
  type Ambiguous = Public['Functions']['ambiguous']['Returns']
  same<Equal<Ambiguous['error'], true>>(true)
  same<Equal<Public['Functions']['full_title']['Returns']['error'], true>>(true)
}
