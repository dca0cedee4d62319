import { type ComponentType, type ReactNode, use, useReducer } from 'react'

type PartFailed = ComponentType<{ onRetry: () => void }>

/** What says that a part failed. It was loaded before (app/layouts/late.tsx), or has no words. */
const loadFailed = (): Promise<PartFailed> =>
  import('./part-failed').then(
    ({ PartFailed }) => PartFailed,
    () => () => <p role="alert">This part could not be loaded. Please reload the page.</p>,
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
  let loading: Promise<ReturnType<typeof draw<P>>> | undefined
  // biome-ignore lint/correctness/noComponentHookFactories: called once for each part, as `lazy` is
  return function Part(props: P) {
    const [, redraw] = useReducer((times: number) => times + 1, 0)
    loading ??= load().then(draw, async () => {
      if (failed !== undefined) return () => failed
      const PartFailed = await loadFailed()
      return (_: P, onRetry: () => void) => <PartFailed onRetry={onRetry} />
    })
    return use(loading)(props, () => {
      loading = undefined
      redraw()
    })
  }
}

const draw =
  <P extends object>(Loaded: ComponentType<P>) =>
  (props: P, _onRetry: () => void): ReactNode => <Loaded {...props} />
