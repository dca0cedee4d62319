/** The look of a line that a result gets later, and its room until then. */
export const lineRoom = 'nums mt-1 min-h-6 w-fit py-0.5 text-sm'

/** The room of so many such lines. */
export function LineRooms({ count }: { count: number }) {
  return Array.from({ length: count }, (_, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
    <p key={index} className={lineRoom} aria-hidden />
  ))
}
