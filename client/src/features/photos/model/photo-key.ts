import { type PhotoType, photoEndings } from '@/lib/photo-file'

type KeyParts = { userId: string; businessId: string; type: PhotoType; now: Date; random: string }

/**
 * Returns where a photo is stored: {userId}/{businessId}/{timestamp}-{random}.{ext} (STORE-02,
 * S-39).
 */
export function photoKey({ userId, businessId, type, now, random }: KeyParts): string {
  return `${userId}/${businessId}/${now.getTime()}-${random}.${photoEndings[type]}`
}
