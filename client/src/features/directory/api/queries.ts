import { queryOptions } from '@tanstack/react-query'
import { unwrap } from '@/lib/errors'
import { categoryCache } from '@/lib/query-client'
import { db } from '@/lib/supabase'
import type { Category } from '../model/categories'
import { directoryKeys } from './keys'

/** All active categories, parents and children, by name (API-15). */
export const categoriesQuery = queryOptions({
  queryKey: directoryKeys.categories,
  queryFn: async ({ signal }): Promise<Category[]> => {
    const rows = unwrap(
      await db
        .from('categories-plaza')
        .select('category_name, category_code, parent_category')
        .eq('is_active', true)
        .order('category_name')
        .abortSignal(signal),
    )
    return rows.map((row) => ({
      name: row.category_name,
      code: row.category_code,
      parent: row.parent_category,
    }))
  },
  ...categoryCache,
})

/** The cities and the top categories with the most businesses, at most eight of each. */
export const largestQuery = queryOptions({
  queryKey: directoryKeys.largest,
  queryFn: async ({ signal }) => {
    const [cities, categories] = await Promise.all([
      db
        .from('city_counts')
        .select('slug, name')
        .gt('businesses', 0)
        .order('businesses', { ascending: false })
        .order('name')
        .limit(8)
        .abortSignal(signal),
      db
        .from('category_counts')
        .select('category_code, category_name')
        .eq('city_slug', '')
        .is('parent_category', null)
        .order('businesses', { ascending: false })
        .order('category_name')
        .limit(8)
        .abortSignal(signal),
    ])
    return { cities: unwrap(cities), categories: unwrap(categories) }
  },
  ...categoryCache,
})
