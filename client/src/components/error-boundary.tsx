import { Component, type ReactNode, Suspense } from 'react'
import { lazyPart } from './lazy-part'

// Rendered when something fails, and loaded before that (app/layouts/idle-parts.tsx).
export const ErrorAlert = lazyPart(async () => (await import('./error-alert')).ErrorAlert)

type Props = { title?: string; children: ReactNode }

/** Limits a rendering error to one section of a screen. */
export class ErrorBoundary extends Component<Props, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  override render() {
    if (!this.state.failed) return this.props.children
    return (
      <Suspense>
        <ErrorAlert
          title={this.props.title ?? 'Something went wrong'}
          onRetry={() => this.setState({ failed: false })}
        />
      </Suspense>
    )
  }
}
