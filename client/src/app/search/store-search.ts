import { queryClient } from '@/app/query-client'
import { searchKeys } from '@/features/search/api/keys'
import { storeRecent } from '@/features/search/api/recent'
import type { RecentSearch } from '@/features/search/model/recent'

/** Stores a search that was made; fields that show recent searches then show it, too. */
export async function storeSearch(search: RecentSearch): Promise<void> {
  const kept = storeRecent(search)
  const show = () => queryClient.invalidateQueries({ queryKey: searchKeys.recent })
  void show()
  await kept
  void show()
}
