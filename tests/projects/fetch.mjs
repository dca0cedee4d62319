// Clones the repositories of projects.json that a folder does not have yet: node projects/fetch.mjs FOLDER
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

const [folder] = process.argv.slice(2)
if (!folder) throw new Error('name the folder that the clones go to')
const projects = JSON.parse(await readFile(new URL('projects.json', import.meta.url), 'utf8'))
for (const repository of new Set(projects.map((project) => project.repository))) {
  const clone = join(folder, repository.replace('/', '+'), 'repo')
  if (!existsSync(clone)) {
    execFileSync('git', ['clone', '--bare', '--filter=blob:limit=1m', `https://github.com/${repository}`, clone], { stdio: 'inherit' })
  }
}
