#!/usr/bin/env node
// Starts the program that the package of this platform contains.
const { spawn } = require('node:child_process')
const { constants } = require('node:os')

const platform = `${process.platform}-${process.arch}`
const { packages } = require('../package.json')
const name = packages[platform]
const suffix = process.platform === 'win32' ? '.exe' : ''

function fail(message) {
  console.error(`plaza: ${message}`)
  process.exit(1)
}

if (!name)
  fail(`there is no package for ${platform}; there are ${Object.keys(packages).join(', ')}`)
let program
try {
  program = require.resolve(`${name}/bin/plaza${suffix}`)
} catch {
  fail(
    `the package ${name} is not installed. Install again without --omit=optional (or --no-optional), on this platform.`,
  )
}

const args = process.argv.slice(2)
if (typeof process.execve === 'function') {
  // Takes this process's place, so that signals and memory are those of one process.
  process.emitWarning = () => {} // execve says that it is experimental
  process.execve(program, [program, ...args], process.env)
}

const child = spawn(program, args, { stdio: 'inherit' })
child.on('error', (error) => fail(error.message))
// A terminal sends its interrupts to both processes, others to this one only.
process.on('SIGINT', () => process.stdin.isTTY || child.kill('SIGINT'))
for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]))
