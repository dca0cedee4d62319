type ClassValue = string | false | null | undefined

/** Joins class names, leaving out what is not set. */
export function cn(...values: ClassValue[]): string {
  return values.filter(Boolean).join(' ')
}

type Table = Record<string, Record<string, string>>
type Choice<T extends Table> = { [K in keyof T]?: keyof T[K] & string }

/**
 * One table for the looks of a component: its base classes and, per axis
 * (variant, size), the classes of each choice. `T` is inferred, so a choice
 * that the table does not hold is a type error.
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
