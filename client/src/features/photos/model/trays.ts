import { useSyncExternalStore } from 'react'
import { addPhoto } from '../api/add-photo'
import { uploadPhoto } from '../api/upload'
import { Tray, type TrayItem } from './tray'

const trays = new Map<string, Tray>()

/** Returns the tray of a business, the same one until the page is closed. */
export function trayOf(businessId: string): Tray {
  const known = trays.get(businessId)
  if (known) return known
  const made = new Tray(businessId, {
    upload: uploadPhoto,
    add: addPhoto,
    now: () => new Date(),
    random: () => crypto.randomUUID().slice(0, 13),
  })
  trays.set(businessId, made)
  return made
}

/** Returns the items of a tray as React state. */
export function useTrayItems(tray: Tray): readonly TrayItem[] {
  return useSyncExternalStore(tray.subscribe, tray.items)
}
