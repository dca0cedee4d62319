import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Plugin } from 'vite'
import { bounds, zooms } from './map-area.ts'

const id = 'virtual:map-tiles'

const load = async () => (await import('./map-tiles.ts')).mapTiles()

/**
 * Serves the map's tiles during development and adds them to the build, under a hash of all of
 * them.
 */
export function mapPlugin(): Plugin {
  let isBuild = false
  let folder = 'map-tiles'
  let built: Awaited<ReturnType<typeof load>> | undefined
  return {
    name: 'map-tiles',
    configResolved: ({ command }) => {
      isBuild = command === 'build'
    },
    resolveId: (source) => (source === id ? `\0${id}` : null),
    async load(source) {
      if (source !== `\0${id}`) return null
      if (isBuild) {
        built = await load()
        const hash = createHash('sha256')
        for (const tile of built.values()) hash.update(tile)
        folder = `assets/map-${hash.digest('hex').slice(0, 8)}`
      }
      const area = { path: `/${folder}/{z}/{x}/{y}.mvt`, bounds, zooms }
      return `export const mapTiles = ${JSON.stringify(area)}`
    },
    writeBundle({ dir = '' }) {
      for (const [path, tile] of built ?? []) {
        const file = join(dir, folder, `${path}.mvt`)
        mkdirSync(dirname(file), { recursive: true })
        writeFileSync(file, tile)
      }
    },
    configureServer(server) {
      let tiles: ReturnType<typeof load> | undefined
      server.middlewares.use('/map-tiles', async (request, response) => {
        tiles ??= load()
        const tile = (await tiles).get(request.url?.replace(/^\/|\.mvt$/g, '') ?? '')
        response.statusCode = tile ? 200 : 404
        response.end(tile)
      })
    },
  }
}
