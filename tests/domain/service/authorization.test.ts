import * as Effect from 'effect/Effect'
import * as Exit from 'effect/Exit'
import { describe, expect, it } from 'vitest'
import { operations, type Operation, type OperationId } from '../../../generated/operations.ts'
import { environments, type Environment } from '../../../domain/model/Environment.ts'
import type { State } from '../../../domain/model/Session.ts'
import { authorize } from '../../../domain/service/authorization.ts'
import { Caller } from '../../../domain/service/Caller.ts'
import type { PortalToken } from '../../../domain/service/PortalSession.ts'
import type { PartnerRecord } from '../../../domain/service/Partner.ts'
import { Deployment } from '../../../domain/service/ports/Deployment.ts'
import type { RecoveryRecord } from '../../../domain/service/Recovery.ts'
import type { SessionRecord } from '../../../domain/service/Session.ts'

const ids = Object.keys(operations) as OperationId[]
const operationOf = (id: OperationId): Operation => operations[id]
const having = (test: (operation: Operation, id: OperationId) => boolean) =>
  ids.filter((id) => test(operationOf(id), id))
const takes = (id: OperationId, ...principals: Operation['principals']) =>
  operationOf(id).principals.some((principal) => principals.includes(principal))

const shop = 'https://shop.example'
const portalOrigin = 'https://portal.example'
const connectOrigin = 'https://connect.example'

const partner: PartnerRecord = {
  id: 'partner',
  displayName: 'Shop',
  portalUrl: null,
  origins: [shop],
  returnUrls: [],
  theme: {},
  supportedAuthMethods: [],
  supportedWalletTypes: [],
  cosmosPrefix: 'cosmos',
  strict: false,
  allowsNoOrigin: false,
  allowsUnprovenClients: false,
}

const session = (state: State, changes: Partial<SessionRecord> = {}): SessionRecord => ({
  id: 'session',
  lookupId: 'lookup',
  partnerId: partner.id,
  origin: shop,
  state,
  userId: state === 'NEW' ? null : 'ada',
  userProven: state === 'VERIFIED' || state === 'AUTHENTICATED',
  identity: null,
  userIdentity: null,
  isUserFrozen: false,
  loginPublicKey: null,
  loginKeyThumbprint: null,
  devicePublicKey: null,
  deviceKeyThumb: null,
  deviceSignsRequests: true,
  recoveryPublicKey: null,
  deviceCertificate: null,
  openingResult: null,
  currentWalletIds: {},
  needsWallet: false,
  createdAt: 0,
  authenticatedAt: null,
  authenticatedBy: null,
  lastUsedAt: 0,
  retiresAt: null,
  heldUntil: null,
  delegation: null,
  ...changes,
})

const page: PortalToken = {
  openingId: 'opening',
  sessionId: 'session',
  partnerId: partner.id,
  userId: 'ada',
  portalOrigin,
  page: 'login-password',
  record: null,
  state: 'VERIFIED',
  variant: 'opener',
}

const nobody: Caller = {
  partner: undefined,
  apiKey: false,
  secretKey: false,
  session: undefined,
  portal: undefined,
  recovery: undefined,
  token: undefined,
  origin: shop,
  device: false,
  idempotencyKey: undefined,
  waitSeconds: 0,
  left: Effect.never,
  network: '127.0.0.1',
}
const app: Caller = { ...nobody, partner, apiKey: true }
const ada: Caller = { ...app, session: session('AUTHENTICATED'), device: true }
const ready: RecoveryRecord = {
  sessionId: 'session',
  userId: 'ada',
  state: 'READY',
  credential: null,
  walletIds: [],
  finishedIds: [],
  createdAt: 0,
  expiresAt: 0,
}
const recovering: Caller = {
  ...app,
  session: session('VERIFIED', { origin: connectOrigin }),
  recovery: ready,
  origin: connectOrigin,
  device: true,
}
const portal: Caller = { ...app, portal: page, origin: portalOrigin }
const server: Caller = { ...nobody, partner, apiKey: true, secretKey: true, origin: undefined }

const verdict = (id: OperationId, caller: Caller, userId?: string, environment: Environment = 'PROD') => {
  const named = userId ?? (operationOf(id).path.includes('{userId}') ? 'ada' : undefined)
  const exit = Effect.runSyncExit(
    authorize(id, named).pipe(
      Effect.provideService(Caller, caller),
      Effect.provideService(Deployment, {
        environment,
        apiOrigin: 'https://api.example',
        portalOrigin,
        connectOrigin,
        operatorName: 'Tandem',
      }),
    ),
  )
  if (Exit.isSuccess(exit)) return 'allowed'
  const [reason] = exit.cause.reasons
  return reason?._tag === 'Fail' ? reason.error._tag : 'defect'
}
const verdicts = (among: readonly OperationId[], caller: Caller, userId?: string) => [
  ...new Set(among.map((id) => verdict(id, caller, userId))),
]

const forHosts = having((_, id) => takes(id, 'S'))
const forPages = having((_, id) => takes(id, 'P'))
const forPagesAlone = having((_, id) => takes(id, 'P') && !takes(id, 'S'))
const byTokens = having((_, id) => takes(id, 'S', 'P', 'R') && !takes(id, 'pub', 'SK'))
const byKeys = having((_, id) => takes(id, 'K') && !takes(id, 'S', 'P', 'R'))
const open = having((_, id) => takes(id, 'pub'))
const ofUsers = having(({ path }) => path.includes('{userId}'))

describe('authorization', () => {
  it('lets a caller without credentials make open calls only', () => {
    expect(verdicts(byTokens, nobody)).toEqual(['NoSignedInUser'])
    expect(verdicts(byKeys, nobody)).toEqual(['ApiKeyRequired'])
    expect(verdicts(open, nobody)).toEqual(['allowed'])
    expect(byTokens.length + byKeys.length + open.length).toBeGreaterThan(100)
  })

  it('lets an API key alone call only what takes no token', () => {
    expect(verdicts(byKeys, app)).toEqual(['allowed'])
    expect(verdicts(byTokens, app)).toEqual(['NoSignedInUser'])
  })

  it('lets a signed-in user call operations on the user’s own objects', () => {
    expect(verdicts(forHosts, ada)).toEqual(['allowed'])
    expect(verdicts(forPagesAlone, ada)).toEqual(['NoSignedInUser'])
  })

  it('answers for a foreign user as for one that does not exist', () => {
    const takenByHosts = ofUsers.filter((id) => takes(id, 'S'))
    const takenByPages = ofUsers.filter((id) => takes(id, 'P'))
    expect(verdicts(takenByHosts, ada, 'eve')).toEqual(['NotFound'])
    expect(verdicts(takenByPages, portal, 'eve')).toEqual(['NotFound'])
    expect(verdicts(takenByPages, { ...portal, portal: { ...page, userId: null } })).toEqual(['NotFound'])
  })

  it('requires the session’s state', () => {
    const states: readonly State[] = ['NEW', 'IDENTIFIED', 'VERIFIED', 'AUTHENTICATED']
    for (const id of forHosts.filter((id) => !takes(id, 'P', 'SK', 'pub'))) {
      for (const [index, state] of states.entries()) {
        const enough = index >= states.indexOf(operationOf(id).session ?? 'CLOSED')
        const caller = { ...ada, session: session(state, { userId: 'ada' }) }
        expect([id, state, verdict(id, caller)]).toEqual([id, state, enough ? 'allowed' : 'NoSignedInUser'])
      }
    }
    expect(verdict('createKeyShares', { ...ada, session: session('CLOSED') })).toBe('NoSignedInUser')
  })

  it('accepts a session’s calls from the page that began it', () => {
    const elsewhere = ['https://evil.example', portalOrigin, 'null', undefined]
    for (const origin of elsewhere) expect(verdicts(forHosts, { ...ada, origin })).toEqual(['OriginNotAllowed'])
    expect(verdict('getUser', { ...ada, origin: undefined }, 'ada', 'DEV')).toBe('allowed')
    expect(verdict('getUser', { ...ada, session: session('AUTHENTICATED', { origin: null }) })).toBe('OriginNotAllowed')
  })

  it('refuses them once the partner has removed that page’s origin', () => {
    const moved = { ...partner, origins: ['https://new.example'] }
    expect(verdicts(forHosts, { ...ada, partner: moved })).toEqual(['OriginNotAllowed'])
  })

  it('refuses every call of a frozen partner, by whatever right, and no open one', () => {
    const frozen = { ...partner, isFrozen: true }
    const forRecoveries = having(({ recovery = [] }) => recovery.includes('READY'))
    const forServers = having((_, id) => takes(id, 'SK') && !takes(id, 'S', 'P', 'R', 'K'))
    expect(verdicts(byKeys, { ...app, partner: frozen })).toEqual(['PartnerFrozen'])
    expect(verdicts(forHosts, { ...ada, partner: frozen })).toEqual(['PartnerFrozen'])
    expect(verdicts(forPages, { ...portal, partner: frozen })).toEqual(['PartnerFrozen'])
    expect(verdicts(forRecoveries, { ...recovering, partner: frozen })).toEqual(['PartnerFrozen'])
    expect(verdicts(forServers, { ...server, partner: frozen })).toEqual(['PartnerFrozen'])
    expect(verdicts(forHosts, { ...ada, partner: frozen, origin: 'https://evil.example' })).toEqual(['PartnerFrozen'])
    expect(verdicts(byTokens, { ...app, partner: frozen })).toEqual(['NoSignedInUser'])
    expect(verdicts(open, { ...nobody, partner: frozen })).toEqual(['allowed'])
  })

  it('refuses every call of a frozen user who is proven, but tells it to none that only names one', () => {
    const frozen = (state: State) => session(state, { isUserFrozen: true })
    const forRecoveries = having(({ recovery = [] }) => recovery.includes('READY'))

    expect(verdicts(forHosts, { ...ada, session: frozen('AUTHENTICATED') })).toEqual(['UserFrozen'])
    expect(verdicts(forRecoveries, { ...recovering, session: frozen('VERIFIED') })).toEqual(['UserFrozen'])
    expect(verdict('verifyEmail', { ...ada, session: frozen('VERIFIED') })).toBe('UserFrozen')
    expect(verdict('verifyEmail', { ...ada, session: frozen('IDENTIFIED') })).toBe('allowed')
  })

  it('accepts a page’s calls from the portal', () => {
    expect(verdicts(forPages, portal)).toEqual(['allowed'])
    for (const origin of [shop, 'https://evil.example', 'null', undefined]) {
      expect(verdicts(forPages, { ...portal, origin })).toEqual(['OriginNotAllowed'])
    }
    const own = { ...partner, portalUrl: 'https://login.shop.example/portal' }
    expect(verdict('verifyPassword', { ...portal, partner: own, origin: 'https://login.shop.example' })).toBe('allowed')
  })

  it('accepts an API key from the partner’s pages and our own', () => {
    for (const origin of [portalOrigin, connectOrigin])
      expect(verdicts(byKeys, { ...app, origin })).toEqual(['allowed'])
    for (const origin of ['https://evil.example', 'null', undefined]) {
      expect(verdicts(byKeys, { ...app, origin })).toEqual(['OriginNotAllowed'])
    }
    expect(verdict('touchSession', { ...app, partner: { ...partner, allowsNoOrigin: true }, origin: undefined })).toBe(
      'allowed',
    )
  })

  it('requires the API key beside a session where the contract does', () => {
    const both = forHosts.filter((id) => takes(id, 'K'))
    expect(both).toContain('createWallet')
    expect(verdicts(both, { ...ada, apiKey: false })).toEqual(['ApiKeyRequired'])
  })

  it('requires a device signature of sessions with a device key', () => {
    const signed = forHosts.filter((id) => operationOf(id).device === true)
    expect(signed).toContain('createKeyShares')
    expect(verdicts(signed, { ...ada, device: false })).toEqual(['DeviceSignatureRequired'])
    expect(verdict('touchSession', { ...ada, device: false })).toBe('allowed')
  })

  it('lets a session without such a key through in DEV and SANDBOX, and elsewhere only where the partner opted in', () => {
    const plain = { ...ada, device: false, session: session('AUTHENTICATED', { deviceSignsRequests: false }) }
    const optedIn = { ...plain, partner: { ...partner, allowsUnprovenClients: true } }
    for (const environment of environments) {
      const isLetThrough = environment === 'DEV' || environment === 'SANDBOX'
      expect(verdict('createKeyShares', plain, 'ada', environment)).toBe(
        isLetThrough ? 'allowed' : 'DeviceSignatureRequired',
      )
      expect(verdict('createKeyShares', optedIn, 'ada', environment)).toBe('allowed')
    }
  })

  it('lets a recovery make the calls of a recovery, for its own user, and none that needs a login', () => {
    const forRecoveries = having((_, id) => takes(id, 'R'))
    const others = forHosts.filter((id) => !takes(id, 'R') && operationOf(id).session === 'AUTHENTICATED')
    expect(forRecoveries).toEqual(expect.arrayContaining(['finishRecovery', 'listRecoveryKeyShares', 'exchangeFrame']))
    expect(verdicts(forRecoveries, recovering)).toEqual(['allowed'])
    expect(
      verdicts(
        forRecoveries.filter((id) => ofUsers.includes(id)),
        recovering,
        'eve',
      ),
    ).toEqual(['NotFound'])
    expect(verdicts(others, recovering)).toEqual(['NoSignedInUser'])
    expect(others).toContain('signMessage')
  })

  it('accepts a recovery’s calls from our own page only, with its device signature where one is required', () => {
    const forRecoveries = having((_, id) => takes(id, 'R'))
    const signed = forRecoveries.filter((id) => operationOf(id).device === true)
    const plain = { ...recovering, device: false }
    const optedIn = { ...partner, allowsUnprovenClients: true }
    expect(signed).toContain('refreshKeys')
    expect(verdicts(signed, plain)).toEqual(['DeviceSignatureRequired'])
    // A session that never registered a key has nothing to sign with, and recovers nothing where such clients are let through.
    const keyless = { ...plain, session: session('VERIFIED', { origin: connectOrigin, deviceSignsRequests: false }) }
    for (const caller of [plain, keyless]) {
      expect(verdicts(signed, { ...caller, partner: optedIn })).toEqual(['DeviceSignatureRequired'])
    }
    for (const origin of [shop, portalOrigin, 'https://evil.example', 'null', undefined]) {
      expect(verdicts(forRecoveries, { ...recovering, origin })).toEqual(['OriginNotAllowed'])
    }
  })

  it('lets a finished recovery repeat its finish, and do nothing else', () => {
    const finishes: readonly OperationId[] = ['finishRecovery', 'completeRecovery']
    const forRecoveries = having((_, id) => takes(id, 'R') && !finishes.includes(id))
    const finished: Caller = {
      ...recovering,
      session: undefined,
      device: false,
      recovery: { ...ready, state: 'FINISHED' },
    }
    expect(verdicts(finishes, finished)).toEqual(['allowed'])
    expect(verdicts(finishes, finished, 'eve')).toEqual(['NotFound'])
    expect(verdicts(forRecoveries, finished)).toEqual(['NoSignedInUser'])
    for (const state of ['INITIATED', 'EXPIRED', 'CANCELLED'] as const) {
      expect(verdicts(finishes, { ...recovering, recovery: { ...ready, state } })).toEqual(['NoSignedInUser'])
    }
  })

  it('lets a delegated session do what its scope names, from a server alone', () => {
    const signing = having(({ delegation }) => delegation === 'SIGN')
    const reading = having(({ delegation }) => delegation === 'READ')
    const beyond = having((_, id) => takes(id, 'S', 'P', 'R', 'K') && !takes(id, 'D'))
    const delegation = { parentId: 'parent', issuedAt: 0, expiresAt: 1, certificate: '', signature: '' }
    const by = (scope: 'READ' | 'SIGN', changes: Partial<Caller> = {}): Caller => {
      const delegated = session('AUTHENTICATED', { origin: null, delegation: { ...delegation, scope } })
      return { ...app, session: delegated, origin: undefined, ...changes }
    }
    expect([signing.length, reading.length]).toEqual([4, 5])
    expect(beyond).toEqual(
      expect.arrayContaining(['createOpening', 'createSessionJwt', 'refreshKeys', 'createDelegation']),
    )

    expect(verdicts([...signing, ...reading], by('SIGN'))).toEqual(['allowed'])
    expect(verdicts(reading, by('READ'))).toEqual(['allowed'])
    expect(verdicts(signing, by('READ'))).toEqual(['NotDelegated'])
    for (const caller of [by('SIGN'), by('SIGN', { secretKey: true, device: true }), by('SIGN', { origin: shop })]) {
      expect(verdicts(beyond, caller)).toEqual(['NotDelegated'])
    }
    for (const origin of [shop, portalOrigin, 'null']) {
      expect(verdicts([...signing, ...reading], by('SIGN', { origin }))).toEqual(['OriginNotAllowed'])
    }
    expect(
      verdicts(
        signing.filter((id) => ofUsers.includes(id)),
        by('SIGN'),
        'eve',
      ),
    ).toEqual(['NotFound'])
    expect(verdict('touchSession', by('READ', { apiKey: false }))).toBe('ApiKeyRequired')
    const switchedOff = { ...partner, delegations: false }
    expect(verdicts([...signing, ...reading], by('SIGN', { partner: switchedOff }))).toEqual(['DelegationNotAllowed'])
    expect(verdicts(forHosts, { ...ada, partner: switchedOff })).toEqual(['allowed'])
    expect(verdict('getJwks', by('READ', { partner: switchedOff }))).toBe('allowed')
  })

  it('gives a partner’s server its own unclaimed wallets and no user', () => {
    const forServers = ofUsers.filter((id) => takes(id, 'SK'))
    expect(forServers).toContain('signMessage')
    expect(verdicts(forServers, server, partner.id)).toEqual(['allowed'])
    expect(verdicts(forServers, server, 'ada')).toEqual(['NotFound'])
    expect(verdicts(forServers, app, partner.id)).toEqual(['NoSignedInUser'])
  })
})
