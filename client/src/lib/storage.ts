/**
 * Reads the browser's storage defensively: it can be disabled, full, or contain values of an older
 * version. `parse` decides what is still valid.
 */
export function readStored<T>(key: string, parse: (value: unknown) => T | null): T | null {
  try {
    const raw = localStorage.getItem(key)
    return raw === null ? null : parse(JSON.parse(raw))
  } catch {
    return null
  }
}

/** Stores a value as JSON; on failure the value is only not remembered. */
export function writeStored(key: string, value: unknown): void {
  try {
    localStorage.setItem(key, JSON.stringify(value))
  } catch {
    // Disabled or full: the value is lost when the page is closed.
  }
}

/** Reports whether a value is stored under the key, without reading it. */
export function isStored(key: string): boolean {
  try {
    return localStorage.getItem(key) !== null
  } catch {
    return false
  }
}
