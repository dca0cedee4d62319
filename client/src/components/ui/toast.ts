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
 * Shows the app's toast. There is one at a time (UI-03): a new one takes the
 * place of the old. It repeats what the screen shows; it is never the only sign.
 */
export function showToast({ tone = 'info', ...input }: ToastInput): void {
  publish({ id: nextId++, tone, ...input })
}

/** Takes the toast away; with an id, only if it is still that one. */
export function dismissToast(id?: number): void {
  if (id === undefined || current?.id === id) publish(null)
}

/** For the one component that draws it. */
export const toastStore = {
  subscribe: (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  current: () => current,
}
