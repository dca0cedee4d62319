import { ChevronDown } from 'lucide-react'
import { Link } from 'react-router'
import { TileMark } from '@/components/tile/tile-mark'
import { Popover } from '@/components/ui/popover'
import { topCategories } from '@/features/directory/model/categories'
import { localName } from '@/lib/local-name'
import { paths } from '@/lib/paths'
import { messages } from './messages'

/** The desktop menu of the 21 categories; each goes to its search (NAV-09, NAV-10). */
export function CategoriesMenu({ className }: { className: string }) {
  return (
    <Popover
      label={messages.categories}
      role="group"
      className="w-[46rem] p-3"
      trigger={(props) => (
        <button {...props} className={className}>
          {messages.categories}
          <ChevronDown className="size-4" strokeWidth={1.75} aria-hidden />
        </button>
      )}
    >
      {(close) => (
        <ul className="grid grid-cols-3 gap-x-1">
          {topCategories.map((category) => (
            <li key={category.code}>
              <Link
                to={paths.search({ category: category.name })}
                className="flex min-h-11 items-center gap-3 rounded-chip px-2 text-sm font-semibold hover:bg-sunken focus-visible:outline-offset-[-2px]"
                onClick={close}
              >
                <TileMark category={category.code} className="size-7 shrink-0 rounded-chip" />
                {localName(category.name)}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Popover>
  )
}
