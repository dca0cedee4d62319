type ClassValue = string | false | null | undefined

/** Joins class names and omits unset ones. */
export function cn(...values: ClassValue[]): string {
  return values.filter(Boolean).join(' ')
}

type Table = Record<string, Record<string, string>>
type Choice<T extends Table> = { [K in keyof T]?: keyof T[K] & string }

/**
 * A table of a component's variants: its base classes and, for each axis (variant, size), the
 * classes of each choice. `T` is inferred, so a choice that is not in the table is a type error.
 */
export function variants<T extends Table>(base: string, table: T, defaults: Required<Choice<T>>) {
  return (choice: Choice<T> = {}, className?: string): string => {
    const picked = Object.keys(table).map((axis) => {
      const key = choice[axis] ?? defaults[axis]
      return key === undefined ? undefined : table[axis]?.[key]
    })
    return cn(base, ...picked, className)
  }
}
