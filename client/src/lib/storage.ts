/**
 * The browser's storage, read with suspicion: it can be switched off, full, or
 * hold what an older version wrote. `parse` decides what is still valid.
 */
export function readStored<T>(key: string, parse: (value: unknown) => T | null): T | null {
  try {
    const raw = localStorage.getItem(key)
    return raw === null ? null : parse(JSON.parse(raw))
  } catch {
    return null
  }
}

/** Stores a value as JSON; a failure costs only the memory of it. */
export function writeStored(key: string, value: unknown): void {
  try {
    localStorage.setItem(key, JSON.stringify(value))
  } catch {
    // Switched off or full: the value simply does not survive the page.
  }
}

/** Tells whether something is stored under the key, without reading it. */
export function isStored(key: string): boolean {
  try {
    return localStorage.getItem(key) !== null
  } catch {
    return false
  }
}
