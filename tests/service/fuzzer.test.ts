/**
 * Inputs of every operation that fit the contract or nearly do, from callers whom it lets in and whose device signs: each
 * answer is one of the contract's, none is an internal error, and none keeps its caller waiting.
 *
 *     TANDEM_FUZZ=100000 npm run test:long -- tests/service/fuzzer.test.ts
 *
 * sends that many, and the long run without it as many as fit into five minutes; a failure prints the shortest input, with
 * what repeats it (tests/README.md#one-of-them).
 */
import { Agent, request as httpRequest } from 'node:http'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { notBuilt } from '../../adapters/service/http/notBuilt.ts'
import * as Frame from '../../domain/mpc/Frame.ts'
import * as Header from '../../domain/model/Header.ts'
import { errors } from '../../generated/errors.ts'
import { faultsOf, operationIds } from '../contract/Contract.ts'
import { bodyBytesOf, hostileInputs, inputs, type Change, type Input, type Known } from '../contract/inputs.ts'
import { isLong } from '../kit/long.ts'
import { connect } from '../kit/recoverer.ts'
import { startService, type TestService } from '../kit/service.ts'
import { makePortalSession, makeRecovery, makeSession } from './credentials.ts'
import { portal, shop, signUp } from './people.ts'
import { operationOf, requestOf, takes } from './requests.ts'
import { objectsOf, rememberRows } from './rows.ts'
import { deviceHeader, heldBy, type Client, type Held } from './wire.ts'

const asked = process.env['TANDEM_FUZZ']
const fiveMinutes = 5 * 60_000
const runs =
  asked === undefined && isLong
    ? { numRuns: 1_000_000, plugins: [fc.interruptAfterTimeLimit(fiveMinutes)] }
    : { numRuns: Number(asked ?? 750) }

let service: TestService
let held: Held
let known: Known
let callers: readonly (readonly ['S' | 'P' | 'R' | 'SK' | 'K', Omit<Client, 'base'>])[]
let putRowsBack: () => Promise<void>
let genuineBody: Uint8Array
const agent = new Agent({ keepAlive: true, maxSockets: 1 })

beforeAll(async () => {
  service = await startService()
  const { apiKey, secretKey, partnerId } = service.partner
  const ada = await signUp(service, { types: { SOLANA: true } })
  const { userId } = ada
  held = await heldBy(service, ada.device)
  const session = await makeSession(service, { partnerId, userId })
  const page = await makePortalSession(service, { session, partnerId, userId })
  const recovering = await makeSession(service, { partnerId, userId, state: 'VERIFIED', origin: connect })
  await makeRecovery(service, { session: recovering, userId, walletIds: ada.walletIds })
  known = {
    ...(await objectsOf(service, userId)),
    userId,
    email: ada.email,
    sessionId: held.sessionId,
    sessionLookupId: held.lookupId,
    openingId: page.id,
    partnerId,
  }
  callers = [
    ['S', held.client],
    ['P', { apiKey, token: page.token, origin: portal }],
    ['R', { apiKey, token: recovering.token, device: recovering.device, origin: connect }],
    ['SK', { apiKey: secretKey }],
    ['K', { apiKey, origin: shop }],
    ['K', { apiKey, origin: portal }],
    ['K', { apiKey, origin: connect }],
  ]
  await held.protocol.sign(
    held.keyOf(ada.walletIds[0] ?? ''),
    { kind: 'solanaMessage', message: '00' },
    {
      meddle: (bytes, { step, body }) => {
        if (step === 1) genuineBody = body
        return bytes
      },
    },
  )
  putRowsBack = await rememberRows(service)
})

afterAll(async () => {
  agent.destroy()
  // Each answer was looked at when it came.
  service.faults.splice(0)
  await service.stop()
})

/** A frame of the device's own, of any operation, step, wallet and body; then bytes of it are changed. */
type FrameInput = {
  readonly frame: Pick<Frame.Frame, 'operation' | 'scheme' | 'step' | 'protocolId' | 'epoch' | 'body'>
  readonly isOwnWallet: boolean
  readonly flips: readonly (readonly [place: number, byte: number])[]
}

const frames = (): fc.Arbitrary<FrameInput> =>
  fc.record({
    frame: fc.record({
      operation: fc.constantFrom(...Frame.operations),
      scheme: fc.constantFrom('DKLS', 'ED25519'),
      step: fc.nat({ max: 6 }),
      protocolId: fc.uuid(),
      epoch: fc.nat({ max: 3 }),
      body: fc.oneof(fc.uint8Array({ maxLength: 300 }), fc.constant(genuineBody)),
    }),
    isOwnWallet: fc.boolean(),
    flips: fc.oneof(
      fc.constant([]),
      fc.array(fc.tuple(fc.nat({ max: 600 }), fc.integer({ min: 1, max: 255 })), { maxLength: 3 }),
    ),
  })

const frameOf = ({ frame, isOwnWallet, flips }: FrameInput): Uint8Array => {
  const walletId = isOwnWallet ? (known['walletId'] ?? '') : frame.protocolId
  const { shareId } = held.keyOf(known['walletId'] ?? '').share
  const { deviceKeyThumb, sessionId, signFrame } = held.protocol
  const bytes = signFrame({ ...frame, walletId, shareId, sessionId, deviceKeyThumb, attempt: new Uint8Array(16) })
  for (const [place, byte] of flips) bytes[place % bytes.length] = (bytes[place % bytes.length] ?? 0) ^ byte
  return bytes
}

type Sent = {
  readonly base: string
  readonly method: string
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

/** Who may ask for it. A logout would end the sessions that everything else needs. */
const callersOf = (id: Input['id']) =>
  callers.filter(([principal]) => takes(operationOf(id), principal) && id !== 'logout')

/** As a caller whom the operation lets in sends it. */
const sentOf = (input: Input, caller: number, frame: FrameInput | undefined): Sent => {
  const operation = operationOf(input.id)
  const { method, listener, binary, device } = operation
  const able = callersOf(input.id)
  const client = able[caller % Math.max(able.length, 1)]?.[1] ?? { origin: shop }
  const { target } = input
  const body = binary === true && method === 'POST' && frame !== undefined ? frameOf(frame) : bodyBytesOf(input)
  const given = {
    ...(body.length === 0 ? {} : input.headers),
    [Header.apiKey]: client.apiKey,
    [Header.session]: client.token,
    origin: client.origin,
    [Header.device]:
      device !== false && client.device ? deviceHeader(client.device, { method, target, body }) : undefined,
    'content-length': String(body.length),
  }
  const headers = Object.entries(given).filter((header): header is [string, string] => header[1] !== undefined)
  return { base: service.addresses[listener], method, target, headers: Object.fromEntries(headers), body }
}

type Answer = {
  readonly status: number
  readonly type: string
  readonly code: string | undefined
  readonly body: Uint8Array
  readonly ms: number
}

/** By Node's own client, which sends an address as it stands. */
const send = ({ base, method, target, headers, body }: Sent): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const began = performance.now()
    const { hostname, port } = new URL(base)
    const sending = httpRequest({ agent, hostname, port, method, path: target, headers }, (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('error', reject)
      response.on('end', () => {
        const code = response.headers[Header.errorCode]
        resolve({
          status: response.statusCode ?? 0,
          type: response.headers['content-type'] ?? '',
          code: typeof code === 'string' ? code : undefined,
          body: Buffer.concat(parts),
          ms: performance.now() - began,
        })
      })
    })
    sending.on('error', reject)
    sending.end(body)
  })

const isRefusal = (code: string | undefined): code is keyof typeof errors => code !== undefined && code in errors

/** An address of which a part is missing, too long or not to be decoded is none of the operation's. */
const isRouted = ({ target }: Input): boolean =>
  (target.split('?')[0] ?? '')
    .slice(1)
    .split('/')
    .every((part) => part.length <= 512 && /^(?:[^%]|%[0-7].)+$/s.test(part))

/** What the server refuses by itself, before any operation (openapi/README.md#errors), and only with this reason. */
const isOfServer = (code: string, input: Input): boolean =>
  (code === 'NotFound' || code === 'MalformedRequest') && !isRouted(input)

const faultsIn = (input: Input, sent: Sent, { status, type, code, body }: Answer): readonly string[] => {
  const text = Buffer.from(body.subarray(0, 300)).toString()
  const said = `${input.id}: ${status} ${String(code)} ${text}`
  if (status >= 500 && !(status === 501 && input.id in notBuilt)) return [said]
  if (code === 'BodyTooLarge' && sent.body.length <= Frame.maximumLength) return [`${said} to a small body`]
  if (status === 200) return faultsOf(input.id, { status, type, body })
  if (!isRefusal(code) || errors[code].status !== status || text.includes('\n')) return [`${said} is no refusal`]
  if (!isOfServer(code, input)) return faultsOf(input.id, { status, type, body })
  return type === 'text/plain; charset=utf-8' && text === errors[code].sentence ? [] : [`${said} is not its sentence`]
}

/** What may take longer on a busy machine takes as long every time if it is the input's fault. */
const isSlow = async (input: Sent): Promise<boolean> => {
  for (let tries = 0; tries < 3; tries++) {
    await putRowsBack()
    if ((await send(input)).ms < 2_000) return false
  }
  return true
}

/** Bytes that are still in use when nothing runs. */
const usedBytes = (): number => {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc()')
  return process.memoryUsage().heapUsed
}

const answersWell = async (input: Input, caller: number, frame?: FrameInput) => {
  const request = sentOf(input, caller, frame)
  const answer = await send(request)
  expect(faultsIn(input, request, answer)).toEqual([])
  expect(answer.ms > 2_000 && (await isSlow(request))).toBe(false)
}

const none = { kind: 'none' } as const
const bytesOf = (length: number): Change => ({ kind: 'bytes', bytes: new Array<number>(length).fill(0x7b) })

it('answers as the contract says, wherever in its example a hostile value stands', async () => {
  for (const id of operationIds.filter((one) => !(one in notBuilt))) {
    await putRowsBack()
    const able = callersOf(id).map((_, caller) => caller)
    for (const [index, input] of hostileInputs(requestOf(id, known), isLong).entries()) {
      for (const caller of isLong ? able : [index]) await answersWell(input, caller)
    }
  }
})

it('answers as the contract says to parts of a request that the operation does not name, or that are too large', async () => {
  const added = 'unknown=%00&list[0]=%ED%A0%80'
  const faults: string[] = []
  for (const [index, id] of operationIds.filter((one) => !(one in notBuilt)).entries()) {
    if (isLong || index % 8 === 0) await putRowsBack()
    const { target } = requestOf(id, known)
    const headers = { 'content-type': 'application/json', [Header.idempotencyKey]: 'x'.repeat(5_000) }
    const input = { id, target, headers, body: undefined }
    const sent: readonly Input[] = [
      { ...input, target: `${target}${target.includes('?') ? '&' : '?'}${added}`, change: none },
      { ...input, change: bytesOf(1) },
      { ...input, change: bytesOf(300_000) },
    ]
    const { length } = isLong ? callersOf(id) : callersOf(id).slice(0, 1)
    // What is open to all is asked by a page without a key.
    for (let caller = 0; caller < Math.max(length, 1); caller++)
      for (const one of sent) {
        const request = sentOf(one, caller, undefined)
        faults.push(...faultsIn(one, request, await send(request)))
      }
  }
  expect(faults).toEqual([])
})

it('answers in one line where an id of the path has two', async () => {
  const ids = /\/[0-9a-f]{8}-[0-9a-f-]{27}/g
  for (const id of operationIds.filter((one) => !(one in notBuilt))) {
    const { target } = requestOf(id, known)
    const input = { id, headers: {}, body: undefined, change: none }
    const [path = '', query] = target.split('?')
    const { length } = [...path.matchAll(ids)]
    for (let place = 0; place < length; place++) {
      let seen = -1
      const changed = path.replaceAll(ids, (text) => (++seen === place ? '/a%0Ab' : text))
      await answersWell({ ...input, target: query === undefined ? changed : `${changed}?${query}` }, 0)
    }
  }
})

it(
  'answers as the contract says, whatever it is asked',
  async () => {
    const used: number[] = []
    let sent = 0
    await fc.assert(
      fc.asyncProperty(
        inputs(
          known,
          operationIds.filter((id) => id in notBuilt),
        ),
        fc.nat({ max: 10 }),
        frames(),
        async (input, caller, frame) => {
          if (sent % 50 === 0) await putRowsBack()
          if (sent % 500 === 0) used.push(usedBytes())
          sent++
          await answersWell(input, caller, frame)
        },
      ),
      runs,
    )

    // What is compiled and kept once is there after the first thousand.
    if (used.length > 3) expect((used.at(-1) ?? 0) - (used[2] ?? 0)).toBeLessThan(32 * 2 ** 20)
    expect(sent).toBeGreaterThanOrEqual(Math.min(runs.numRuns, 1_000))
  },
  isLong ? 3 * 60 * 60_000 : 120_000,
)
