import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { showToast } from '@/components/ui/toast'
import { AppError, toAppError, unwrap } from '@/lib/errors'
import { db } from '@/lib/supabase'
import { messages } from '../messages'
import type { Photo } from '../model/photo'
import { setCover } from './add-photo'
import { photoKeys } from './keys'
import { showFailure } from './show-failure'

function put(client: QueryClient, businessId: string, photos: readonly Photo[]): void {
  client.setQueryData(photoKeys.list(businessId), [...photos])
}

type Options = {
  businessId: string
  /** Called to refetch everything that shows the cover. */
  onChanged: () => void
}

/** Reorders the photos: shown at once, rolled back on failure (OWNER-23). */
export function useReorder({ businessId, onChanged }: Options) {
  const client = useQueryClient()
  const key = photoKeys.list(businessId)
  return useMutation({
    // Sent one after another, so that the last order wins.
    scope: { id: `photo-order-${businessId}` },
    mutationKey: key,
    mutationFn: async (photos: readonly Photo[]) => {
      unwrap(
        await db.rpc('reorder_business_photos', {
          p_business_id: businessId,
          p_photo_ids: photos.map(({ id }) => id),
        }),
      )
    },
    onMutate: async (photos) => {
      const before = client.getQueryData<Photo[]>(key) ?? []
      put(client, businessId, photos)
      await client.cancelQueries({ queryKey: key })
      put(client, businessId, photos)
      return { before, wanted: photos }
    },
    onSuccess: () => showToast({ title: messages.ordered, tone: 'success' }),
    onError: (error, _photos, context) => {
      if (context) put(client, businessId, context.before)
      showFailure(messages.orderFailed, error)
    },
    onSettled: () => {
      // Do not refetch while another order is being saved.
      if (client.isMutating({ mutationKey: key }) > 1) return
      void client.invalidateQueries({ queryKey: key })
      onChanged()
    },
  })
}

/** Sets the cover, or removes it with null (OWNER-24). */
export function useSetCover({ businessId, onChanged }: Options) {
  return useMutation({
    mutationFn: (photo: Photo | null) => setCover(businessId, photo?.url ?? ''),
    onSuccess: (_data, photo) =>
      showToast(
        photo
          ? { title: messages.coverSet, tone: 'success' }
          : { title: messages.coverReset, text: messages.coverResetText, tone: 'success' },
      ),
    onError: (error) => showFailure(messages.coverFailed, error),
    onSettled: onChanged,
  })
}

/** Deletes a photo; its bytes are deleted with its row (OWNER-26, STORE-04). */
export function useDeletePhoto({ businessId, onChanged }: Options) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (photo: Photo) => {
      const gone = unwrap(await db.from('business_photos').delete().eq('id', photo.id).select('id'))
      const isRefused = gone.length === 0 && (await photoExists(photo))
      if (isRefused) throw new AppError('42501', 'not the owner', { status: 403 })
    },
    onSuccess: (_data, photo) => {
      const left = client.getQueryData<Photo[]>(photoKeys.list(businessId)) ?? []
      put(
        client,
        businessId,
        left.filter(({ id }) => id !== photo.id),
      )
      showToast({ title: messages.deleted, tone: 'success' })
    },
    onError: (error) => showFailure(messages.deleteFailed, error),
    onSettled: () => {
      void client.invalidateQueries({ queryKey: photoKeys.list(businessId) })
      onChanged()
    },
  })
}

async function photoExists(photo: Photo): Promise<boolean> {
  const rows = unwrap(await db.from('business_photos').select('id').eq('id', photo.id))
  return rows.length > 0
}

/** Saves a caption (OWNER-22). */
export function useSaveCaption({ businessId, onChanged }: Options) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ photo, caption }: { photo: Photo; caption: string }) => {
      const saved = unwrap(
        await db
          .from('business_photos')
          .update({ caption: caption.trim() === '' ? null : caption })
          .eq('id', photo.id)
          .select('id'),
      )
      if (saved.length === 0) throw toAppError({ code: 'PGRST116', message: 'no such photo' })
    },
    onSuccess: () => showToast({ title: messages.captionSaved, tone: 'success' }),
    onSettled: () => {
      void client.invalidateQueries({ queryKey: photoKeys.list(businessId) })
      onChanged()
    },
  })
}
