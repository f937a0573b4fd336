/** The contract states everything that the public client and our own rules need of each call. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type * as Effect from 'effect/Effect'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { handlers } from '../../adapters/service/http/handlers.ts'
import { notBuilt } from '../../adapters/service/http/notBuilt.ts'
import type { Waits } from '../../domain/service/ports/Waits.ts'
import {
  type Declaration,
  type Media,
  type Operation,
  type Response,
  type Schema,
  operationsOf,
} from '../../openapi/Document.ts'
import { generate, resolved } from '../../openapi/generate.ts'
import { accessOf, type Alternative } from '../../openapi/security.ts'

const root = join(import.meta.dirname, '../..')
const api = operationsOf(await resolved(join(root, 'openapi/openapi.yaml')))
const offload = operationsOf(await resolved(join(root, 'openapi/offload.yaml')))

const user = '/users/{userId}'
const wallet = `${user}/wallets/{walletId}`
const external = `${user}/external-wallets/{address}`
const recovered = '/recovery/users/{userId}/wallets/{walletId}'

/** The calls that the public client makes (openapi/README.md#public-client), and the start of OAuth. */
const spec = {
  createUser: 'POST /users',
  checkUserExists: 'GET /users/exists',
  verifyTelegram: 'POST /users/telegram',
  loginExternalWallet: 'POST /users/external-wallets/login',
  verifyEmail: `POST ${user}/verify-email`,
  verifyIdentifier: `POST ${user}/verify-identifier`,
  verifyExternalWallet: `POST ${user}/external-wallets/verify`,
  touchSession: 'POST /touch',
  getSessionOrigin: 'GET /sessions/{sessionLookupId}/origin',
  keepSessionAlive: `POST ${user}/session/keep-alive`,
  getUser: `GET ${user}`,
  listOAuthAccounts: `GET ${user}/oauth/accounts`,
  deleteUser: `DELETE ${user}`,
  login: 'POST /login',
  verifyLoginEmail: 'POST /login/verify-email',
  logout: 'GET /logout',
  getSupportedAuthMethods: 'GET /users/supported-auth-methods',
  resendVerificationCode: `POST ${user}/resend-verification-code`,
  resendVerificationCodeByPhone: `POST ${user}/resend-verification-code-by-phone`,

  createPasskey: `POST ${user}/biometrics/key`,
  listPasskeys: `GET ${user}/biometrics/keys`,
  getPasskey: `GET ${user}/biometrics/{passkeyId}`,
  updatePasskey: `PATCH ${user}/biometrics/{passkeyId}`,
  getUserPasskeyChallenge: `GET ${user}/biometrics/challenge`,
  verifyUserPasskey: `POST ${user}/biometrics/verify`,
  getPasskeyLocationHints: 'GET /biometrics/location-hints',
  getPasskeyChallenge: 'GET /biometrics/challenge',
  verifyPasskey: 'POST /biometrics/verify',

  createWallet: `POST ${user}/wallets`,
  listWallets: `GET ${user}/wallets`,
  listAllWallets: `GET ${user}/all-wallets`,
  setWallets: `POST ${user}/wallets/set`,
  createPregenWallet: 'POST /wallets/pregen',
  listPregenWallets: 'GET /wallets/pregen',
  claimPregenWallets: 'POST /wallets/pregen/claim',
  updatePregenWallet: 'PATCH /wallets/pregen/{walletId}',
  getWalletBalance: `GET ${wallet}/balance`,
  getCapsuleShare: `GET ${wallet}/capsule-share`,
  downloadBackupKit: `GET ${wallet}/download-backup-kit`,
  distributeCapsuleShare: `POST ${wallet}/capsule-share/distribute`,
  acceptScopes: `POST ${wallet}/scopes/accept`,

  sendTransaction: `POST ${wallet}/transactions/send`,
  signTransaction: `POST ${wallet}/transactions/sign`,
  signMessage: `POST ${wallet}/messages/sign`,
  refreshKeys: `POST ${wallet}/refresh`,
  getRefreshDone: `GET ${wallet}/refresh-done`,
  getPendingTransaction: `GET ${user}/pending-transactions/{pendingTransactionId}`,
  acceptPendingTransaction: `POST ${user}/pending-transactions/{pendingTransactionId}/accept`,
  denyPendingTransaction: `DELETE ${user}/pending-transactions/{pendingTransactionId}`,
  getPendingTransactionToDecide: 'GET /pending-transactions/{pendingTransactionId}',
  decidePendingTransaction: 'POST /pending-transactions/{pendingTransactionId}/decision',

  createWalletKeyShares: `POST ${wallet}/key-shares`,
  createKeyShares: `POST ${user}/key-shares`,
  listWalletKeyShares: `GET ${wallet}/key-shares`,
  listPasskeyKeyShares: `GET ${user}/biometrics/key-shares`,
  listPasswordKeyShares: `GET ${user}/passwords/key-shares`,
  createTemporaryShares: `POST ${user}/temporary-shares`,
  listTemporaryShares: `GET ${user}/temporary-shares`,
  createRecoveryPublicKeys: `POST ${user}/recovery-public-keys`,
  listRecoveryPublicKeys: `GET ${user}/recovery-public-keys`,
  createEncryptedWalletPrivateKey: `POST ${user}/encrypted-wallet-private-keys`,
  listEncryptedWalletPrivateKeys: `GET ${user}/encrypted-wallet-private-keys/{encryptionKeyHash}`,
  getEncryptedWalletPrivateKey: 'GET /encrypted-wallet-private-keys',
  createTemporaryTransmission: 'POST /temporary-transmissions',
  getTemporaryTransmission: 'GET /temporary-transmissions/{transmissionId}',

  createPassword: `POST ${user}/passwords/key`,
  listPasswords: 'GET /users/passwords',
  verifyPassword: 'POST /passwords/verify',
  updatePassword: `PATCH ${user}/passwords/{passwordId}`,

  startRecovery: 'POST /recovery',
  verifyRecovery: 'POST /recovery/verification',
  cancelRecovery: 'POST /recovery/cancel',
  initRecovery: 'POST /recovery/init',
  verifyRecoveryEmail: 'POST /recovery/verify-email',
  verifyRecoveryIdentifier: 'POST /recovery/verify-identifier',
  finishRecovery: `POST ${recovered}/finish`,
  listRecoveryKeyShares: `GET ${recovered}/key-shares`,

  getTwoFactorStatus: 'GET /2fa/users/{userId}/check-status',
  setupTwoFactor: 'POST /2fa/users/{userId}/setup',
  enableTwoFactor: 'POST /2fa/users/{userId}/enable',
  verifyTwoFactor: 'POST /2fa/verify',

  initFarcaster: 'POST /auth/farcaster/init',
  getFarcasterStatus: 'POST /auth/farcaster/status',
  startOAuth: 'GET /auth/{method}',

  getPartner: 'GET /partners/{partnerId}',
  getConversionRate: 'GET /chains/{chainId}/conversion-rate',
  getGasEstimate: 'GET /chains/{chainId}/gas-estimate',
  getGasOracle: 'GET /chains/{chainId}/gas-oracle',

  getOnRampConfig: 'GET /on-ramp-config',
  createWalletPurchase: `POST ${wallet}/purchases`,
  updateWalletPurchase: `PATCH ${wallet}/purchases/{purchaseId}`,
  getWalletPurchase: `GET ${wallet}/purchases/{purchaseId}`,
  createExternalWalletPurchase: `POST ${external}/purchases`,
  updateExternalWalletPurchase: `PATCH ${external}/purchases/{purchaseId}`,
  getExternalWalletPurchase: `GET ${external}/purchases/{purchaseId}`,
  signWalletMoonpayUrl: `POST ${wallet}/moonpay-sign`,
  signExternalWalletMoonpayUrl: `POST ${external}/moonpay-sign`,
  generateOffRamp: `POST ${wallet}/offramp-generate`,
  sendOffRamp: `POST ${wallet}/offramp-send`,

  reportSdkError: 'POST /errors/sdk',
  reportReactSdkUse: 'POST /partners/analytics/react-sdk',

  getPrimeWorker: 'GET /static/js/prime.worker.min.js',
  getMpcModule: 'GET /static/js/main.wasm',
  getMpcWorkerBundle: 'GET /static/js/mpcWorker-bundle.js',
}

/** The calls that only our own SDK makes, and the servers of partners for which it gets JWTs. */
const ours = {
  registerSessionKeys: 'POST /sessions/{sessionId}/keys',
  createSessionJwt: `POST ${user}/session/jwt`,
  verifySessionJwt: 'POST /sessions/verify',
  getJwks: 'GET /.well-known/jwks.json',
  createDelegation: `POST ${user}/delegations`,
  listDelegations: `GET ${user}/delegations`,
  endDelegation: `DELETE ${user}/delegations/{delegationId}`,
  createOpening: 'POST /openings',
  getOpening: 'GET /openings/{openingId}',
  createOpeningTicket: 'POST /openings/{openingId}/ticket',
  createOpeningToken: 'POST /openings/{openingId}/token',
  beatOpening: 'POST /openings/{openingId}/beat',
  closeOpening: 'POST /openings/{openingId}/close',
  redeemOpening: 'POST /openings/{openingId}/redeem',
  deleteTemporaryShares: `DELETE ${user}/temporary-shares`,
  completeRecovery: 'POST /recovery/users/{userId}/finish',
  exchangeFrame: 'POST /protocol',
  getCosignerKeys: 'GET /cosigner-keys',
}

/** The calls of the optional offload server. */
const offloaded = {
  createWallet: 'POST /wallets',
  sendTransaction: 'POST /wallets/{walletId}/transactions/send',
  signMessage: 'POST /wallets/{walletId}/messages/sign',
}

type FlowOf<Id extends keyof typeof handlers> = ReturnType<(typeof handlers)[Id]>

/** The operations whose flow needs `Waits`, which `waitFor` takes for `Prefer: wait`: the compiler knows them. */
type WaitingId = {
  [Id in keyof typeof handlers]: Waits extends Effect.Services<FlowOf<Id>> ? Id : never
}[keyof typeof handlers]

const waiting: { readonly [Id in WaitingId]: true } = {
  getOpening: true,
  getPendingTransaction: true,
  getPendingTransactionToDecide: true,
  getRefreshDone: true,
  listTemporaryShares: true,
  listWallets: true,
  touchSession: true,
}

/** The public client sends these without a body. */
const bodyless = [
  'touchSession',
  'keepSessionAlive',
  'setupTwoFactor',
  'getFarcasterStatus',
  'finishRecovery',
  'acceptPendingTransaction',
]

describe('the calls', () => {
  it.each([
    ['openapi.yaml', api, { ...spec, ...ours }],
    ['offload.yaml', offload, offloaded],
  ])('of %s are those of the public client and of our SDK, each under its own id', (_, operations, calls) => {
    const found = operations.map(({ id, method, path }) => [id, `${method} ${path}`])

    expect(new Set(found.map(([id]) => id)).size).toBe(found.length)
    expect(Object.fromEntries(found)).toEqual(calls)
  })

  it('that wait for news name the header `prefer`, and no other that is built does', () => {
    const named = api.filter(({ parameters }) => parameters.some(({ name }) => name === 'prefer')).map(({ id }) => id)

    expect(named.filter((id) => !(id in notBuilt)).toSorted()).toEqual(Object.keys(waiting))
  })

  it('without a body need none', () => {
    const required = api.filter(({ body }) => body?.required === true).map(({ id }) => id)

    expect(required.filter((id) => bodyless.includes(id))).toEqual([])
    expect(api.filter(({ id, body }) => bodyless.includes(id) && body === undefined).length).toBe(bodyless.length - 1)
  })

  it('are answered by the role that owns them', () => {
    const elsewhere = api.filter(({ port }) => port !== '').map(({ id, port }) => `${id} ${port}`)

    expect(elsewhere).toEqual([
      'exchangeFrame 3000',
      'getPrimeWorker 3003',
      'getMpcModule 3003',
      'getMpcWorkerBundle 3003',
    ])
  })
})

describe.each([...api, ...offload].map((operation) => [operation.id, operation] as const))('%s', (_, operation) => {
  const { declaration, method, parameters, path } = operation
  const { requestBody, responses, summary } = declaration
  const refusals = Object.entries(responses).filter(([status]) => status !== '200')

  it('says in one line what it does', () => {
    expect(summary).toMatch(/^[^\n]{8,110}\.$/)
  })

  it('shows a request and an answer', () => {
    const media = [...Object.values(requestBody?.content ?? {}), ...Object.values(responses['200']?.content ?? {})]

    expect(media.filter((one) => !hasExample(one))).toEqual([])
  })

  it('succeeds with 200 only', () => {
    const statuses = Object.keys(responses)

    expect(statuses.filter((status) => !/^[45]\d\d$/.test(status))).toEqual(['200'])
  })

  it('refuses in plain text with a sentence and a code', () => {
    expect(refusals.filter(([status, response]) => !isRefusal(status, response))).toEqual([])
  })

  it('names the refusals that precede its flow', () => {
    const { principals, device } = operation.access
    const takesToken = ['S', 'P', 'R'].some((principal) => principals.includes(principal))
    const isSent = requestBody !== undefined || parameters.some((parameter) => parameter.in !== 'path')
    const mayBeLarge = method !== 'GET' && api.includes(operation)
    const isOpen = principals.includes('pub')
    const wanted = [
      ...(isSent ? ['InvalidRequest'] : []),
      ...(mayBeLarge ? ['BodyTooLarge'] : []),
      ...(takesToken && !isOpen ? ['NoSignedInUser'] : []),
      ...(principals.includes('K') || principals.join() === 'SK' ? ['ApiKeyRequired'] : []),
      ...(takesToken || principals.includes('K') || principals.includes('SK') ? ['PartnerFrozen'] : []),
      ...(takesToken ? ['UserFrozen'] : []),
      // A partner's server has no origin.
      ...(takesToken || principals.includes('K') ? ['OriginNotAllowed', 'NotDelegated'] : []),
      ...(principals.includes('D') ? ['DelegationNotAllowed'] : []),
      ...(path.includes('{') ? ['NotFound'] : []),
      ...(device === true ? ['DeviceSignatureRequired'] : []),
      ...(idempotent(operation) ? ['IdempotencyKeyReused', 'RequestStillRunning'] : []),
      'Unavailable',
    ]

    expect(refusals.flatMap(([, response]) => codesOf(response))).toEqual(expect.arrayContaining(wanted))
  })

  it('names every parameter of its path, and bounds all that it is sent', () => {
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    const sent = [
      ...parameters.map(({ name, schema }) => ({ name, schema })),
      ...Object.entries(requestBody?.content ?? {}).map(([name, { schema }]) => ({ name, schema })),
    ]

    expect(parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name)).toEqual(names)
    expect(sent.flatMap(({ name, schema }) => unbounded(schema, name))).toEqual([])
  })

  it('has a body only where HTTP has one', () => {
    expect(requestBody === undefined || method === 'POST' || method === 'PATCH').toBe(true)
  })
})

describe('who may call', () => {
  it('a host token alone does not authenticate, accept or deliver shares', () => {
    const portalOnly = api.filter(({ access }) => access.principals.join() === 'P').map(({ id }) => id)

    expect(portalOnly.sort()).toEqual([
      'acceptPendingTransaction',
      'createEncryptedWalletPrivateKey',
      'createTemporaryShares',
      'denyPendingTransaction',
      'getEncryptedWalletPrivateKey',
      'getPasskeyChallenge',
      'listPasskeyKeyShares',
      'listPasswordKeyShares',
      'setWallets',
      'updatePasskey',
      'updatePassword',
      'verifyPasskey',
      'verifyPassword',
    ])
  })

  it('these calls ask for a device signature', () => {
    const asked = api.filter(({ access }) => access.device === true).map(({ id }) => id)

    expect(asked.sort()).toEqual([
      'claimPregenWallets',
      'createDelegation',
      'createKeyShares',
      'createOpeningTicket',
      'createPasskey',
      'createPassword',
      'createRecoveryPublicKeys',
      'createSessionJwt',
      'createWallet',
      'createWalletKeyShares',
      'deleteTemporaryShares',
      'endDelegation',
      'redeemOpening',
      'refreshKeys',
    ])
    expect(api.filter(({ access }) => access.device === 'optional').map(({ id }) => id)).toEqual(['touchSession'])
  })

  it('a delegated session signs, reads what it signs with, and leaves', () => {
    const named = api.flatMap(({ id, access }) =>
      access.delegation === undefined ? [] : [`${id} ${access.delegation}`],
    )

    expect(named.sort()).toEqual([
      'exchangeFrame SIGN',
      'getPartner READ',
      'getPendingTransaction READ',
      'listWallets READ',
      'logout READ',
      'sendTransaction SIGN',
      'signMessage SIGN',
      'signTransaction SIGN',
      'touchSession READ',
    ])
  })

  it('no credential is needed to log out, send a heartbeat, start OAuth, open a short link, verify JWTs and answers, and load files', () => {
    const anybody = api.filter(({ access }) => access.principals.includes('pub')).map(({ id }) => id)

    expect(anybody.sort()).toEqual([
      'beatOpening',
      'closeOpening',
      'getCosignerKeys',
      'getJwks',
      'getMpcModule',
      'getMpcWorkerBundle',
      'getPrimeWorker',
      'getTemporaryTransmission',
      'logout',
      'startOAuth',
    ])
  })
})

describe('security', () => {
  const host = { session: ['NEW'] }
  const key = { apiKey: [] }

  it('states who may call, from which state, and what the device signs', () => {
    expect(
      accessOf('call', [
        { session: ['VERIFIED'], deviceSignature: [] },
        { session: ['VERIFIED'] },
        { portal: [], partner: [] },
        { recovery: ['READY'], deviceSignature: [] },
        { recovery: ['FINISHED'], deviceSignature: [] },
        { delegation: ['SIGN'] },
        { partnerSecretKey: [] },
      ]),
    ).toEqual({
      principals: ['S', 'P', 'R', 'D', 'SK'],
      session: 'VERIFIED',
      recovery: ['READY', 'FINISHED'],
      delegation: 'SIGN',
      device: true,
    })
    expect(accessOf('call', [{ ...key, ...host }])).toMatchObject({ principals: ['K', 'S'], device: false })
    expect(accessOf('call', [host, {}])).toMatchObject({ principals: ['S', 'pub'] })
    expect(accessOf('call', [{ ...key, session: [], deviceSignature: [] }, key])).toEqual({
      principals: ['K'],
      session: undefined,
      recovery: [],
      delegation: undefined,
      device: 'optional',
    })
  })

  it.each<[string, readonly Alternative[]]>([
    ['no caller is allowed', []],
    ['a session without a state proves nothing by itself', [host, { session: [] }]],
    ['a session has one earliest state', [host, { session: ['VERIFIED'] }]],
    ['a recovery has a state', [{ recovery: [] }]],
    ['a delegation has a scope', [{ delegation: [] }]],
    ['only a session, a recovery and a delegation have a state, and one each', [{ portal: ['NEW'] }]],
    ['only a session, a recovery and a delegation have a state, and one each', [{ recovery: ['READY', 'FINISHED'] }]],
    ['the key is needed beside all tokens or none', [{ ...key, ...host }, { portal: [] }]],
    ['where a token is asked for, the key alone is not enough', [{ ...key, ...host }, key]],
    ['a portal session does not sign', [{ portal: [], deviceSignature: [] }]],
    ['a recovery signs where a session does', [{ ...host, deviceSignature: [] }, { recovery: ['READY'] }]],
  ])('is refused where %s', (fault, security) => {
    expect(() => accessOf('call', security)).toThrow(`security of call: ${fault}`)
  })
})

describe('an operation without what each request is checked by', () => {
  const generated = (path: string, declaration: Declaration) => () =>
    operationsOf({ paths: { [path]: { get: declaration } } })

  it('is refused by its name: x-rate', () => {
    for (const { id, path, declaration } of api) {
      const { 'x-rate': _, ...rest } = declaration
      expect(generated(path, rest)).toThrow(`x-rate of ${id} is none of R1, `)
      expect(generated(path, { ...rest, 'x-rate': 'R11' })).toThrow(`x-rate of ${id} is none of R1, `)
    }
  })

  it('is refused by its name: security', () => {
    for (const { id, path, declaration } of api) {
      const { security: _, ...rest } = declaration
      expect(generated(path, rest)).toThrow(`security of ${id}: no caller is allowed`)
    }
  })

  it('is refused by its name: a tag and a success', () => {
    for (const { id, path, declaration } of api) {
      const { tags: _, ...rest } = declaration
      expect(generated(path, rest)).toThrow(`${id} needs one tag, and one media type each way`)
      expect(generated(path, { ...declaration, responses: {} })).toThrow(`${id} needs one tag, and one media type`)
    }
  })

  it('is refused by its place: operationId', () => {
    for (const { path, declaration } of api) {
      const { operationId: _, ...rest } = declaration
      expect(generated(path, rest)).toThrow(`get ${path} has no operationId`)
    }
  })
})

describe('what is generated', () => {
  const committed = join(root, 'generated')
  let fresh = ''
  beforeAll(async () => {
    fresh = await mkdtemp(join(tmpdir(), 'tandem-contract-'))
    await generate(fresh)
  })
  afterAll(() => rm(fresh, { recursive: true }))

  it('is the committed files, byte for byte', async () => {
    const names = await filesIn(fresh)

    expect(names).toContain('api.ts')
    expect((await filesIn(committed)).filter((name) => name !== 'tsconfig.json')).toEqual(names)
    for (const name of names) {
      expect((await readFile(join(fresh, name))).equals(await readFile(join(committed, name))), name).toBe(true)
    }
  })
})

const filesIn = async (folder: string): Promise<readonly string[]> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort()
}

const hasExample = ({ example, examples }: Media): boolean =>
  example !== undefined || Object.keys(examples ?? {}).length > 0

const isRefusal = (status: string, { content, headers = {} }: Response): boolean => {
  const text = content['text/plain']
  return (
    text?.schema.type === 'string' &&
    hasExample(text) &&
    Object.keys(content).length === 1 &&
    'x-error-code' in headers &&
    (!['429', '503'].includes(status) || 'retry-after' in headers)
  )
}

const codesOf = ({ content }: Response): readonly string[] => Object.keys(content['text/plain']?.examples ?? {})

const idempotent = ({ parameters }: Operation): boolean => parameters.some(({ name }) => name === 'idempotency-key')

/** The places under a schema where text, list or object has no bound. */
const unbounded = (schema: Schema, place: string): readonly string[] => {
  const types = [schema.type ?? []].flat()
  const { additionalProperties, properties = {} } = schema
  const isMap = additionalProperties === true || typeof additionalProperties === 'object'
  return [
    ...(types.includes('string') && schema.maxLength === undefined && !isFixed(schema) ? [place] : []),
    ...(types.includes('array') && schema.maxItems === undefined ? [place] : []),
    ...(isMap && schema.maxProperties === undefined ? [place] : []),
    ...(schema.items === undefined ? [] : unbounded(schema.items, `${place}[]`)),
    ...(typeof additionalProperties === 'object' ? unbounded(additionalProperties, `${place}.*`) : []),
    ...[...(schema.allOf ?? []), ...(schema.anyOf ?? [])].flatMap((one) => unbounded(one, place)),
    ...Object.entries(properties).flatMap(([name, property]) => unbounded(property, `${place}.${name}`)),
  ]
}

const isFixed = (schema: Schema): boolean => schema.enum !== undefined || schema.const !== undefined
