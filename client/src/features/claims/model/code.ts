import { describeError } from '@/lib/error-text'
import { toAppError } from '@/lib/errors'
import { messages } from '../messages'

/** How the code of a claim stands, with what is left of it now. */
export type CodeNow = {
  problem: string | null
  secondsLeft: number | null
  triesLeft: number | null
}

export type CodePhase = 'impossible' | 'unsent' | 'expired' | 'spent' | 'sent'

export function phaseOf({ problem, secondsLeft, triesLeft }: CodeNow): CodePhase {
  if (problem !== null) return 'impossible'
  if (secondsLeft === null || triesLeft === null) return 'unsent'
  if (secondsLeft <= 0) return 'expired'
  return triesLeft <= 0 ? 'spent' : 'sent'
}

function known(words: Record<string, string>, code: string): string | undefined {
  return Object.entries(words).find(([one]) => one === code)?.[1]
}

/** Why there is no code for a claim at all, in words; null where there is one. */
export function noCodeReason(code: string | null): string | null {
  return code === null ? null : (known(messages.noCodeReasons, code) ?? null)
}

/** Why a code was not sent or not taken, in words. */
export function codeRefusal(thrown: unknown): string {
  const error = toAppError(thrown)
  return known(messages.codeProblems, error.code) ?? describeError(error)
}
