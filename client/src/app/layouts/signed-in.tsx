import { Guard } from './guard'

/** Around every page that needs somebody signed in (PERM-04). */
export function Component() {
  return <Guard />
}
