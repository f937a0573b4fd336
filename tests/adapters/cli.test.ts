/** `tandem`: what it prints, what it answers as JSON, and how it exits. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, open, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCommand } from '../../adapters/cli/command.ts'
import { verbs } from '../../adapters/cli/verbs.ts'
import { freePort } from '../kit/ports.ts'

const usdc = '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913'
const policy = {
  tandem: 'policy/1',
  default: 'deny',
  rules: [
    {
      id: 'small-usdc',
      effect: 'allow',
      when: { to: { is: usdc }, method: { is: 'transfer(address,uint256)' } },
      limits: [{ asset: `eip155:8453/erc20:${usdc}`, max: '250000000', per: '24h', of: 'user', over: 'review' }],
    },
    { id: 'sanctioned', effect: 'deny', when: { recipient: { inList: 'sanctions' } } },
  ],
  lists: { sanctions: [`0x${'66'.repeat(20)}`] },
}
const pay = (amount: string) => ({
  evm: { chainId: '8453', to: usdc, method: 'transfer(address,uint256)', args: [`0x${'11'.repeat(20)}`, amount] },
})
const hundred = pay('100000000')
const third = {
  name: 'third 100 USDC in a day',
  ...hundred,
  after: [
    { ago: '2h', ...hundred },
    { ago: '3h', ...hundred },
  ],
  expect: 'review',
  rule: 'small-usdc',
}
const casesOf = (...cases: readonly object[]) => ({ tandem: 'policy-cases/1', cases })

const files: Readonly<Record<string, string>> = {
  'policy.json': JSON.stringify(policy),
  'wrong.json': JSON.stringify({ ...policy, rules: [{ ...policy.rules[0], when: { too: { is: usdc } } }] }),
  'unproven.json': JSON.stringify({
    ...policy,
    rules: [{ ...policy.rules[0], review: { by: 'user', stepUp: false } }, ...policy.rules.slice(1)],
  }),
  'unused.json': JSON.stringify({ ...policy, rules: policy.rules.slice(0, 1) }),
  'broken.json': '{',
  'mistyped.env': 'API_URL=https://api.example\nPORTAL_UR=https://portal.example',
  'strange.env': 'GREETING=hello',
  'nameless.env': 'API_URL=https://api.example\npostgres://tandem:hunter2@db/x?sslmode=require',
  'wordless.env': '# one\n\nexport API_URL=https://api.example\nDATABASE_URL postgres://tandem:hunter2@db/x',
  'twice.env': 'SMTP_URL=smtp://a:hunter1@b\nAPI_LISTEN=1\r\nSMTP_URL=smtp://a:hunter2@b',
  'open.env': 'LOG_LEVEL=info\nMAIL_FROM="hunter2\nAUDIT_DAYS=7"',
  'after.env': "OPERATOR_NAME='Shop' hunter2",
  'cut.env': 'OPERATOR_NAME=Shop #1 # hunter2',
  'hash.env': 'SMTP_URL=smtp://a:b#hunter2@c',
  'slash.env': 'DATABASE_URL=postgres://tandem:hunter2/@db.example/tandem',
  'closed.env': 'EACCES',
  'real.env': 'TANDEM_ENVIRONMENT=PROD',
  'secret.env': 'DATABASE_URL_FILE=/run/secrets/database',
  'cases.json': JSON.stringify(casesOf(third, { name: '300 USDC at once', ...pay('300000000'), expect: 'deny' })),
  'passing.json': JSON.stringify(casesOf(third)),
}
const readFile = (path: string) =>
  path in files && files[path] !== 'EACCES'
    ? Promise.resolve(files[path] ?? '')
    : Promise.reject(Object.assign(new Error('none'), { code: files[path] ?? 'ENOENT' }))
const run = (...words: readonly string[]) => runCommand(words, readFile, {})

describe('tandem policy', () => {
  it('checks a policy', async () => {
    expect(await run('policy', 'check', 'policy.json')).toEqual({ exitCode: 0, out: 'No problems found.', error: '' })
    expect(await run('policy', 'check', 'wrong.json')).toEqual({
      exitCode: 6,
      out: 'rules[0].when.too: there is no such field\n1 problem found. These are the first: more is checked once they are mended.',
      error: '',
    })
    expect((await run('policy', 'check', 'unused.json')).out).toBe(
      'lists.sanctions: no rule asks for it\n1 problem found.',
    )
    expect(await run('policy', 'check', 'unproven.json')).toMatchObject({
      exitCode: 0,
      out: "rules[0]: small-usdc says stepUp: false, so a script in the app's page can accept in place of the user\nNo problems found.",
    })
  })

  it('tests a policy by cases', async () => {
    const { exitCode, out } = await run('policy', 'test', 'policy.json', 'cases.json')
    expect(out).toBe(
      [
        'ok   third 100 USDC in a day  review  small-usdc (limit)',
        'FAIL 300 USDC at once         expected deny, got review: small-usdc (limit)',
        '1 of 2 cases passed. No case reaches rule `sanctioned`.',
      ].join('\n'),
    )
    expect(exitCode).toBe(6)
    expect(await run('policy', 'test', 'policy.json', 'passing.json')).toMatchObject({ exitCode: 0 })
    expect(await run('policy', 'test', 'wrong.json', 'cases.json')).toMatchObject({ exitCode: 6 })
    expect(await run('policy', 'test', 'policy.json', 'policy.json')).toMatchObject({
      exitCode: 6,
      out: expect.stringContaining('tandem: has to be "policy-cases/1"'),
    })
  })

  it('answers as JSON', async () => {
    const { exitCode, out } = await run('policy', 'test', 'policy.json', 'cases.json', '--json')
    expect(exitCode).toBe(6)
    expect(JSON.parse(out)).toMatchObject({
      ok: false,
      data: {
        results: [
          { name: 'third 100 USDC in a day', isOk: true, judgement: { effect: 'review', rules: ['small-usdc'] } },
          { name: '300 USDC at once', isOk: false },
        ],
        unreached: ['sanctioned'],
      },
    })
    const checked = await run('policy', 'check', '--json', 'policy.json')
    expect(JSON.parse(checked.out)).toEqual({ ok: true, data: { problems: [], notes: [] } })
  })

  it('fails where a file cannot be read', async () => {
    expect(await run('policy', 'check', 'none.json')).toEqual({
      exitCode: 1,
      out: '',
      error: 'none.json cannot be read.\nFix: Give the path of a JSON file.',
    })
    expect(await run('policy', 'check', 'broken.json')).toEqual({
      exitCode: 1,
      out: '',
      error: 'broken.json is no JSON.\nFix: Give the path of a JSON file.',
    })
    const { exitCode, out } = await run('policy', 'check', 'none.json', '--json')
    expect([exitCode, JSON.parse(out)]).toEqual([
      1,
      {
        ok: false,
        error: { code: 'failed', message: 'none.json cannot be read.', fix: 'Give the path of a JSON file.' },
      },
    ])
  })

  it.each([
    [[], 'There is no command without a name.'],
    [['policy'], 'There is no command policy.'],
    [['policy', 'chek', 'policy.json'], 'There is no command policy chek. Did you mean check?'],
    [['constructor'], 'There is no command constructor.'],
    [['policy', 'check'], 'policy check takes FILE.'],
    [['policy', 'test', 'policy.json'], 'policy test takes FILE CASES.'],
    [['policy', 'check', 'policy.json', 'cases.json'], 'policy check takes FILE.'],
    [['policy', 'check', 'policy.json', '--jsn'], "Unknown option '--jsn'. Did you mean --json?"],
    [['policy', 'check', 'policy.json', '--json=yes'], "Unknown option '--json=yes'"],
  ])('refuses %j', async (words, problem) => {
    const { exitCode, out, error } = await run(...words)
    expect([exitCode, out]).toEqual([2, ''])
    expect(error).toContain(problem)
    // The verbs near it, or the one that it is.
    expect(error).toContain(words[1] === 'test' ? 'tandem policy test FILE CASES' : 'tandem policy check FILE')
  })

  it('says how it is used', async () => {
    const { exitCode, out, error } = await run('--help')
    expect([exitCode, error]).toEqual([0, ''])
    expect(out).toContain('tandem policy test FILE CASES')
    const rotating = await run('partner', 'keys', 'rotate', '--help')
    expect(rotating.out).toContain('tandem partner keys rotate PARTNER KEY')
    expect(rotating.out).toMatch(/--overlap <TIME> .*\n--reason <TEXT> /)
    expect(rotating.out).not.toContain('tandem partner freeze')
    const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')) as {
      version: string
    }
    expect([out.includes('--version'), rotating.out.includes('--version')]).toEqual([true, false])
    expect(await run('--version')).toEqual({ exitCode: 0, out: version, error: '' })
  })
})

/** Arguments with which each verb is called as it should be. */
const wanted: Readonly<Record<string, readonly string[]>> = {
  'partner create': ['--name', 'Shop', '--origin', 'https://shop.example'],
  'partner keys create': ['--kind', 'secret'],
  'policy apply': ['--partner', 'a'],
  'policy show': ['--partner', 'a'],
  'policy rollback': ['--partner', 'a'],
  'webhook create': ['--partner', 'a'],
  'webhook list': ['--partner', 'a'],
  'webhook rotate': ['--partner', 'a'],
  'webhook disable': ['--partner', 'a'],
  'webhook enable': ['--partner', 'a'],
  'webhook test': ['--partner', 'a'],
  'webhook resend': ['--partner', 'a'],
  'users delete': ['--yes'],
  'kek rotate': ['--ring', 'service'],
  'kek retire': ['--ring', 'service', '--yes'],
  'partner keys revoke': ['--yes'],
  backup: ['--recipient', 'age1'],
  'verify backup': ['--identity', 'key.txt'],
  restore: ['--identity', 'key.txt', '--yes'],
  init: ['--environment', 'DEV'],
}

describe.each(verbs.map((verb) => [verb.name, verb] as const))('tandem %s', (name, { takes, changes }) => {
  const words = [...name.split(' '), ...takes.map((_, index) => `given${index}`), ...(wanted[name] ?? [])]
  const asked = async (...more: readonly string[]) => JSON.parse((await run(...words, ...more, '--json')).out) as object

  it('refuses an option that it does not have, and one without its value, with the nearest', async () => {
    const unknown = await run(...words, '--nosuch')
    expect([unknown.exitCode, unknown.out]).toEqual([2, ''])
    expect(unknown.error).toContain("Unknown option '--nosuch'")
    expect(await asked('--nosuch')).toEqual({
      ok: false,
      error: { code: 'usage', message: "Unknown option '--nosuch'.", fix: 'tandem --help' },
    })
    if (changes === true) {
      expect(await run(...words, '--reason')).toMatchObject({
        exitCode: 2,
        error: expect.stringContaining("Option '--reason <TEXT>' argument missing.") as string,
      })
      expect(await run(...words, '--resaon', 'x')).toMatchObject({
        exitCode: 2,
        error: expect.stringContaining('Did you mean --reason?') as string,
      })
    }
  })

  it('refuses an argument too few, and one too many', async () => {
    const expected = `${name} takes ${takes.length === 0 ? 'no arguments' : takes.join(' ')}.`
    const called = async (given: readonly string[]) => {
      const { exitCode, out, error } = await run(...name.split(' '), ...given, ...(wanted[name] ?? []))
      expect(error).toContain(`\n\ntandem ${name}`)
      // Its own help, and no other verb's.
      expect(error.match(/^tandem /gm)).toHaveLength(1)
      return [exitCode, out, error.split('\n')[0]]
    }
    // Called as it should be, a verb would do what it says.
    if (takes.length > 0) expect(await called(takes.slice(1))).toEqual([2, '', expected])
    if (!takes.some((one) => one.endsWith('…'))) expect(await called([...takes, 'more'])).toEqual([2, '', expected])
  })

  it('says which setting of the deployment is wrong', async () => {
    if (!name.startsWith('partner')) return
    const { exitCode, out, error } = await runCommand(words, readFile, { TANDEM_ENVIRONMENT: 'MOON' })
    if (name === 'partner set') {
      expect(error).toContain('partner set takes a setting at least.')
      return
    }
    expect([exitCode, out]).toEqual([3, ''])
    expect(error).toMatch(/^TANDEM_ENVIRONMENT is 'MOON', which is none of .*\.\nFix: /)
  })
})

it.each([
  [['partner', 'keys', 'rotate', 'a', 'b', '--overlap', '31d'], 'at most 30d.'],
  [['partner', 'keys', 'rotate', 'a', 'b', '--overlap', '5'], 'It has to be a time like 30m'],
  [['partner', 'keys', 'create', 'a', '--kind', 'sercet'], 'Allowed choices are publishable, secret.'],
  [['partner', 'keys', 'create', 'a'], "Required option '--kind <KIND>' not specified."],
  [['partner', 'set', 'a', '--strict', 'yes'], 'Allowed choices are on, off.'],
  [
    ['partner', 'set', 'a', '--wallet-type', 'EVM', 'SUI'],
    "--wallet-type is 'SUI', which is none of EVM, SOLANA, COSMOS.",
  ],
  [['partner', 'set', 'a', '--auth-method', 'PIN'], "--auth-method is 'PIN', which is none of PASSWORD, PASSKEY."],
  [['partner', 'kys', 'list', 'a'], 'There is no command partner kys. Did you mean keys?'],
])('refuses %j', async (words, problem) => {
  const { exitCode, out, error } = await run(...words)
  expect([exitCode, out]).toEqual([2, ''])
  expect(error).toContain(problem)
})

it.each([
  ['mistyped.env', 'mistyped.env has PORTAL_UR, and no setting has this name.\nFix: Did you mean PORTAL_URL?'],
  [
    'strange.env',
    'strange.env has GREETING, and no setting has this name.\nFix: Remove it; `tandem config docs` has all settings.',
  ],
  [
    'nameless.env',
    'Line 2 of nameless.env does not begin with the name of a setting.\nFix: Write the line as NAME=value.',
  ],
  ['wordless.env', 'Line 4 of wordless.env does not begin with the name of a setting.\nFix: '],
  ['twice.env', 'Line 3 of twice.env gives SMTP_URL once more.\nFix: Leave one of the two.'],
  ['open.env', 'Line 2 of open.env has a quote that does not end with its value.\nFix: Write the value in one line'],
  ['after.env', 'Line 1 of after.env has a quote that does not end with its value.\nFix: '],
  ['cut.env', 'Line 1 of cut.env has a # without quotes, where the value would end.\nFix: Write the value in quotes; '],
  ['hash.env', 'Line 1 of hash.env has a # without quotes, where the value would end.\nFix: '],
  [
    'slash.env',
    'DATABASE_URL is not an address as it stands: in its user and password / is written %2F, ? is %3F and # is %23.',
  ],
  ['none.env', 'none.env cannot be read.\nFix: Give the path of a file of settings'],
  ['closed.env', 'closed.env cannot be read (EACCES).\nFix: Run the command as the user of the service'],
  [
    'secret.env',
    "DATABASE_URL_FILE is '/run/secrets/database', which cannot be read.\nFix: Set it in secret.env; `tandem config docs` says what it may be.",
  ],
  [
    'real.env',
    'are missing, and PROD has no defaults for them.\nFix: Set them in real.env; `tandem config docs` says what each may be.',
  ],
])('says what is wrong with the file of settings %s', async (file, problem) => {
  const { exitCode, out, error } = await run('config', 'print', '--config', file)
  expect([exitCode, out]).toEqual([3, ''])
  expect(error).toContain(problem)
  expect(error).not.toContain('hunter2')
})

it('says where a wrong setting is mended: a role is in no file, and the environment comes before one', async () => {
  const words = ['start', '--role', 'apo', '--config', 'real.env']
  expect((await run(...words)).error).toMatch(
    /^--role is 'apo', which is none of .*\nFix: Give roles that the sentence names\.$/,
  )
  const { error, out } = await runCommand(['config', 'print', '--config', 'real.env'], readFile, { API_LISTEN: 'x' })
  const fix = 'Set it in the environment, which comes before real.env; `tandem config docs` says what it may be.'
  expect([error, out]).toEqual([`API_LISTEN is 'x', which is not host:port.\nFix: ${fix}`, ''])
})

it('says in one sentence what a call of the system refused, and where a mistake of ours is', async () => {
  const words = ['init', '/dev/null/deployment', '--environment', 'DEV']
  const message = "The command failed: ENOTDIR: not a directory, mkdir '/dev/null/deployment/keys'."
  expect(await run(...words)).toEqual({
    exitCode: 1,
    out: '',
    error: expect.stringContaining(`${message}\nFix: See what the sentence names`) as string,
  })
  const asJson = await run(...words, '--json')
  expect([asJson.exitCode, asJson.error]).toEqual([1, ''])
  expect(JSON.parse(asJson.out)).toMatchObject({ ok: false, error: { code: 'failed', message } })

  const broken = {
    get API_LISTEN(): string {
      throw new TypeError('broken')
    },
  }
  const ours = await runCommand(['config', 'print', '--json'], readFile, broken)
  expect(JSON.parse(ours.out)).toMatchObject({ error: { code: 'failed', message: 'The command failed: broken.' } })
  expect([ours.exitCode, ours.error]).toEqual([1, expect.stringMatching(/^TypeError: broken\n +at .*cli\.test\.ts/)])
})

describe.each(verbs.filter(({ asks }) => asks !== undefined).map((verb) => [verb.name, verb] as const))(
  'tandem %s, which cannot be taken back',
  (name, { takes, asks }) => {
    const given = takes.map((_, index) => `given${index}`)
    const words = [...name.split(' '), ...given, ...(wanted[name] ?? []).filter((word) => word !== '--yes')]
    const question = asks?.(given) ?? ''
    const moon = { TANDEM_ENVIRONMENT: 'MOON' }

    it('is refused without a terminal, unless --yes says so', async () => {
      const message = `This cannot be taken back: ${question}`
      expect(await runCommand(words, readFile, moon)).toEqual({
        exitCode: 5,
        out: '',
        error: `${message}\nFix: Add --yes to do it.`,
      })
      const asJson = await runCommand([...words, '--json'], readFile, moon, () => Promise.resolve(true))
      expect(JSON.parse(asJson.out)).toEqual({
        ok: false,
        error: { code: 'refused', message, fix: 'Add --yes to do it.' },
      })
      expect(await runCommand([...words, '--yes'], readFile, moon)).toMatchObject({ exitCode: 3 })
    })

    it('is done at a terminal after a yes alone', async () => {
      const asked: string[] = []
      const answering = (answer: boolean) => (text: string) => {
        asked.push(text)
        return Promise.resolve(answer)
      }
      expect(await runCommand(words, readFile, moon, answering(false))).toMatchObject({
        exitCode: 5,
        error: expect.stringContaining('Nothing was done.') as string,
      })
      expect(await runCommand(words, readFile, moon, answering(true))).toMatchObject({ exitCode: 3 })
      expect(asked).toEqual([question, question])
    })
  },
)

describe('the process', () => {
  let folder = ''
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tandem-cli-'))
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  })
  afterAll(() => rm(folder, { recursive: true }))

  const main = join(import.meta.dirname, '../../adapters/cli/main.ts')
  const start = (...words: readonly string[]) => spawn(process.execPath, [main, ...words], { cwd: folder })

  it('exits with the code, and writes data and problems apart', async () => {
    const child = start('policy', 'test', 'policy.json', 'cases.json')
    const written: string[] = []
    child.stdout.on('data', (chunk: Buffer) => written.push(chunk.toString()))
    const [code] = (await once(child, 'close')) as [number]
    expect(code).toBe(6)
    expect(written.join('')).toContain('1 of 2 cases passed.')
  })

  it('exits with 130 where it is interrupted', async () => {
    const silent = createServer().listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const { port } = silent.address() as AddressInfo
    const child = spawn(process.execPath, [main, 'partner', 'list'], {
      cwd: folder,
      env: { ...process.env, DATABASE_URL: `postgres://127.0.0.1:${port}/tandem?connect_timeout=60` },
    })
    const [socket] = (await once(silent, 'connection')) as [Socket]
    child.kill('SIGINT')
    expect(await once(child, 'close')).toEqual([130, null])
    socket.destroy()
    silent.close()
  })

  it.each([
    ['start', [3, null], /^TANDEM_ENVIRONMENT is 'MOON'/],
    ['partner list', [null, 'SIGHUP'], /^$/],
  ])(
    'keeps a hang-up that comes before a service listens to it, and ends by it in another verb: %s',
    async (words, ended, said) => {
      const pipe = join(folder, words)
      execFileSync('mkfifo', [pipe])
      const child = start(...words.split(' '), '--config', pipe)
      const problems: string[] = []
      child.stderr.on('data', (chunk: Buffer) => problems.push(chunk.toString()))
      const closed = once(child, 'close')
      // Opens once the process reads its settings.
      const settings = await open(pipe, 'w')
      child.kill('SIGHUP')
      if (words !== 'start') await closed
      await settings.writeFile('TANDEM_ENVIRONMENT=MOON').catch(() => undefined)
      await settings.close()
      expect(await closed).toEqual(ended)
      expect(problems.join('')).toMatch(said)
    },
  )

  it('is a link to tandem.mjs, which takes files from the folder that it is called in', async () => {
    const bin = join(folder, 'tandem')
    await symlink(join(import.meta.dirname, '../../adapters/development/tandem.mjs'), bin)
    const child = spawn(process.execPath, [bin, 'policy', 'check', 'wrong.json'], { cwd: folder })
    const written: string[] = []
    child.stdout.on('data', (chunk: Buffer) => written.push(chunk.toString()))
    expect(await once(child, 'close')).toEqual([6, null])
    expect(written.join('')).toContain('1 problem found.')
  })

  it('ends quietly where its output is not read', async () => {
    const child = start('policy', 'check', 'policy.json')
    child.stdout.destroy()
    const problems: string[] = []
    child.stderr.on('data', (chunk: Buffer) => problems.push(chunk.toString()))
    const [code] = (await once(child, 'close')) as [number]
    expect([code, problems.join('')]).toEqual([0, ''])
  })

  it.each([
    ['doctor', /D12 The database that DATABASE_URL names cannot be asked/],
    ['start --role api', /^The database that DATABASE_URL names cannot be opened/],
  ])('reads the file of a secret once, which may be a pipe: %s', async (words, said) => {
    const url = `postgres://127.0.0.1:${await freePort()}/tandem`
    const piped = spawn('sh', ['-c', `printf ${url} | "$0" "$@"`, process.execPath, main, ...words.split(' ')], {
      cwd: folder,
      env: {
        ...process.env,
        DATABASE_URL_FILE: '/dev/stdin',
        SMTP_URL: 'smtp://127.0.0.1:1',
        MAIL_FROM: 'no-reply@example.com',
        LOG_LEVEL: 'silent',
      },
    })
    const written: string[] = []
    for (const stream of [piped.stdout, piped.stderr])
      stream.on('data', (chunk: Buffer) => written.push(chunk.toString()))
    await once(piped, 'close')
    expect(written.join('')).toMatch(said)
  })
})
