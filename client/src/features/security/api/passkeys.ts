import { queryOptions } from '@tanstack/react-query'
import { toAppError } from '@/lib/errors'
import { loadSupabase } from '@/lib/supabase'
import { type Passkey, toPasskey } from '../model/passkey'
import { securityKeys } from './keys'

async function auth() {
  return (await loadSupabase()).auth
}

/** The user's passkeys; null if the server does not support them. */
export const passkeysQuery = (userId: string) =>
  queryOptions({
    queryKey: securityKeys.passkeys(userId),
    queryFn: async (): Promise<Passkey[] | null> => {
      const { data, error } = await (await auth()).passkey.list()
      if (error?.code === 'passkey_disabled') return null
      if (error) throw toAppError(error)
      return data.map(toPasskey)
    },
    staleTime: 0,
  })

/** Creates a passkey in the browser, and names it. */
export async function addPasskey(name: string): Promise<void> {
  const client = await auth()
  const { data, error } = await client.registerPasskey()
  if (error) throw toAppError(error)
  const named = await client.passkey.update({ passkeyId: data.id, friendlyName: name })
  if (named.error) throw toAppError(named.error)
}

export async function renamePasskey({ id, name }: { id: string; name: string }): Promise<void> {
  const { error } = await (await auth()).passkey.update({ passkeyId: id, friendlyName: name })
  if (error) throw toAppError(error)
}

export async function removePasskey(id: string): Promise<void> {
  const { error } = await (await auth()).passkey.delete({ passkeyId: id })
  if (error) throw toAppError(error)
}
