import {
  type ComponentProps,
  type KeyboardEvent,
  type ReactNode,
  useId,
  useRef,
  useState,
} from 'react'
import { cn } from '@/lib/cn'
import { controlClass, useFieldProps } from './field'

export type ComboboxOption = {
  value: string
  label: string
  note?: ReactNode
  /** An action instead of a text for the box. */
  isAction?: boolean
  /** Delete or its remove button removes it from the list. */
  canRemove?: boolean
}

type ComboboxProps = Omit<ComponentProps<'input'>, 'value' | 'onChange' | 'onSelect' | 'list'> & {
  /** The box's text. It may be any text: the list only suggests. */
  value: string
  onChange: (text: string) => void
  onSelect?: (option: ComboboxOption) => void
  onRemove?: (option: ComboboxOption) => void
  options: readonly ComboboxOption[]
  /** Announced as the name of the list. */
  listLabel: string
  /** Shown instead of the list if nothing matches. */
  emptyText?: string
  /** No border and background, if the surrounding element is styled as the box. */
  bare?: boolean
  /** On phones the list is as wide as the nearest positioned ancestor, and below it. */
  wideOnPhones?: boolean
}

/**
 * A text box with a list of suggestions, following the ARIA combobox pattern: focus stays in the
 * box, arrow keys move through the list, Enter selects, Delete removes, Escape closes.
 */
export function Combobox({
  value,
  onChange,
  onSelect,
  onRemove,
  options,
  listLabel,
  emptyText,
  bare = false,
  wideOnPhones = false,
  className,
  ...props
}: ComboboxProps) {
  const listId = useId()
  const [open, setOpen] = useState(false)
  const [active, setActive] = useState(-1)
  const list = useRef<HTMLDivElement>(null)
  const activeOption = open ? options[active] : undefined
  const shown = open && (options.length > 0 || emptyText !== undefined)

  const take = (option: ComboboxOption) => {
    if (!option.isAction) onChange(option.label)
    onSelect?.(option)
    setOpen(false)
    setActive(-1)
  }
  const move = (to: number) => {
    setOpen(true)
    const next = (to + options.length) % Math.max(1, options.length)
    setActive(next)
    list.current?.children[next]?.scrollIntoView({ block: 'nearest' })
  }
  const handleKey = (event: KeyboardEvent<HTMLInputElement>) => {
    props.onKeyDown?.(event)
    if (event.key === 'ArrowDown') move(open ? active + 1 : 0)
    else if (event.key === 'ArrowUp') move(open ? Math.max(active, 0) - 1 : -1)
    else if (event.key === 'Enter' && activeOption) take(activeOption)
    else if (event.key === 'Delete' && activeOption?.canRemove) onRemove?.(activeOption)
    else if (event.key === 'Escape' && open) setOpen(false)
    else return
    event.preventDefault()
  }

  return (
    <div className={cn('min-w-0', wideOnPhones ? 'sm:relative' : 'relative')}>
      <input
        autoComplete="off"
        className={cn(bare ? 'w-full bg-transparent' : cn(controlClass, 'h-11'), className)}
        {...useFieldProps(props)}
        {...props}
        role="combobox"
        aria-expanded={shown}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={activeOption ? `${listId}-${active}` : undefined}
        value={value}
        onChange={(event) => {
          onChange(event.target.value)
          setOpen(true)
          setActive(-1)
        }}
        onFocus={(event) => {
          props.onFocus?.(event)
          setOpen(true)
        }}
        onBlur={(event) => {
          props.onBlur?.(event)
          setOpen(false)
        }}
        onKeyDown={handleKey}
      />
      <div
        ref={list}
        id={listId}
        role="listbox"
        aria-label={listLabel}
        hidden={!shown}
        className="absolute inset-x-0 top-full z-30 mt-2 max-h-72 min-w-56 overflow-y-auto rounded-card border border-line bg-surface p-1.5 text-start shadow-float"
      >
        {/* Hidden options are not rendered: most boxes are never opened. */}
        {(shown ? options : []).map((option, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the box handles the keyboard, according to the pattern
          <div
            key={option.value}
            id={`${listId}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            className={cn(
              'flex min-h-11 cursor-pointer items-center justify-between gap-3 rounded-chip px-3 py-1.5 text-base leading-snug hover:bg-sunken',
              index === active && 'bg-sunken',
              option.isAction && 'font-semibold text-primary',
            )}
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => take(option)}
          >
            {option.label}
            {option.note !== undefined && (
              <span className="ms-auto text-end text-sm text-muted">{option.note}</span>
            )}
            {option.canRemove && <RemoveMark onPress={() => onRemove?.(option)} />}
          </div>
        ))}
        {options.length === 0 && <p className="px-3 py-2.5 text-sm text-muted">{emptyText}</p>}
      </div>
      <span className="sr-only" aria-live="polite">
        {shown && options.length === 0 ? emptyText : ''}
      </span>
    </div>
  )
}

/** For the pointer only; the keyboard has Delete, and an option cannot contain a button. */
function RemoveMark({ onPress }: { onPress: () => void }) {
  return (
    <span
      aria-hidden
      className="-me-3 grid size-11 shrink-0 place-items-center text-xl text-muted hover:text-ink"
      onClick={(event) => {
        event.stopPropagation()
        onPress()
      }}
    >
      ×
    </span>
  )
}
