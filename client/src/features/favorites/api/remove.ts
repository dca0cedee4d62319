import { type InfiniteData, useMutation, useQueryClient } from '@tanstack/react-query'
import { showToast } from '@/components/ui/toast'
import { changePages } from '@/lib/change-pages'
import { listMessages } from '../list-messages'
import { messages } from '../messages'
import { favoriteKeys } from './keys'
import type { Favorite } from './list-queries'
import { saveFavorite } from './mutations'

type Pages = InfiniteData<{ items: Favorite[]; next: number | null }, number>

function without(pages: Pages, businessId: string): Pages {
  const others = ({ business }: Favorite) => business.id !== businessId
  return {
    ...pages,
    pages: pages.pages.map((page) => ({ ...page, items: page.items.filter(others) })),
  }
}

/** Removes a business from the list of favourites at once, with Undo in the toast (FAV-03). */
export function useRemoveFavorite(userId: string) {
  const client = useQueryClient()
  const queryKey = favoriteKeys.list(userId)
  // A page that is being fetched is not discarded for it.
  const reload = () =>
    client.invalidateQueries({ queryKey: favoriteKeys.all }, { cancelRefetch: false })
  const undo = useMutation({
    mutationFn: (businessId: string) => saveFavorite(userId, businessId, true),
    onError: () => showToast({ title: messages.error, text: messages.couldNotAdd, tone: 'danger' }),
    onSettled: reload,
  })
  return useMutation({
    mutationFn: ({ id }: { id: string; name: string }) => saveFavorite(userId, id, false),
    onMutate: async ({ id }) => ({
      undo: await changePages<Pages>(client, queryKey, (pages) => without(pages, id)),
    }),
    onSuccess: (_data, { id, name }) =>
      showToast({
        title: messages.removed,
        text: messages.removedText(name),
        action: { label: listMessages.undo, onSelect: () => undo.mutate(id) },
      }),
    onError: (_error, _business, context) => {
      context?.undo()
      showToast({ title: messages.error, text: messages.couldNotRemove, tone: 'danger' })
    },
    onSettled: reload,
  })
}
