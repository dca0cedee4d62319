import { type InfiniteData, useMutation, useQueryClient } from '@tanstack/react-query'
import { showToast } from '@/components/ui/toast'
import { toAppError, unwrap } from '@/lib/errors'
import { db } from '@/lib/supabase'
import { messages } from '../messages'
import { favoriteKeys } from './keys'
import type { Favorite } from './queries'

// SQLSTATE unique_violation: another tab was faster, and what was asked for is so.
const alreadyThere = '23505'

async function save(userId: string, businessId: string, isFavorite: boolean): Promise<void> {
  const favorites = db.from('favorites')
  if (!isFavorite) {
    unwrap(await favorites.delete().eq('user_id', userId).eq('business_id', businessId))
    return
  }
  const { error, status } = await favorites.insert({ user_id: userId, business_id: businessId })
  if (error && error.code !== alreadyThere) throw toAppError(error, status)
}

/** Adds a business to the favourites or removes it: shown at once, taken back if it fails (FAV-01, FAV-03). */
export function useSetFavorite(userId: string, business: { id: string; name: string }) {
  const client = useQueryClient()
  const key = favoriteKeys.one(userId, business.id)
  return useMutation({
    mutationFn: (isFavorite: boolean) => save(userId, business.id, isFavorite),
    onMutate: async (isFavorite) => {
      await client.cancelQueries({ queryKey: key })
      client.setQueryData(key, isFavorite)
    },
    onSuccess: (_data, isFavorite) => {
      const { added, addedText, removed, removedText } = messages
      showToast(
        isFavorite
          ? { title: added, text: addedText(business.name), tone: 'success' }
          : { title: removed, text: removedText(business.name) },
      )
    },
    onError: (error, isFavorite) => {
      client.setQueryData(key, !isFavorite)
      const isFull = toAppError(error).code === 'too_many_favorites'
      const refused = isFull ? messages.tooMany : messages.couldNotAdd
      const text = isFavorite ? refused : messages.couldNotRemove
      showToast({ title: messages.error, text, tone: 'danger' })
    },
    onSettled: () => client.invalidateQueries({ queryKey: favoriteKeys.all }),
  })
}

type Pages = InfiniteData<{ items: Favorite[]; next: number | null }, number>

function without(pages: Pages, businessId: string): Pages {
  const others = ({ business }: Favorite) => business.id !== businessId
  return {
    ...pages,
    pages: pages.pages.map((page) => ({ ...page, items: page.items.filter(others) })),
  }
}

/** Takes a business out of the list of favourites: at once, with a way back in the message (FAV-03). */
export function useRemoveFavorite(userId: string) {
  const client = useQueryClient()
  const queryKey = favoriteKeys.list(userId)
  const reload = () => client.invalidateQueries({ queryKey: favoriteKeys.all })
  const undo = useMutation({
    mutationFn: (businessId: string) => save(userId, businessId, true),
    onError: () => showToast({ title: messages.error, text: messages.couldNotAdd, tone: 'danger' }),
    onSettled: reload,
  })
  return useMutation({
    mutationFn: ({ id }: { id: string; name: string }) => save(userId, id, false),
    onMutate: async ({ id }) => {
      await client.cancelQueries({ queryKey })
      const before = client.getQueryData<Pages>(queryKey)
      if (before) client.setQueryData<Pages>(queryKey, without(before, id))
      return { before }
    },
    onSuccess: (_data, { id, name }) =>
      showToast({
        title: messages.removed,
        text: messages.removedText(name),
        action: { label: messages.undo, onSelect: () => undo.mutate(id) },
      }),
    onError: (_error, _business, context) => {
      if (context?.before) client.setQueryData(queryKey, context.before)
      showToast({ title: messages.error, text: messages.couldNotRemove, tone: 'danger' })
    },
    onSettled: reload,
  })
}
