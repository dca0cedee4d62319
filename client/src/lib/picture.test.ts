import { describe, expect, it } from 'vitest'
import { env } from './env'
import { pictureSizes } from './picture'

const path = '/storage/v1/object/public/business-photos/u/b/1.jpg'
const small = '/storage/v1/render/image/public/business-photos/u/b/1.jpg?width=320&quality=75'

describe('pictureSizes', () => {
  it('STORE-03: asks for a stored picture in sizes, with its host and without', () => {
    for (const url of [path, `${env.supabaseUrl}${path}`]) {
      expect(pictureSizes(url)?.srcSet).toContain(`${env.supabaseUrl}${small} 320w, `)
    }
  })
  it('leaves pictures of other sites as they are', () => {
    expect(pictureSizes(`https://example.com${path}`)).toBeNull()
    expect(pictureSizes('https://example.com/a.jpg')).toBeNull()
    expect(pictureSizes('not an address')).toBeNull()
  })
})
