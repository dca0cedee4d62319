import { Toaster } from 'sonner'
import { useTheme } from '@/lib/theme'

/** How notifications that arrive while the app is open are shown (UI-04). */
export const notificationToasts = { visible: 3, durationMs: 4000 } as const

/** Shows arriving notifications; call sonner's `toast` to show one. Load it lazily. */
export function NotificationToaster() {
  return (
    <Toaster
      theme={useTheme()}
      position="top-right"
      visibleToasts={notificationToasts.visible}
      duration={notificationToasts.durationMs}
      containerAriaLabel="Notifications"
      toastOptions={{
        style: {
          background: 'var(--surface)',
          color: 'var(--ink)',
          border: '1px solid var(--line)',
          borderRadius: 'var(--radius-card)',
          fontFamily: 'var(--font-text)',
          fontSize: '0.875rem',
        },
        actionButtonStyle: {
          background: 'var(--primary)',
          color: 'var(--on-primary)',
          borderRadius: 'var(--radius-control)',
          height: '2.75rem',
          padding: '0 1rem',
        },
      }}
    />
  )
}
