import { useSyncExternalStore } from 'react'

/**
 * The chosen theme; `system` follows the device. public/before-paint.js applies it before the first
 * paint.
 */
export type Theme = 'system' | 'light' | 'dark'

const key = 'plaza.theme'
const listeners = new Set<() => void>()

function current(): Theme {
  const { theme } = document.documentElement.dataset
  return theme === 'light' || theme === 'dark' ? theme : 'system'
}

/** Applies the theme at once and stores it. */
export function setTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
  try {
    if (theme === 'system') localStorage.removeItem(key)
    else localStorage.setItem(key, theme)
  } catch {
    // The theme then applies to this page only.
  }
  for (const listener of listeners) listener()
}

export function useTheme(): Theme {
  return useSyncExternalStore((listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }, current)
}
