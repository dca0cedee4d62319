// Writes the golden vectors of the tile selection. They change only with the algorithm or
// tile-data.json; both the client and the server are tested against them.
import { writeFileSync } from 'node:fs'
import { createServer } from 'vite'

const server = await createServer({ server: { middlewareMode: true }, logLevel: 'error' })
const { fnv1a, tileCategories, tileSpec } = await server.ssrLoadModule(
  '/src/components/tile/tile-spec.ts',
)
const ids = [
  '',
  '00000000-0000-4000-8000-000000000001',
  '7f9c2ba4-e88f-427d-9b3a-2c1d5e6f7a8b',
  'cafè-núria-ñ',
]
const vectors = [...tileCategories, 'hair-salons', 'Peluquería'].flatMap((category) =>
  ids.map((id) => {
    const { motif, colors, scale } = tileSpec(category, id)
    return { category, id, hash: fnv1a(`${category}/${id}`), motif, colors, scale }
  }),
)
const file = new URL('../src/components/tile/testdata/tile-vectors.json', import.meta.url)
writeFileSync(file, `[\n${vectors.map((vector) => `  ${JSON.stringify(vector)}`).join(',\n')}\n]\n`)
await server.close()
