import { describe, expect, it } from 'vitest'
import { checkFile, photoBytes } from './photo-file'

const jpeg = [0xff, 0xd8, 0xff, 0xe0]
const png = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
const webp = [...'RIFF\0\0\0\0WEBP'].map((letter) => letter.charCodeAt(0))

function file(bytes: number[], size = bytes.length, name = 'photo.jpg', type = 'image/jpeg') {
  const content = new Uint8Array(size)
  content.set(bytes)
  return new File([content], name, { type })
}

describe('RULE-19: files that may be uploaded', () => {
  it.each([
    ['a JPEG', jpeg, 'image/jpeg'],
    ['a PNG, named as a JPEG', png, 'image/png'],
    ['a WebP', webp, 'image/webp'],
  ])('%s', async (_, bytes, type) => {
    expect(await checkFile(file(bytes))).toEqual({ type, problem: null })
  })

  it.each([
    ['a text, named as a photo', [...'Hello'].map((letter) => letter.charCodeAt(0))],
    ['a drawing that can run scripts', [...'<svg xmlns='].map((letter) => letter.charCodeAt(0))],
    ['a GIF', [...'GIF89a'].map((letter) => letter.charCodeAt(0))],
    ['nothing', []],
  ])('not %s', async (_, bytes) => {
    expect((await checkFile(file(bytes))).problem).toBe('wrong-type')
  })

  it('C-50: less than 5 MB, not 5 MB exactly', async () => {
    expect((await checkFile(file(jpeg, photoBytes - 1))).problem).toBeNull()
    expect((await checkFile(file(jpeg, photoBytes))).problem).toBe('too-large')
    expect((await checkFile(file(jpeg, photoBytes + 1))).problem).toBe('too-large')
  })
})
