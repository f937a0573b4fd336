// Runs a script of this repository: installs what is missing first, then starts it with a Node that reads TypeScript.
// Plain JavaScript without dependencies, because it has to work before anything is installed and on any Node >= 20.19.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..')
const modules = join(root, 'node_modules')

const packagesOf = (file) => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).packages : {})

/** What the lockfile names and npm's record of the folder lacks; packages for other platforms may be missing. */
const missing = () => {
  const there = packagesOf(join(modules, '.package-lock.json'))
  return Object.entries(packagesOf(join(root, 'package-lock.json'))).filter(
    ([path, { version, optional }]) => path !== '' && !optional && there[path]?.version !== version,
  )
}

const install = (count) => {
  console.log(`Installing ${count} missing packages …`)
  const command = existsSync(modules) ? ['install', '--no-save'] : ['ci']
  const npm = spawnSync('npm', [...command, '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: process.platform === 'win32',
  })
  if (npm.status !== 0) {
    console.error('The dependencies could not be installed; npm said why above.')
    process.exit(1)
  }
}

/** Node 24 of the lockfile where its package exists for this platform, else the Node that runs this, with tsx. */
const node = () => {
  const own = join(modules, '.bin', process.platform === 'win32' ? 'node.cmd' : 'node')
  if (existsSync(own)) return { command: own, flags: [] }
  return { command: process.execPath, flags: process.features.typescript ? [] : ['--import', 'tsx'] }
}

const absent = missing().length
if (absent > 0) install(absent)

const { command, flags } = node()
const child = spawn(command, [...flags, ...process.argv.slice(2)], {
  stdio: 'inherit',
  env: {
    ...process.env,
    PATH: `${join(modules, '.bin')}${process.platform === 'win32' ? ';' : ':'}${process.env.PATH}`,
  },
})
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
child.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)))
