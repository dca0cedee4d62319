import { Guard } from './guard'

/** Wraps every page that needs a signed-in user (PERM-04). */
export function Component() {
  return <Guard />
}
