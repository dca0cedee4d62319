import { env } from '@/lib/env'

/** The host of the map provider, which learns the readers' addresses; null if there is none. */
export const mapHost = env.mapStyle === null ? null : new URL(env.mapStyle).hostname
