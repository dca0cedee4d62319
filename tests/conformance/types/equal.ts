// Equal is true if two types are the same, and not only assignable to each other.
export type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false

// same compiles only if its type argument is true.
export function same<Is extends true>(is: Is): Is {
  return is
}
