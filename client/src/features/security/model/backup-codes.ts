/** How many codes there are at first (SEC-09). */
export const backupCodeCount = 10

/** Few enough left that new ones should be made. */
export function isLow(remaining: number | null): boolean {
  return remaining === null || remaining <= 3
}

/** The file somebody keeps. */
export function codesFile(codes: readonly string[], account: string, madeAt: Date): string {
  return [
    `Plaza backup codes for ${account}`,
    `Made on ${madeAt.toISOString().slice(0, 10)}. Each code works once.`,
    '',
    ...codes,
    '',
  ].join('\n')
}
