// Compiled, never run: what `gentypes --exact` describes as the data API answers it.
import { createClient } from '@supabase/supabase-js'
import type { CompositeTypes, Database, Tables, TablesInsert } from '../../../server/gentypes/testdata/library_exact.ts'
import { same, type Equal } from './equal.ts'

const supabase = createClient<Database>('http://127.0.0.1', 'key')
type Functions = Database['public']['Functions']

same<Equal<Functions['one_out']['Returns'], { total: number }>>(true)
same<Equal<Functions['set_of_out']['Returns'], { total: number }[]>>(true)
same<Equal<Functions['many_out']['Returns'], { name: string; total: number }>>(true)
same<Equal<Functions['in_and_out'], { Args: { total: number }; Returns: { total: number } }>>(true)
same<Equal<Functions['unnamed_out']['Returns'], { column1: number; column2: string }>>(true)
same<Equal<Functions['out_first']['Args'], { a: number; b?: number }>>(true)
same<Equal<Functions['returns_domain'], { Args: { code: string }; Returns: string }>>(true)
same<Equal<Functions['returns_range']['Returns'], string>>(true)
same<Equal<Functions['returns_hidden_enums']['Returns'], ('open' | 'sealed')[]>>(true)
same<Equal<Functions['unnamed_bytes']['Args'], { '': string }>>(true)
same<Equal<Functions['archived']['SetofOptions']['from'], 'old_books'>>(true)
same<Equal<Functions['out_row']['Returns']['title'], string>>(true)
same<Equal<keyof Functions & 'unnamed_default', never>>(true)
same<Equal<Tables<'books'>['strict_code'], string>>(true)
same<Equal<Tables<'books'>['address'], string | null>>(true)
same<Equal<Tables<'books'>['stamp'], { ink: string | null } | null>>(true)
same<Equal<CompositeTypes<'parcel'>['code'], string | null>>(true)
same<Equal<keyof Tables<'authors'> & ('books_of' | 'author_details'), 'author_details'>>(true)
same<Equal<Tables<'books'>['size_of'], CompositeTypes<'dimensions'> | null>>(true)
export const book: TablesInsert<'books'> = { author_id: 1, title: 'Nuts', strict_code: '1' }

export async function relationships() {
  const computed = await supabase.from('books').select('title, author_of(name)').single()
  if (computed.error) return
  same<Equal<typeof computed.data, { title: string; author_of: { name: string | null } }>>(true)
  const copy = await supabase.from('copies').select('number, reminders!reminders_book_id_copy_number_fkey(id)').single()
  if (copy.error) return
  same<Equal<typeof copy.data.reminders, { id: number } | null>>(true)
}
