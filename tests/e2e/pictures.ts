import { randomFillSync } from 'node:crypto'
import { crc32, deflateSync } from 'node:zlib'

type Chosen = { name: string; mimeType: string; buffer: Buffer }

function chunk(name: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), content])
  const around = Buffer.alloc(8)
  around.writeUInt32BE(content.length, 0)
  around.writeUInt32BE(crc32(named), 4)
  return Buffer.concat([around.subarray(0, 4), named, around.subarray(4)])
}

const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')

/** The metadata that a camera would write into the pictures below. */
export const place = 'Carrer Major 1, Andorra la Vella'

type PictureOptions = {
  name?: string
  /** Red, green and blue; without it, noise, which does not compress. */
  color?: readonly [number, number, number]
  width?: number
  height?: number
  /** Size of the whole file in bytes; padded after the picture. */
  bytes?: number
}

/** A PNG with the place where it was taken, as a file to upload. */
export function picture(options: PictureOptions = {}): Chosen {
  const { name = 'photo.png', color, width = 400, height = 300, bytes } = options
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2], 8)
  const rows = Buffer.alloc(height * (1 + 3 * width))
  if (color) {
    for (let at = 0; at < rows.length; at++) {
      const inRow = at % (1 + 3 * width)
      rows[at] = inRow === 0 ? 0 : (color[(inRow - 1) % 3] ?? 0)
    }
  } else {
    randomFillSync(rows)
    for (let row = 0; row < height; row++) rows[row * (1 + 3 * width)] = 0
  }
  const start = [
    signature,
    chunk('IHDR', header),
    chunk('tEXt', Buffer.from(`Location\0${place}`, 'latin1')),
    chunk('IDAT', deflateSync(rows)),
  ]
  const end = chunk('IEND', Buffer.alloc(0))
  const size = [...start, end].reduce((sum, part) => sum + part.length, 0)
  const filler = bytes === undefined ? [] : [chunk('fiLl', Buffer.alloc(bytes - size - 12))]
  return { name, mimeType: 'image/png', buffer: Buffer.concat([...start, ...filler, end]) }
}

/** Several pictures in different colours. */
export function pictures(count: number): Chosen[] {
  return Array.from({ length: count }, (_, index) =>
    picture({
      name: `photo-${index + 1}.png`,
      color: [40 + ((index * 67) % 200), 60 + ((index * 31) % 180), 90 + ((index * 97) % 150)],
    }),
  )
}
