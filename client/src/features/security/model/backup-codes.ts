/** The initial number of codes (SEC-09). */
export const backupCodeCount = 10

/** Reports whether few codes are left, so that new ones should be created. */
export function isLow(remaining: number | null): boolean {
  return remaining === null || remaining <= 3
}

/** Returns the content of the file with the codes. */
export function codesFile(codes: readonly string[], account: string, madeAt: Date): string {
  return [
    `Plaza backup codes for ${account}`,
    `Made on ${madeAt.toISOString().slice(0, 10)}. Each code works once.`,
    '',
    ...codes,
    '',
  ].join('\n')
}
