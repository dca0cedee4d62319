/** A photo of a business as its owner sees it. */
export type Photo = { id: string; url: string; caption: string | null }

/** Maximum length of a caption; same as in the database. */
export const captionMax = 200

/** Returns the list with one entry moved. */
export function moveTo<T>(list: readonly T[], from: number, to: number): T[] {
  const moved = [...list]
  const [entry] = moved.splice(from, 1)
  if (entry === undefined) return moved
  moved.splice(Math.max(0, Math.min(to, moved.length)), 0, entry)
  return moved
}

/** Returns the index to which a key moves a photo of a grid; null for other keys. */
export function placeAfterKey(
  key: string,
  { at, count, columns }: { at: number; count: number; columns: number },
): number | null {
  const to = {
    ArrowLeft: at - 1,
    ArrowRight: at + 1,
    ArrowUp: at - columns,
    ArrowDown: at + columns,
    Home: 0,
    End: count - 1,
  }[key]
  if (to === undefined) return null
  const target = Math.max(0, Math.min(to, count - 1))
  return target === at ? null : target
}

/** Returns how many more photos are allowed; null if there is no limit. */
export function roomFor(used: number, allowed: number | null): number | null {
  return allowed === null ? null : Math.max(0, allowed - used)
}
