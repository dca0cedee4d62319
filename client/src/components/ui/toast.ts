type ToastTone = 'info' | 'success' | 'danger'
type Toast = {
  id: number
  title: string
  text?: string
  tone: ToastTone
  action?: ToastAction
}
type ToastAction = { label: string; onSelect: () => void }
type ToastInput = Omit<Toast, 'id' | 'tone'> & { tone?: ToastTone }

let current: Toast | null = null
let nextId = 1
const listeners = new Set<() => void>()

function publish(value: Toast | null): void {
  current = value
  for (const listener of listeners) listener()
}

/**
 * Shows a toast. There is one at a time (UI-03): a new one replaces the old. It repeats what the
 * screen shows and is never the only indication.
 */
export function showToast({ tone = 'info', ...input }: ToastInput): void {
  publish({ id: nextId++, tone, ...input })
}

/** Removes the toast; with an id, only if it is still that one. */
export function dismissToast(id?: number): void {
  if (id === undefined || current?.id === id) publish(null)
}

/** For the component that renders the toast. */
export const toastStore = {
  subscribe: (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  current: () => current,
}
