import type { ReactNode } from 'react'
import { Avatar } from '@/components/ui/avatar'

type WithAvatarProps = { name: string; src: string | null; children: ReactNode }

/** A cell that names a user or a business, with a picture if there is space. */
export function WithAvatar({ name, src, children }: WithAvatarProps) {
  return (
    <span className="flex min-w-0 items-center gap-3 max-sm:justify-end">
      <Avatar name={name} src={src} className="size-9 max-xl:hidden" />
      {children}
    </span>
  )
}
