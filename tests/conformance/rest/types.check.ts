// Compiled, never run: checks the types that docs/transaction.ts infers from builders.
import { createClient } from '@supabase/supabase-js'
import { result, transaction } from '../../../docs/transaction.ts'

type Database = {
  public: {
    Tables: {
      orders: { Row: { id: number; title: string }; Insert: { title: string }; Update: { title?: string }; Relationships: [] }
      items: { Row: { id: number; order_id: number }; Insert: { order_id: number }; Update: { order_id?: number }; Relationships: [] }
    }
    Views: Record<string, never>
    Functions: Record<string, never>
  }
}

export async function order() {
  const supabase = createClient<Database>('http://127.0.0.1', 'key')
  const { data, error } = await transaction(supabase.schema('public'), (db) => [
    db.from('orders').insert({ title: 'Nuts' }).select('id').single(),
    db.from('items').insert({ order_id: result('/0/body/id') }).select('order_id'),
  ])
  if (error) return error.request
  const [made, items] = data
  const id: number = made?.id ?? 0
  const first: number | undefined = items?.[0]?.order_id
  // @ts-expect-error: title was not selected
  void made?.title
  return [id, first]
}
