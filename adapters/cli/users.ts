/** `tandem users`: what an operator sees of a user and does for one. No share and no key is within reach. */
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import * as Result from 'effect/Result'
import type { NotFound } from '../../domain/service/NotFound.ts'
import type { ReasonRequired } from '../../domain/service/operator.ts'
import { deleteUser, endSessions, freezeUser, showUser, unfreezeUser } from '../../domain/service/userChanges.ts'
import { DatabaseGenerationOfCosigners } from '../service/database/DatabaseGeneration.ts'
import type { Configuration } from '../service/config.ts'
import { repositories } from '../service/layers.ts'
import { operatorLayers } from '../service/operatorLayers.ts'
import { shareKeysIn } from '../service/vault/ShareKeys.ts'
import { ShareKeysFolder } from '../service/vault/ShareKeysFolder.ts'
import { shareKeysOf } from '../service/vault/vaultOf.ts'
import { counted } from '../service/counted.ts'
import { onDatabase, requireCosignerFolder, type Require } from './deployment.ts'
import type { Call, Ended, Problem } from './Verb.ts'

export const show = async (call: Call): Ended =>
  Result.map(await onUsers(call, showUser(userOf(call))), (user) => {
    const { id, identity, hasCredential, isFrozen, createdAt, recoveredAt, sessions, wallets } = user
    const rows: readonly (readonly [string, string])[] = [
      ['user', id],
      ['identity', Object.values(identity).join(' ')],
      ['credential', hasCredential ? 'yes' : 'none'],
      ['frozen', isFrozen ? 'yes' : 'no'],
      ['made', timeOf(createdAt)],
      ['recovered', timeOf(recoveredAt)],
      ['sessions', String(sessions)],
      ...wallets.map(
        ({ id: wallet, type, state, address }) => ['wallet', `${type} ${state} ${address ?? ''} ${wallet}`] as const,
      ),
    ]
    return { exitCode: 0, text: rows.map(([name, value]) => `${name.padEnd(10)}  ${value}`).join('\n'), data: { user } }
  })

export const end = async (call: Call): Ended =>
  Result.map(await onUsers(call, endSessions(userOf(call), call.reason)), (data) => ({
    exitCode: 0,
    text: `Ended ${counted(data.sessions, 'session')} of user ${data.userId}.`,
    data,
  }))

export const freeze = async (call: Call): Ended =>
  Result.map(await onUsers(call, freezeUser(userOf(call), call.reason)), (data) => ({
    exitCode: 0,
    text: `User ${data.userId} is frozen, and nothing is signed. Ended ${counted(data.sessions, 'session')}.`,
    data,
  }))

export const unfreeze = async (call: Call): Ended =>
  Result.map(await onUsers(call, unfreezeUser(userOf(call), call.reason)), (data) => ({
    exitCode: 0,
    text: `User ${data.userId} can sign in again.`,
    data,
  }))

export const remove = async (call: Call): Ended =>
  Result.map(await onUsers(call, deleteUser(userOf(call), call.reason), requireFolder), (data) => ({
    exitCode: 0,
    text: [
      `User ${data.userId} is deleted, with ${counted(data.wallets, 'wallet')} and all shares.`,
      'A backup that was made before has the user: after its restore, delete it once more.',
    ].join('\n'),
    data,
  }))

const requireFolder = requireCosignerFolder('The keys of shares are kept there: give the folder of the co-signers.')

const userOf = ({ given: [user = ''] }: Call): string => user

const layersOf = (configuration: Configuration) =>
  Layer.mergeAll(
    repositories,
    DatabaseGenerationOfCosigners,
    ShareKeysFolder(shareKeysIn(shareKeysOf(configuration))),
  ).pipe(Layer.provideMerge(operatorLayers(configuration, { asCosigner: false })))

const onUsers = <A>(
  call: Call,
  flow: Effect.Effect<A, NotFound | ReasonRequired, Layer.Success<ReturnType<typeof layersOf>>>,
  require?: Require,
): Promise<Result.Result<A, Problem>> =>
  onDatabase(
    call,
    (configuration) => Effect.provide(flow, layersOf(configuration)),
    () => ({
      code: 'failed',
      message: `There is no user ${userOf(call)}.`,
      fix: 'Give the whole id, or the whole e-mail address.',
    }),
    require,
  )

const timeOf = (ms: number | null): string => (ms === null ? 'never' : new Date(ms).toISOString())
