import { type ComponentProps, createElement } from 'react'

type IconData = { node: readonly (readonly [tag: string, attributes: Record<string, string>])[] }

/**
 * Makes an icon of lucide-react's data, in place of its own maker (vite.config.ts), which is ten
 * times as long for what no screen uses. Who gives an icon a name leaves out `aria-hidden`.
 */
// biome-ignore lint/style/noDefaultExport: the maker that it replaces is one
export default function createIcon({ node }: IconData) {
  // biome-ignore lint/correctness/noComponentHookFactories: it is called once for each icon
  return function Icon({ strokeWidth = 2, ...props }: ComponentProps<'svg'>) {
    return createElement(
      'svg',
      {
        width: 24,
        height: 24,
        viewBox: '0 0 24 24',
        fill: 'none',
        stroke: 'currentColor',
        strokeWidth,
        strokeLinecap: 'round',
        strokeLinejoin: 'round',
        ...props,
      },
      node.map(([tag, attributes]) => createElement(tag, attributes)),
    )
  }
}
