import { Component, type ReactNode } from 'react'
import { Alert } from './ui/alert'
import { Button } from './ui/button'

/** A titled alert with a way to try again (UI-06). */
export function ErrorAlert({ title, onRetry }: { title: string; onRetry: () => void }) {
  return (
    <Alert
      tone="danger"
      title={title}
      action={
        <Button variant="outline" size="sm" onClick={onRetry}>
          Try Again
        </Button>
      }
    >
      This part of the page stopped working. The rest of it, and what you saved, is untouched.
    </Alert>
  )
}

type Props = { title?: string; children: ReactNode }

/** Keeps a failure while drawing inside one section of a screen. */
export class ErrorBoundary extends Component<Props, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  override render() {
    if (!this.state.failed) return this.props.children
    return (
      <ErrorAlert
        title={this.props.title ?? 'Something went wrong'}
        onRetry={() => this.setState({ failed: false })}
      />
    )
  }
}
