import {
  type ComponentType,
  type LazyExoticComponent,
  lazy,
  type ReactNode,
  useEffect,
  useState,
} from 'react'

type Failed = ComponentType<{ onRetry: () => void }>

/**
 * Loads the component that reports a failed part. It was preloaded (app/layouts/idle-parts.tsx), or is
 * invisible.
 */
const loadFailed = (): Promise<Failed> =>
  import('./part-failed').then(
    ({ PartFailed }) => PartFailed,
    () =>
      ({ onRetry }) => (
        <p role="alert">
          This part could not be loaded.{' '}
          <button type="button" className="underline" onClick={onRetry}>
            Try Again
          </button>
        </p>
      ),
  )

/**
 * A component whose code is loaded when it is first rendered, under a Suspense. If loading fails,
 * as it does offline and after an update, only this component shows the failure and offers a retry;
 * the surrounding UI and its input are kept. `failed` replaces the failure message.
 */
export function lazyPart<P extends object>(
  load: () => Promise<ComponentType<P>>,
  failed?: ReactNode,
): ComponentType<P> {
  type Lazy = LazyExoticComponent<ComponentType<P>>
  const attempt = (): Lazy =>
    lazy(async () => {
      try {
        return { default: await load() }
      } catch {
        return { default: inPlace(failed === undefined ? await loadFailed() : () => failed) }
      }
    })
  // Each failure is followed by a new attempt for the next render of the part.
  let newest = attempt()
  const inPlace = (PartFailed: Failed) =>
    function InPlace(props: P) {
      const [Again, setAgain] = useState<Lazy | null>(null)
      useEffect(() => {
        newest = attempt()
      }, [])
      return Again ? <Again {...props} /> : <PartFailed onRetry={() => setAgain(() => newest)} />
    }
  // biome-ignore lint/correctness/noComponentHookFactories: called once for each part, like `lazy`
  return function Part(props: P) {
    const [Current] = useState<Lazy>(() => newest)
    return <Current {...props} />
  }
}
