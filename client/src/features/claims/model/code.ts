import { describeError } from '@/lib/error-text'
import { toAppError } from '@/lib/errors'
import { messages } from '../messages'

/** The state of a claim's code, with the remaining times and attempts. */
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

/** Returns why a claim has no code at all; null if it has one. */
export function noCodeReason(code: string | null): string | null {
  return code === null ? null : (known(messages.noCodeReasons, code) ?? null)
}

/** Returns why a code was not sent or not accepted. */
export function codeRefusal(thrown: unknown): string {
  const error = toAppError(thrown)
  return known(messages.codeProblems, error.code) ?? describeError(error)
}
