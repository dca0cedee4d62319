import {
  type ComponentType,
  type LazyExoticComponent,
  lazy,
  type ReactNode,
  useEffect,
  useState,
} from 'react'

type Failed = ComponentType<{ onRetry: () => void }>

/** What says that a part failed. It was loaded before (app/layouts/late.tsx), or has no looks. */
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
 * A component whose code is loaded when it is first drawn, under a Suspense. When that fails, as it
 * does offline and after an update, this alone says so and can be tried again: what stands around
 * it, and was typed there, stays. `failed` is what stands in its place then.
 */
export function part<P extends object>(
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
  // Each failure ends with a new one, for whoever draws the part next.
  let newest = attempt()
  const inPlace = (PartFailed: Failed) =>
    function InPlace(props: P) {
      const [Again, setAgain] = useState<Lazy | null>(null)
      useEffect(() => {
        newest = attempt()
      }, [])
      return Again ? <Again {...props} /> : <PartFailed onRetry={() => setAgain(() => newest)} />
    }
  // biome-ignore lint/correctness/noComponentHookFactories: called once for each part, as `lazy` is
  return function Part(props: P) {
    const [Current] = useState<Lazy>(() => newest)
    return <Current {...props} />
  }
}
