import { Moon, Sun } from 'lucide-react'
import { Button } from '@/components/ui/button'
import { cn } from '@/lib/cn'
import { setTheme, type Theme, useTheme } from '@/lib/theme'
import { useMediaQuery } from '@/lib/use-media-query'
import { messages } from './messages'

/** Switches between light and dark in one press. */
export function ThemeToggle() {
  const theme = useTheme()
  const systemDark = useMediaQuery('(prefers-color-scheme: dark)')
  const isDark = theme === 'dark' || (theme === 'system' && systemDark)
  const Icon = isDark ? Sun : Moon
  return (
    <Button variant="quiet" size="icon" onClick={() => setTheme(isDark ? 'light' : 'dark')}>
      <Icon className="size-5" strokeWidth={1.75} aria-hidden />
      <span className="sr-only">{isDark ? messages.lightTheme : messages.darkTheme}</span>
    </Button>
  )
}

const choices = ['system', 'light', 'dark'] as const satisfies readonly Theme[]

/** All theme choices, including the one that follows the device. */
export function ThemeChoice() {
  const theme = useTheme()
  return (
    <fieldset className="flex gap-1 rounded-control bg-sunken p-1">
      <legend className="sr-only">{messages.theme}</legend>
      {choices.map((value) => (
        <label
          key={value}
          className={cn(
            'relative inline-flex min-h-9 cursor-pointer items-center rounded-chip px-3 text-sm font-semibold max-sm:min-h-11 has-focus-visible:outline-2 has-focus-visible:outline-primary',
            theme === value ? 'bg-surface text-ink' : 'text-muted',
          )}
        >
          <input
            type="radio"
            name="theme"
            className="sr-only"
            checked={theme === value}
            onChange={() => setTheme(value)}
          />
          {messages.themes[value]}
        </label>
      ))}
    </fieldset>
  )
}
