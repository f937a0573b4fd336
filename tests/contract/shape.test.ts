/** The contract says of every call what the spec and our own rules want said: nothing forgotten, nothing left open. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Media, type Operation, type Response, type Schema, operationsOf } from '../../openapi/Document.ts'
import { generate, resolved } from '../../openapi/generate.ts'

const root = join(import.meta.dirname, '../..')
const api = operationsOf(await resolved(join(root, 'openapi/openapi.yaml')))
const offload = operationsOf(await resolved(join(root, 'openapi/offload.yaml')))

const user = '/users/{userId}'
const wallet = `${user}/wallets/{walletId}`
const external = `${user}/external-wallets/{address}`
const recovered = '/recovery/users/{userId}/wallets/{walletId}'

/** Spec §7, in its order, and the OAuth start of §2. */
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

/** Flows 1, 2, 6.12 and 14. */
const ours = {
  registerSessionKeys: 'POST /sessions/{sessionId}/keys',
  createOpening: 'POST /openings',
  getOpening: 'GET /openings/{openingId}',
  createOpeningTicket: 'POST /openings/{openingId}/ticket',
  createOpeningToken: 'POST /openings/{openingId}/token',
  beatOpening: 'POST /openings/{openingId}/beat',
  closeOpening: 'POST /openings/{openingId}/close',
  redeemOpening: 'POST /openings/{openingId}/redeem',
  deleteTemporaryShares: `DELETE ${user}/temporary-shares`,
  exchangeFrame: 'POST /protocol',
}

/** Spec §7, optional offload server. */
const offloaded = {
  createWallet: 'POST /wallets',
  sendTransaction: 'POST /wallets/{walletId}/transactions/send',
  signMessage: 'POST /wallets/{walletId}/messages/sign',
}

/** The calls of the spec that need no body (facts 1: POSTs without one). */
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
  ])('of %s are those of the spec and ours, each under its own id', (_, operations, calls) => {
    const found = operations.map(({ id, method, path }) => [id, `${method} ${path}`])

    expect(new Set(found.map(([id]) => id)).size).toBe(found.length)
    expect(Object.fromEntries(found)).toEqual(calls)
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
  const { declaration, method, parameters, path, principals } = operation
  const { requestBody, responses, security, summary } = declaration
  const refusals = Object.entries(responses).filter(([status]) => status !== '200')

  it('says in one line what it does', () => {
    expect(summary).toMatch(/^[^\n]{8,110}\.$/)
  })

  it('shows a request and an answer', () => {
    const media = [...Object.values(requestBody?.content ?? {}), ...Object.values(responses['200'].content)]

    expect(media.filter((one) => !hasExample(one))).toEqual([])
  })

  it('succeeds with 200 only', () => {
    const statuses = Object.keys(responses)

    expect(statuses.filter((status) => !/^[45]\d\d$/.test(status))).toEqual(['200'])
  })

  it('refuses in plain text with a sentence and a code', () => {
    expect(refusals.filter(([status, response]) => !isRefusal(status, response))).toEqual([])
  })

  it('names the refusals that its request can bring about', () => {
    const wanted = [
      ...(requestBody === undefined ? [] : ['400']),
      ...(needsKeyOrToken(operation) ? ['401'] : []),
      ...(path.includes('/{userId}') ? ['404'] : []),
      ...(idempotent(operation) ? ['422'] : []),
      '503',
    ]

    expect(refusals.map(([status]) => status)).toEqual(expect.arrayContaining(wanted))
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

  it('asks for the headers of those who may call it', () => {
    const alternatives = security.map((schemes) => Object.keys(schemes))
    const ofTokens = alternatives.filter((schemes) => schemes.includes('session'))
    const others = alternatives.filter((schemes) => !schemes.includes('session'))
    const tokens = principals.filter((principal) => ['S', 'P', 'R'].includes(principal))

    expect(principals.length).toBeGreaterThan(0)
    expect(principals.filter((principal) => !['K', 'S', 'P', 'R', 'SK', 'pub'].includes(principal))).toEqual([])
    expect(ofTokens.length > 0 || tokens.length === 0).toBe(true)
    expect(ofTokens.every((schemes) => schemes.includes('apiKey')) || !principals.includes('K')).toBe(true)
    expect(others.some((schemes) => schemes.includes('apiKey'))).toBe(principals.includes('K') && tokens.length === 0)
    expect(others.some((schemes) => schemes.includes('partnerSecretKey'))).toBe(principals.includes('SK'))
    expect(others.some((schemes) => schemes.length === 0)).toBe(principals.includes('pub'))
    expect(alternatives.some((schemes) => schemes.includes('deviceSignature'))).toBe(operation.device !== false)
  })
})

describe('who may call', () => {
  it('a host token alone does not authenticate, accept or deliver shares', () => {
    const portalOnly = api.filter(({ principals }) => principals.join() === 'P').map(({ id }) => id)

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

  it('a device signature is asked for where flows mark +D', () => {
    const asked = api.filter(({ device }) => device === true).map(({ id }) => id)

    expect(asked.sort()).toEqual([
      'claimPregenWallets',
      'createKeyShares',
      'createOpeningTicket',
      'createPasskey',
      'createPassword',
      'createRecoveryPublicKeys',
      'createWallet',
      'createWalletKeyShares',
      'deleteTemporaryShares',
      'redeemOpening',
      'refreshKeys',
    ])
    expect(api.filter(({ device }) => device === 'optional').map(({ id }) => id)).toEqual(['touchSession'])
  })

  it('anybody may log out, beat, start OAuth, open a short link and load files', () => {
    const anybody = api.filter(({ principals }) => principals.includes('pub')).map(({ id }) => id)

    expect(anybody.sort()).toEqual([
      'beatOpening',
      'closeOpening',
      'getMpcModule',
      'getMpcWorkerBundle',
      'getPrimeWorker',
      'getTemporaryTransmission',
      'logout',
      'startOAuth',
    ])
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

  it('is what is committed, byte for byte', async () => {
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

const needsKeyOrToken = ({ principals }: Operation): boolean => !principals.includes('pub')

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
