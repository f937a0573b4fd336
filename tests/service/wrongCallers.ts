/**
 * Callers who come with too little, or with what is another's, and what each operation has to answer them. The kinds of
 * callers are written down here; whom an operation lets in comes from the contract, so a new one is asked by all of them.
 */
import { randomUUID } from 'node:crypto'
import { p256 } from '@noble/curves/nist.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import * as Effect from 'effect/Effect'
import * as Header from '../../domain/model/Header.ts'
import * as Delegation from '../../domain/model/Delegation.ts'
import type { Scope } from '../../domain/model/Delegation.ts'
import { states, type State } from '../../domain/model/Session.ts'
import { PortalSessions } from '../../domain/service/ports/PortalSessions.ts'
import { Recoveries } from '../../domain/service/ports/Recoveries.ts'
import { Sessions } from '../../domain/service/ports/Sessions.ts'
import type { ErrorCode } from '../../generated/errors.ts'
import type { Operation } from '../../generated/operations.ts'
import { connect } from '../kit/recoverer.ts'
import type { TestService } from '../kit/service.ts'
import {
  makeDelegation,
  makePortalSession,
  makeRecovery,
  makeSession,
  replaceToken,
  type SessionToMake,
  type TestSession,
} from './credentials.ts'
import { portal, shop } from './people.ts'
import { takes, type Ids, type Request } from './requests.ts'
import { deviceHeader, type Client, type SigningKey } from './wire.ts'

export type Account = { readonly userId: string; readonly walletIds: readonly string[] }

/** What a request comes with. */
export type Credentials = Omit<Client, 'base'>

export type WrongCaller = {
  readonly name: string
  readonly credentials: Credentials
  readonly headers?: (request: Request) => Readonly<Record<string, string>>
  /** What the operation answers them; undefined where they are no wrong caller. */
  readonly refusal: (operation: Operation) => ErrorCode | undefined
}

const hasUser = ({ path }: Operation) => path.includes('{userId}')
const isOpen = (operation: Operation) => takes(operation, 'pub')
const takesTokens = (operation: Operation) => takes(operation, 'S', 'P', 'R')
const isSigned = ({ device }: Operation) => device === true
const always = () => true

const isBeyond = ({ session }: Operation, state: State) =>
  session !== undefined && states.indexOf(session) > states.indexOf(state)

const withoutKey = (operation: Operation): ErrorCode | undefined => {
  if (isOpen(operation)) return undefined
  return takesTokens(operation) ? 'NoSignedInUser' : 'ApiKeyRequired'
}

/** A publishable key, and no token that is worth anything. */
const withKeyAlone = (operation: Operation): ErrorCode | undefined => {
  if (isOpen(operation)) return undefined
  if (takesTokens(operation)) return 'NoSignedInUser'
  return takes(operation, 'K') ? undefined : 'ApiKeyRequired'
}

/** A secret key stands for its partner, and never for a user. */
const withSecretKey = (operation: Operation): ErrorCode | undefined => {
  if (!takes(operation, 'SK')) return withKeyAlone(operation)
  return hasUser(operation) ? 'NotFound' : undefined
}

type Wrong = (refusal: ErrorCode, where?: (operation: Operation) => boolean) => WrongCaller['refusal']

/** A session beside a key. Where sessions are let in, something is wrong with this one. */
const ofSession: Wrong =
  (refusal, where = always) =>
  (operation) => {
    if (!takes(operation, 'S')) return withKeyAlone(operation)
    return where(operation) ? refusal : undefined
  }

const ofPage: Wrong =
  (refusal, where = always) =>
  (operation) => {
    if (!takes(operation, 'P')) return withKeyAlone(operation)
    return where(operation) ? refusal : undefined
  }

/** Its session is VERIFIED, and may do what any such session may. */
const letsRecoveryIn = (operation: Operation) =>
  takes(operation, 'R') || (takes(operation, 'S') && !isBeyond(operation, 'VERIFIED'))

const ofRecovery: Wrong =
  (refusal, where = always) =>
  (operation) => {
    if (!letsRecoveryIn(operation)) return withKeyAlone(operation)
    return where(operation) ? refusal : undefined
  }

/** A page of another origin, with what only a page of ours or of the partner's may have. */
const elsewhere =
  (isLetIn: (operation: Operation) => boolean): WrongCaller['refusal'] =>
  (operation) => {
    if (isLetIn(operation)) return 'OriginNotAllowed'
    return !isOpen(operation) && takes(operation, 'K') && !takesTokens(operation)
      ? 'OriginNotAllowed'
      : withKeyAlone(operation)
  }

/** A delegated session may do what the contract names it for, with its scope and without a page. */
const ofDelegation =
  (scope: Scope, refusalOf: (operation: Operation) => ErrorCode | undefined): WrongCaller['refusal'] =>
  (operation) => {
    const { delegation } = operation
    if (delegation === undefined) return takesTokens(operation) || takes(operation, 'K') ? 'NotDelegated' : undefined
    return Delegation.includes(scope, delegation) ? refusalOf(operation) : 'NotDelegated'
  }

const minute = 60_000
const hour = 60 * minute

export const groups = ['key', 'token', 'combination', 'user', 'state', 'origin', 'signature', 'delegation'] as const

export type Callers = {
  /** By what is wrong with what they come with. */
  readonly wrong: { readonly [G in (typeof groups)[number]]: readonly WrongCaller[] }
  /** Ada and her partner, by each right. */
  readonly right: readonly Credentials[]
  /** Eve, by each right that she has. */
  readonly eve: { readonly [P in 'S' | 'P' | 'R']: Credentials }
  /** The sessions that are over. */
  readonly over: readonly string[]
  /** Of Ada's session and its visit to the portal. */
  readonly ids: Ids
}

/** At a service where Ada is attacked, Eve has an account of her own, and `other` is another partner. */
export const makeWrongCallers = async (
  service: TestService,
  { ada, eve, other }: { readonly ada: Account; readonly eve: Account; readonly other: TestService['partner'] },
): Promise<Callers> => {
  const { apiKey, secretKey, partnerId } = service.partner

  const sessionOf = (userId: string | null, changes: Partial<SessionToMake> = {}) =>
    makeSession(service, { partnerId, userId, ...changes })
  const at = (origin: string, { token, device }: TestSession): Credentials => ({ apiKey, token, device, origin })
  const inShop = (session: TestSession) => at(shop, session)
  const pageOf = async (userId: string | null, session: TestSession, ageMs = 0) =>
    makePortalSession(service, { session, partnerId, userId, ageMs })
  const inPortal = ({ token }: { readonly token: string }): Credentials => ({ apiKey, token, origin: portal })
  const recovering = async ({ userId, walletIds }: Account, ageMs = 0) => {
    const session = await sessionOf(userId, { state: 'VERIFIED', origin: connect })
    await makeRecovery(service, { session, userId, walletIds, ageMs })
    return session
  }

  const adas = await sessionOf(ada.userId)
  const adasPage = await pageOf(ada.userId, adas)
  const adasRecovery = await recovering(ada)
  const eves = await sessionOf(eve.userId)
  const evesPage = await pageOf(eve.userId, eves)
  const evesRecovery = at(connect, await recovering(eve))
  const evesElsewhere = await sessionOf(eve.userId, { partnerId: other.partnerId })
  const evesPageElsewhere = await makePortalSession(service, {
    session: evesElsewhere,
    partnerId: other.partnerId,
    userId: eve.userId,
  })

  const delegated = (scope: Scope, { userId, session, overMs }: Delegated) =>
    makeDelegation(service, { parent: session, userId, partnerId, scope, ...(overMs === undefined ? {} : { overMs }) })
  const ofAda = { userId: ada.userId, session: adas }
  const [reads, signs] = [await delegated('READ', ofAda), await delegated('SIGN', ofAda)]
  const evesServer = await delegated('SIGN', { userId: eve.userId, session: eves })
  const delegationOver = await delegated('SIGN', { ...ofAda, overMs: minute })
  const fromServer = ({ token, device }: TestSession): Credentials => ({ apiKey, token, device })
  const idle = await sessionOf(ada.userId, { ageMs: 91 * minute })
  const aDayOld = await sessionOf(ada.userId, { ageMs: 24 * hour + minute })
  const neverAuthenticated = await sessionOf(ada.userId, { state: 'VERIFIED', ageMs: 16 * minute })
  const closed = await sessionOf(ada.userId)
  const superseded = await sessionOf(ada.userId)
  const replaced = await sessionOf(ada.userId)
  const expiredPageOf = await sessionOf(ada.userId)
  const expiredPage = await pageOf(ada.userId, expiredPageOf, hour)
  const closedPageOf = await sessionOf(ada.userId)
  const closedPage = await pageOf(null, closedPageOf)
  const nobodysPage = await pageOf(null, await sessionOf(null, { state: 'NEW' }))
  const expiredRecovery = await recovering(ada, hour)
  const cancelledRecovery = await recovering(ada)
  await replaceToken(service, replaced)
  await service.run(
    Effect.gen(function* () {
      const sessions = yield* Sessions
      const now = Date.now()
      yield* sessions.use(aDayOld.id, now)
      yield* sessions.close(closed.id, now)
      yield* sessions.supersede(superseded.id, now - minute)
      yield* (yield* PortalSessions).closeOfSession(closedPageOf.id)
      yield* (yield* Recoveries).end(cancelledRecovery.id, 'CANCELLED')
    }),
  )

  const key: Credentials = { apiKey, origin: shop }
  const keys: readonly WrongCaller[] = [
    { name: 'nothing at all', credentials: { origin: shop }, refusal: withoutKey },
    { name: 'an unknown key', credentials: { apiKey: `pk_${randomUUID()}`, origin: shop }, refusal: withoutKey },
    { name: 'the key alone', credentials: key, refusal: withKeyAlone },
    { name: 'the key of another partner', credentials: { ...key, apiKey: other.apiKey }, refusal: withKeyAlone },
    { name: 'the partner’s secret key', credentials: { apiKey: secretKey }, refusal: withSecretKey },
    {
      name: 'the secret key of another partner',
      credentials: { apiKey: other.secretKey },
      refusal: withSecretKey,
    },
  ]

  const tokens: readonly WrongCaller[] = (
    [
      ['an unknown token', 'x'.repeat(43)],
      ['a token of another form', "%00 '; --"],
      ['a very long token', 'x'.repeat(4_000)],
      ['the id of a session for its token', adas.id],
      ['the lookup id of a session for its token', adas.lookupId],
      ['the id of a portal session for its token', adasPage.id],
      ['a key for a token', secretKey],
      ['the token of a closed session', closed.token],
      ['the token of a superseded session', superseded.token],
      ['a token that was replaced', replaced.token],
      ['the token of an idle session', idle.token],
      ['the token of a session that is a day old', aDayOld.token],
      ['the token of a session that was never authenticated in its time', neverAuthenticated.token],
      ['the token of a delegated session that is over', delegationOver.token],
      ['the token of an expired portal session', expiredPage.token],
      ['the token of a closed portal session', closedPage.token],
    ] as const
  ).map(([name, token]) => ({ name, credentials: { ...key, token }, refusal: withKeyAlone }))

  const beside: readonly WrongCaller[] = [
    {
      name: 'the user’s session without a key',
      credentials: { ...inShop(adas), apiKey: undefined },
      refusal: (operation) => {
        if (!takesTokens(operation)) return withoutKey(operation)
        return ofSession('ApiKeyRequired', (one) => takes(one, 'K'))(operation)
      },
    },
    {
      name: 'the user’s session beside the key of another partner',
      credentials: { ...inShop(adas), apiKey: other.apiKey },
      refusal: withKeyAlone,
    },
    {
      name: 'the user’s session beside the secret key of another partner',
      credentials: { ...inShop(adas), apiKey: other.secretKey },
      refusal: withSecretKey,
    },
    {
      name: 'the user’s session in the name of another partner',
      credentials: inShop(adas),
      headers: () => ({ [Header.partner]: other.partnerId }),
      refusal: withKeyAlone,
    },
    {
      name: 'the user’s portal token beside the key of another partner',
      credentials: { ...inPortal(adasPage), apiKey: other.apiKey },
      refusal: withKeyAlone,
    },
  ]

  const others: readonly WrongCaller[] = [
    { name: 'another user’s session', credentials: inShop(eves), refusal: ofSession('NotFound', hasUser) },
    {
      name: 'another user’s session at another partner',
      credentials: { ...inShop(evesElsewhere), apiKey: other.apiKey },
      refusal: ofSession('NotFound', hasUser),
    },
    { name: 'another user’s portal token', credentials: inPortal(evesPage), refusal: ofPage('NotFound', hasUser) },
    {
      name: 'another user’s portal token at another partner',
      credentials: { ...inPortal(evesPageElsewhere), apiKey: other.apiKey },
      refusal: ofPage('NotFound', hasUser),
    },
    {
      name: 'a portal token before anything was verified',
      credentials: inPortal(nobodysPage),
      refusal: ofPage('NotFound', hasUser),
    },
    {
      name: 'another user’s recovery',
      credentials: evesRecovery,
      refusal: ofRecovery('NotFound', hasUser),
    },
  ]

  const early: readonly WrongCaller[] = await Promise.all(
    (['NEW', 'IDENTIFIED', 'VERIFIED'] as const).map(async (state) => {
      const isUsers = state !== 'NEW'
      return {
        name: `a session that is ${state}`,
        credentials: inShop(await sessionOf(isUsers ? ada.userId : null, { state })),
        refusal: (operation: Operation) => {
          if (isBeyond(operation, state)) return withKeyAlone(operation)
          return ofSession('NotFound', (one) => hasUser(one) && !isUsers)(operation)
        },
      }
    }),
  )

  const ended: readonly WrongCaller[] = (
    [
      ['an expired recovery', expiredRecovery],
      ['a cancelled recovery', cancelledRecovery],
    ] as const
  ).map(([name, session]) => ({
    name,
    credentials: at(connect, session),
    refusal: (operation: Operation) =>
      isBeyond(operation, 'VERIFIED') || !takes(operation, 'S') ? withKeyAlone(operation) : undefined,
  }))

  const origins: readonly WrongCaller[] = ['https://evil.example', 'null', `${shop}.evil.example`].flatMap((origin) => [
    {
      name: `the key at ${origin}`,
      credentials: { ...key, origin },
      refusal: elsewhere(() => false),
    },
    {
      name: `the session at ${origin}`,
      credentials: at(origin, adas),
      refusal: elsewhere((operation) => takes(operation, 'S')),
    },
    {
      name: `the portal token at ${origin}`,
      credentials: { ...inPortal(adasPage), origin },
      refusal: elsewhere((operation) => takes(operation, 'P')),
    },
    { name: `the recovery at ${origin}`, credentials: at(origin, adasRecovery), refusal: elsewhere(letsRecoveryIn) },
  ])

  const ownPages: readonly WrongCaller[] = [
    {
      name: 'the session at the portal',
      credentials: at(portal, adas),
      refusal: ofSession('OriginNotAllowed'),
    },
    {
      name: 'the session at another of the partner’s pages',
      credentials: at('http://shop.localhost:3010', adas),
      refusal: ofSession('OriginNotAllowed'),
    },
    {
      name: 'the portal token at the partner’s page',
      credentials: { ...inPortal(adasPage), origin: shop },
      refusal: ofPage('OriginNotAllowed'),
    },
    {
      name: 'the recovery at the partner’s page',
      credentials: at(shop, adasRecovery),
      refusal: ofRecovery('OriginNotAllowed'),
    },
  ]

  const isLetIn = () => undefined
  const servers: readonly WrongCaller[] = [
    {
      name: 'a delegated session that reads',
      credentials: fromServer(reads),
      refusal: ofDelegation('READ', isLetIn),
    },
    {
      name: 'a delegated session that signs',
      credentials: fromServer(signs),
      refusal: ofDelegation('SIGN', isLetIn),
    },
    {
      name: 'a delegated session beside the secret key',
      credentials: { ...fromServer(signs), apiKey: secretKey },
      refusal: ofDelegation('SIGN', isLetIn),
    },
    {
      name: 'a delegated session of another user',
      credentials: fromServer(evesServer),
      refusal: ofDelegation('SIGN', (operation) => (hasUser(operation) ? 'NotFound' : undefined)),
    },
    ...[shop, portal, connect].map((origin) => ({
      name: `a delegated session at ${origin}`,
      credentials: { ...fromServer(signs), origin },
      refusal: ofDelegation('SIGN', () => 'OriginNotAllowed'),
    })),
  ]

  const stranger: SigningKey = { sessionId: adas.id, secretKey: p256.keygen().secretKey }
  const signed = (by: SigningKey, change: (signs: Signs) => Signs) => (request: Request) => ({
    [Header.device]: deviceHeader(
      by,
      change({ method: request.method, target: request.target, body: utf8ToBytes(request.body ?? '') }),
    ),
  })
  const same = (signs: Signs) => signs
  const signatures: readonly (readonly [string, WrongCaller['headers']])[] = [
    ['no device signature', () => ({})],
    ['a device signature of no form', () => ({ [Header.device]: 'nothing' })],
    ['a device signature of zeros', () => ({ [Header.device]: `${'00'.repeat(32)}.${Date.now()}.${'00'.repeat(64)}` })],
    ['a device signature by another key', signed(stranger, same)],
    ['a device signature for another session', signed({ ...adas.device, sessionId: eves.id }, same)],
    ['a device signature for another method', signed(adas.device, (one) => ({ ...one, method: 'PUT' }))],
    ['a device signature for another target', signed(adas.device, (one) => ({ ...one, target: `${one.target}?` }))],
    ['a device signature for another body', signed(adas.device, (one) => ({ ...one, body: utf8ToBytes('{ }') }))],
    ['a device signature of two minutes ago', signed({ ...adas.device, clockOffset: -2 * minute }, same)],
    ['a device signature of two minutes from now', signed({ ...adas.device, clockOffset: 2 * minute }, same)],
  ]
  const devices = signatures.flatMap(([name, headers]): readonly WrongCaller[] => [
    {
      name: `the session with ${name}`,
      credentials: { ...inShop(adas), device: undefined },
      ...(headers === undefined ? {} : { headers }),
      refusal: (operation) => (isSigned(operation) ? ofSession('DeviceSignatureRequired')(operation) : undefined),
    },
    {
      name: `the recovery with ${name}`,
      credentials: { ...at(connect, adasRecovery), device: undefined },
      ...(headers === undefined ? {} : { headers }),
      refusal: (operation) => (isSigned(operation) && takes(operation, 'R') ? 'DeviceSignatureRequired' : undefined),
    },
  ])

  return {
    wrong: {
      key: keys,
      token: tokens,
      combination: beside,
      user: others,
      state: [...early, ...ended],
      origin: [...origins, ...ownPages],
      signature: devices,
      delegation: servers,
    },
    eve: { S: inShop(eves), P: inPortal(evesPage), R: evesRecovery },
    over: [
      idle,
      aDayOld,
      neverAuthenticated,
      closed,
      superseded,
      replaced,
      expiredPageOf,
      closedPageOf,
      expiredRecovery,
      cancelledRecovery,
      delegationOver,
    ].map(({ id }) => id),
    ids: { sessionId: adas.id, sessionLookupId: adas.lookupId, openingId: adasPage.id, delegationId: signs.id },
    right: [
      inShop(adas),
      inPortal(adasPage),
      at(connect, adasRecovery),
      key,
      { ...key, origin: portal },
      { apiKey: secretKey },
      fromServer(signs),
    ],
  }
}

type Delegated = { readonly userId: string; readonly session: TestSession; readonly overMs?: number }

type Signs = { readonly method: string; readonly target: string; readonly body: Uint8Array }
