/** How every verb that works on a deployment ends where the deployment keeps it from beginning. */
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it, vi } from 'vitest'
import { runCommand } from '../../../adapters/cli/command.ts'
import { lockFolder } from '../../../adapters/service/database/folderLock.ts'
import { freePort } from '../../kit/ports.ts'

const folder = mkdtempSync(join(tmpdir(), 'tandem-deployment-'))
afterAll(() => rmSync(folder, { recursive: true }))

const run = (words: string, its: Readonly<Record<string, string>>) =>
  runCommand(words.split(' '), () => Promise.resolve('{}'), its)

const onDatabase = [
  'webhook list --partner p',
  'kek status',
  'kek rotate --ring service',
  'policy apply p.json --partner p',
  'policy rollback --partner p',
  'partner list',
]

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

it.each([...onDatabase, 'migrate --plan', 'kek create'])('ends %s with 3 where a setting is wrong', async (words) => {
  expect(await run(words, { TANDEM_ENVIRONMENT: 'MARS' })).toMatchObject({
    exitCode: 3,
    error: expect.stringMatching(/^TANDEM_ENVIRONMENT is 'MARS'.*\nFix: Give the command the settings/) as string,
  })
})

it.each(['policy show --partner p', 'policy apply p.json --partner p', 'policy rollback --partner p'])(
  'ends %s with 3 by the settings of a role that has no folder of the co-signers',
  async (words) => {
    expect(await run(words, { DATA_FOLDER: folder, TANDEM_ROLES: 'portal' })).toEqual({
      exitCode: 3,
      out: '',
      error:
        'These settings are of a process that has neither the role api nor cosigner, and so no COSIGNER_FOLDER.\nFix: Give the settings of the whole deployment.',
    })
  },
)

it.each([...onDatabase, 'migrate --plan'])('ends %s with 4 where the database does not answer', async (words) => {
  mkdirSync(join(folder, 'cosigner'), { recursive: true })
  writeFileSync(join(folder, 'cosigner', 'incarnation'), 'one 1\n')
  const down = { DATA_FOLDER: folder, DATABASE_URL: `postgres://127.0.0.1:${await freePort()}/tandem` }
  expect(await run(words, down)).toMatchObject({
    exitCode: 4,
    error: expect.stringMatching(/^The database that DATABASE_URL names cannot be opened: .*\nFix: See that/) as string,
  })
})

it.each(['policy apply p.json --partner p', 'policy rollback --partner p'])(
  'ends %s with 4 beside the process that has the PGlite',
  async (words) => {
    const release = lockFolder(join(folder, 'database'))
    expect(await run(words, { DATA_FOLDER: folder })).toMatchObject({
      exitCode: 4,
      error: expect.stringMatching(/ is in use by process [0-9]+\.\nFix: Stop that process first: PGlite /) as string,
    })
    release()
  },
)

it('ends start with 4 where the database does not answer, and with 3 where what a setting names is not there', async () => {
  const before = new Map(signals.map((signal) => [signal, process.listeners(signal)]))
  const its = { DATA_FOLDER: folder, LOG_LEVEL: 'silent', SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'a@example.com' }

  const down = { ...its, DATABASE_URL: `postgres://127.0.0.1:${await freePort()}/tandem` }
  expect(await run('start --role portal', down)).toMatchObject({
    exitCode: 4,
    error: expect.stringMatching(/^The database that DATABASE_URL names .*\nFix: See that the database runs/) as string,
  })
  expect(await run('start --role portal', { ...its, OPERATOR_LOGO_FILE: join(folder, 'none.svg') })).toMatchObject({
    exitCode: 3,
    error: expect.stringMatching(/^OPERATOR_LOGO_FILE .*\nFix: tandem doctor$/) as string,
  })
  for (const signal of signals)
    for (const listener of process.listeners(signal))
      if (before.get(signal)?.includes(listener) !== true) process.off(signal, listener)
})

it.each<[string, number, object, string]>([
  ['is ready', 0, { status: 'ready', database: true, workers: true }, 'Ready: database, workers.'],
  ['is not', 6, { status: 'not ready', database: false, workers: true }, 'not ready: database\n1 problem found.'],
  ['is another program', 4, { hello: 'world' }, 'Nothing of this version answers at http://127.0.0.1:'],
])('tandem status says that the service %s', async (_, exitCode, ready, said) => {
  const server = createServer((_asked, answer) => answer.end(JSON.stringify(ready))).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const answered = await run('status', { ADMIN_LISTEN: String(port) })
  expect(answered.exitCode).toBe(exitCode)
  expect(answered.out + answered.error).toContain(said)
  server.close()
})

it('tandem status says of a listener that does not answer that it is late', async () => {
  const server = createServer(() => undefined).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const soon = AbortSignal.timeout(50)
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(soon)
  expect(await run('status', { ADMIN_LISTEN: String(port) })).toMatchObject({
    exitCode: 4,
    error: expect.stringMatching(
      /^http:\/\/127\.0\.0\.1:[0-9]+ did not answer within 20 s\.\nFix: See the log/,
    ) as string,
  })
  timeout.mockRestore()
  server.closeAllConnections()
  server.close()
})

it.each<[readonly object[], string, object]>([
  [[], 'No co-signer of this name has started on this database.', { signing: null, published: null, retirable: [] }],
  [
    [
      { id: 'a1', state: 'RETIRED', isRetirable: false },
      { id: 'b2', state: 'REPLACED', isRetirable: true },
      { id: 'c3', state: 'REPLACED', isRetirable: false },
      { id: 'd4', state: 'SIGNING', isRetirable: false },
      { id: 'e5', state: 'PUBLISHED', isRetirable: false },
    ],
    'Key d4 signs the co-signer’s answers; e5 is published and takes over; b2 can be retired.',
    { signing: 'd4', published: 'e5', retirable: ['b2'] },
  ],
])('tandem status says of %j which key signs', async (keys, sentence, cosignerKey) => {
  const server = createServer(({ url }, answer) =>
    answer.end(JSON.stringify(url === '/cosigner-keys' ? keys : { status: 'ready', database: true })),
  ).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const its = { ADMIN_LISTEN: String((server.address() as AddressInfo).port) }
  expect(await run('status', its)).toEqual({ exitCode: 0, out: `Ready: database.\n${sentence}`, error: '' })
  expect(JSON.parse((await run('status --json', its)).out)).toEqual({ ok: true, data: { database: true, cosignerKey } })
  server.close()
})
