import { useMutation, useQueryClient } from '@tanstack/react-query'
import { showToast } from '@/components/ui/toast'
import { unwrap } from '@/lib/errors'
import { removeRow, saveIfUnchanged } from '@/lib/rows'
import { db } from '@/lib/supabase'
import { messages } from '../messages'
import type { ServiceValues } from '../model/service'
import { serviceKeys } from './keys'
import { type Service, serviceColumns } from './queries'

type Options = {
  businessId: string
  /** Called to refetch everything that shows services. */
  onChanged: () => void
}

function useRefetch({ businessId, onChanged }: Options) {
  const client = useQueryClient()
  return async () => {
    onChanged()
    await client.invalidateQueries({ queryKey: serviceKeys.list(businessId) })
  }
}

/** Adds a service. Errors: too_many_services. */
export function useAddService(options: Options) {
  const refetch = useRefetch(options)
  return useMutation({
    mutationFn: async (values: ServiceValues) =>
      unwrap(
        await db
          .from('services')
          .insert({ ...values, business_id: options.businessId })
          .select('id')
          .single(),
      ),
    onSuccess: (_row, { name }) =>
      showToast({ title: messages.added, text: name, tone: 'success' }),
    onSettled: refetch,
  })
}

const readOne = async (id: string) =>
  unwrap(await db.from('services').select(serviceColumns).eq('id', id).maybeSingle())

/** Saves a service if it is unchanged since it was read. */
export function useSaveService(options: Options) {
  const refetch = useRefetch(options)
  return useMutation({
    mutationFn: ({ before, values }: { before: Service; values: ServiceValues }) =>
      saveIfUnchanged({
        write: async () =>
          unwrap(
            await db
              .from('services')
              .update(values)
              .eq('id', before.id)
              .eq('updated_at', before.updated_at)
              .select('id'),
          ),
        read: () => readOne(before.id),
        isAsBefore: (now) => now.updated_at === before.updated_at,
      }),
    onSuccess: ({ state }, { values }) => {
      if (state === 'saved') {
        showToast({ title: messages.saved, text: values.name, tone: 'success' })
      }
    },
    onSettled: refetch,
  })
}

/** Deletes a service; bookings keep their history (OWNER-21, S-41). */
export function useDeleteService(options: Options) {
  const refetch = useRefetch(options)
  return useMutation({
    mutationFn: ({ id }: Service) =>
      removeRow({
        remove: async () => unwrap(await db.from('services').delete().eq('id', id).select('id')),
        read: () => readOne(id),
      }),
    onSuccess: (_gone, { name }) =>
      showToast({ title: messages.deleted, text: name, tone: 'success' }),
    onSettled: refetch,
  })
}
