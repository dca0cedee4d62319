import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { callFunction } from '@/lib/call-function'
import { unwrap } from '@/lib/errors'
import { db } from '@/lib/supabase'
import { claimKeys } from './keys'

const codeState = z.object({
  sent_to: z.nullable(z.string()),
  problem: z.nullable(z.string()),
  seconds_left: z.nullable(z.number()),
  tries_left: z.nullable(z.number()),
  resend_in: z.nullable(z.number()),
})
export type CodeState = z.infer<typeof codeState>

/** The state of the code for the user's open claim; null once the claim is decided. */
export const codeQuery = (claimId: string) =>
  queryOptions({
    queryKey: claimKeys.code(claimId),
    queryFn: async ({ signal }) => {
      const [state] = unwrap(
        await db.rpc('claim_code_state', { p_claim_id: claimId }).abortSignal(signal),
      )
      return state === undefined ? null : codeState.parse(state)
    },
    staleTime: 0,
  })

const codeFunction = 'claim-code'

/** Sends a code to the business. Errors: see functions/claims. */
export function useSendCode(claimId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => callFunction(codeFunction, { claim: claimId }),
    onSettled: () => client.invalidateQueries({ queryKey: claimKeys.code(claimId) }),
  })
}

/** Verifies the code that was sent to the business. Errors: see functions/claims. */
export function useCheckCode(claimId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (code: string) => callFunction(codeFunction, { claim: claimId, code }),
    onSettled: () => client.invalidateQueries({ queryKey: claimKeys.all }),
  })
}
