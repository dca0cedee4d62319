import { useMutation, useQueryClient } from '@tanstack/react-query'
import { showToast } from '@/components/ui/toast'
import { toAppError, unwrap } from '@/lib/errors'
import { db } from '@/lib/supabase'
import { messages } from '../messages'
import { favoriteKeys } from './keys'

// SQLSTATE unique_violation: another tab was faster, and the result is the desired one.
const alreadyThere = '23505'

/** Stores whether a business is a favourite of the user. */
export async function saveFavorite(
  userId: string,
  businessId: string,
  isFavorite: boolean,
): Promise<void> {
  const favorites = db.from('favorites')
  if (!isFavorite) {
    unwrap(await favorites.delete().eq('user_id', userId).eq('business_id', businessId))
    return
  }
  const { error, status } = await favorites.insert({ user_id: userId, business_id: businessId })
  if (error && error.code !== alreadyThere) throw toAppError(error, status)
}

/**
 * Adds a business to the favourites or removes it: shown at once, rolled back on failure (FAV-01,
 * FAV-03).
 */
export function useSetFavorite(userId: string, business: { id: string; name: string }) {
  const client = useQueryClient()
  const key = favoriteKeys.one(userId, business.id)
  return useMutation({
    mutationFn: (isFavorite: boolean) => saveFavorite(userId, business.id, isFavorite),
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
