/** The style of a line that a result gets later, and of its placeholder. */
export const lineClass = 'nums mt-1 min-h-6 w-fit py-0.5 text-sm'

/** Placeholders for a number of such lines. */
export function LinePlaceholders({ count }: { count: number }) {
  return Array.from({ length: count }, (_, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: placeholders are all alike
    <p key={index} className={lineClass} aria-hidden />
  ))
}
