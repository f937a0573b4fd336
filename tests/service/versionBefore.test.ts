/**
 * The version before on the schema of this one, as an operator moves a deployment forward: it serves while `tandem migrate`
 * runs, starts again afterwards, and serves beside this version, either of which may be killed. What earlier versions are
 * is read from the clone's history.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import type { Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text as readText } from 'node:stream/consumers'
import pg from 'pg'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Letter } from '../../adapters/development/Mailbox.ts'
import { startChild, type Child } from '../kit/child.ts'
import { makeEmptyDatabaseUrl } from '../kit/database.ts'
import { isLong } from '../kit/long.ts'
import { portOf } from '../kit/ports.ts'
import { untilSighted } from '../kit/sightings.ts'
import { logIn, shop, signUp, type Device, type Person, type Place } from './people.ts'
import { startAlternating, type Proxy } from './proxy.ts'
import { checkOut, versionsBefore, type Sources } from './versionsBefore.ts'

const wanted = 2
const { versions, why } = versionsBefore(wanted)
if (why !== undefined) it.skip(`${versions.length} of ${wanted} versions before are tried: ${why}`, () => undefined)

const root = join(import.meta.dirname, '..', '..')
const message = 'before and after'

describe.runIf(isLong).each(versions)('the version before $lacks.0', { timeout: 300_000 }, (version) => {
  let folder: string
  let url: string
  let sources: Sources
  let letters: Letters
  let apiKey: string
  let before: Running | undefined
  let now: Running | undefined
  let proxies: readonly Proxy[] = []
  let ada: Person
  let bob: Person

  const variables = () => ({
    DATABASE_URL: url,
    COSIGNER_FOLDER: join(folder, 'cosigner'),
    SERVICE_KEYS_FILE: join(folder, 'made', 'keys', 'service.json'),
    COSIGNER_KEYS_FILE: join(folder, 'made', 'keys', 'cosigner.json'),
    COSIGNER_NAME: 'localhost',
    COSIGNER_THREADS: '1',
    TANDEM_ROLES: 'api,cosigner',
    API_LISTEN: '127.0.0.1:0',
    COSIGNER_LISTEN: '127.0.0.1:0',
    SMTP_URL: letters.url,
    MAIL_FROM: 'no-reply@example.com',
    RATE_R4: '100000/1s',
    RATE_R4_SIGN: '100000/1s',
  })

  const tandem = (of: string, words: readonly string[], more: Readonly<Record<string, string>> = {}) =>
    startChild(join(of, 'adapters/cli/main.ts'), { ...variables(), ...more }, words)

  /** What the command answers by `--json`. */
  const answerOf = async (of: string, ...words: readonly string[]): Promise<unknown> => {
    const answer = await tandem(of, [...words, '--json']).until(/^\{.*\}$/m)
    const { ok, data } = JSON.parse(answer) as { readonly ok: boolean; readonly data: unknown }
    if (!ok) throw new Error(`tandem ${words.join(' ')}: ${answer}`)
    return data
  }

  const start = (of: string, more: Readonly<Record<string, string>> = {}) => running(tandem(of, ['start'], more))

  const inProduction = {
    TANDEM_ENVIRONMENT: 'PROD',
    OPERATOR_NAME: 'Example',
    ...Object.fromEntries(
      ['API', 'COSIGNER', 'PORTAL', 'CONNECT'].map((role) => [`${role}_URL`, `https://${role.toLowerCase()}.example`]),
    ),
  }

  /** How `tandem start` ends in production; `started` when it listens. */
  const startedInProduction = async (of: string): Promise<string> => {
    const child = tandem(of, ['start'], inProduction)
    const isListening = await child.until(/"msg":"listening"/).then(
      () => true,
      () => false,
    )
    await child.stop()
    return isListening ? 'started' : child.said()
  }

  const query = async (text: string): Promise<readonly Readonly<Record<string, unknown>>[]> => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    const { rows } = await client.query<Readonly<Record<string, unknown>>>(text)
    await client.end()
    return rows
  }

  /** Those that serve now, behind what sends each request to another than the one before. */
  const place = (): Place => ({
    partner: { apiKey, secretKey: '', partnerId: '' },
    mailbox: letters.to,
    addresses: {
      api: proxies[0]?.address ?? '',
      cosigner: proxies[1]?.address ?? '',
      connect: 'http://localhost:3008',
    },
  })

  const signAll = async (device: Device): Promise<number> => {
    const wallets = await device.getWallets()
    for (const { id, address } of wallets)
      expect(await device.signMessage({ walletId: id, message })).toMatchObject({ address })
    return wallets.length
  }

  /** All that people do: sign-up with a wallet of each type, signatures, another device, new shares, which that one has. */
  const liveAt = async (): Promise<Person> => {
    const person = await signUp(place(), { types })
    expect(await signAll(person.device)).toBe(3)
    const phone = await logIn(place(), person, { types })
    expect(await signAll(phone)).toBe(3)
    await phone.refreshKeys({ walletId: person.walletIds[0] ?? '' })
    expect(await signAll(phone)).toBe(3)
    return { ...person, device: phone }
  }
  const types = { EVM: true, SOLANA: true, COSMOS: true }

  const ends: (() => unknown)[] = []
  afterAll(async () => {
    for (const end of ends.reverse()) await end()
  })

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tandem-versions-'))
    ends.push(() => rmSync(folder, { recursive: true, force: true }))
    url = await makeEmptyDatabaseUrl()
    letters = await startLetters()
    ends.push(letters.stop)
    sources = checkOut(version)
    ends.push(sources.remove)
    await answerOf(sources.folder, 'init', join(folder, 'made'), '--environment', 'PROD')
    before = await start(sources.folder)
    ends.push(async () => (await before?.child.stop(), await now?.child.stop()))
    const made = await answerOf(sources.folder, 'partner', 'create', '--name', 'Corner Coffee', '--origin', shop)
    apiKey = (made as { readonly keys: readonly { readonly key: string }[] }).keys[0]?.key ?? ''
    const serving = (role: 'api' | 'cosigner') => () =>
      [before, now].flatMap((one) => (one === undefined ? [] : [one.addresses[role]]))
    proxies = [await startAlternating(serving('api')), await startAlternating(serving('cosigner'))]
    ends.push(...proxies.map(({ stop }) => stop))
    ada = await signUp(place(), { types })
    // Packages of an earlier lockfile take a minute.
  }, 300_000)

  it('serves while the schema is migrated, which this version waits for', async () => {
    const refused = await startedInProduction(root)
    const [first = '', ...others] = version.lacks
    const what =
      others.length === 0 ? `migration ${first} has` : `${others.length + 1} migrations, from ${first} on, have`
    expect(refused).toContain(`older than this version: ${what} not run. Run \`tandem migrate\`, then start.`)

    const migrating = answerOf(root, 'migrate')
    let signed = 0
    const isOver = migrating.then(() => true)
    while (!(await Promise.race([isOver, Promise.resolve(false)]))) signed += await signAll(ada.device)
    expect(await migrating).toEqual({ migrations: version.lacks })
    expect(signed).toBeGreaterThan(0)
    expect(await signAll(ada.device)).toBe(3)
  })

  it('starts again on that schema, also in production, and serves alone', async () => {
    await before?.child.stop()
    expect(await startedInProduction(sources.folder)).toBe('started')
    before = await start(sources.folder)

    expect(await signAll(ada.device)).toBe(3)
    await liveAt()
  })

  it('has seen this one before that listens in production', async () => {
    await untilSighted(url, 1)
    const boots = async () => (await query('select boot from boots order by beat_at desc')).map(({ boot }) => boot)
    const known = await boots()
    const child = tandem(root, ['start'], inProduction)
    onTestFinished(async () => {
      await child.stop()
    })
    await child.until(/"msg":"listening"/)
    const [serving] = known
    const [listening] = (await boots()).filter((boot) => !known.includes(boot))
    const sightings = [
      { seer: serving, seen: listening },
      { seer: listening, seen: serving },
    ]
    expect(await query('select seer, seen from boot_sightings')).toEqual(expect.arrayContaining(sightings))
  })

  it('serves beside this one, each request of a person and of a run at another of the two', async () => {
    now = await start(root)
    await untilSighted(url, 2)

    expect(await signAll(ada.device)).toBe(3)
    bob = await liveAt()
  })

  /** Wallets sign all the time, before a process is killed and until the other has signed as often. */
  const underLoad = async (kill: () => Promise<void>) => {
    const failed: unknown[] = []
    let signed = 0
    let isOver = false
    const signing = [ada, bob].map(async ({ device, walletIds }) => {
      for (let turn = 0; !isOver; turn++) {
        const walletId = walletIds[turn % walletIds.length] ?? ''
        await device.signMessage({ walletId, message }).then(
          () => signed++,
          (cause: unknown) => failed.push(cause),
        )
      }
    })
    const until = (count: number) => vi.waitUntil(() => signed >= count || failed.length > 0, { timeout: 60_000 })
    await until(10)
    await kill()
    await until(signed + 10)
    isOver = true
    await Promise.all(signing)
    expect(failed).toEqual([])
  }

  it('goes on where this one is killed', async () => {
    await underLoad(async () => {
      await now?.child.stop('SIGKILL')
      now = undefined
    })
    await liveAt()
  })

  it('is killed, and this one goes on', async () => {
    now = await start(root)
    await untilSighted(url, 2)
    await underLoad(async () => {
      await before?.child.stop('SIGKILL')
      before = undefined
    })
    await liveAt()
  })

  it('and this one answer nothing but what clients may try again', () => {
    const statuses = proxies.flatMap(({ seen }) => seen.map(({ reply }) => reply.status))
    expect(statuses.length).toBeGreaterThan(200)
    expect(statuses.filter((status) => status >= 500 && status !== 503)).toEqual([])
  })

  it('refuses a schema from which something was removed', async () => {
    await query(`insert into kysely_migration (name, timestamp) values ('999 contract sessions', '2027')`)
    expect(await startedInProduction(sources.folder)).toContain(
      'has removed what this one may read: 999 contract sessions. Start that version, or a later one.',
    )
  })
})

type Running = { readonly child: Child; readonly addresses: { readonly api: string; readonly cosigner: string } }

const running = async (child: Child): Promise<Running> => {
  const addresses = await child.until(/"addresses":(\{[^}]*\})/)
  return { child, addresses: JSON.parse(addresses) as Running['addresses'] }
}

type Letters = { readonly url: string; readonly to: Place['mailbox']; readonly stop: () => Promise<void> }

/** A mail server that keeps what it takes. */
const startLetters = async (): Promise<Letters> => {
  const taken: Letter[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData: (stream, { envelope }, done) => {
      void readText(stream).then((text) => {
        const code = /code is ([0-9]{6})/.exec(text)?.[1]
        taken.push(...envelope.rcptTo.map(({ address: to }) => ({ to, subject: null, text, code, sentAt: Date.now() })))
        done()
      })
    },
  })
  const listening = await new Promise<Server>((resolve) => {
    const net = server.listen(0, '127.0.0.1', () => resolve(net))
  })
  const to = (address: string) => taken.filter((letter) => letter.to === address)
  return {
    url: `smtp://127.0.0.1:${portOf(listening)}`,
    to: async (address) => {
      await vi.waitUntil(() => to(address).length > 0, { timeout: 30_000, interval: 20 })
      return to(address)
    },
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
