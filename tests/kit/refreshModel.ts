/**
 * Events of a refresh in any order (domain/service/protocol/README.md#refresh-and-epochs): drives the real flows of
 * client and service, and checks after every step that both sides still hold halves of the same sharing, and at the end
 * that the wallet signs.
 */
import { bytesToHex } from '@noble/hashes/utils.js'
import * as fc from 'fast-check'
import { refreshLimits } from '../../domain/service/Refresh.ts'
import { runLimits } from '../../domain/service/Run.ts'
import type { Arithmetic, Fault, ModelWorld, Scene, SceneDevice } from './refreshScene.ts'

/**
 * Everything is seen on the scene itself; the model knows what a device may be asked for, and which one may have to log in
 * before it signs: a device that was never overtaken by another device, an older database or a ban signs without.
 */
type Model = { readonly usable: Set<number>; readonly mayLogIn: Set<number> }

type Command = fc.AsyncCommand<Model, Situation>
type Situation = { readonly scene: Scene; snapshot?: Awaited<ReturnType<Scene['snapshot']>>; isRestored?: boolean }

class Step implements Command {
  readonly name: string
  readonly ready: (model: Model) => boolean
  readonly act: (model: Model, situation: Situation) => Promise<unknown>

  constructor(name: string, act: Step['act'], ready: Step['ready'] = () => true) {
    this.name = name
    this.act = act
    this.ready = ready
  }

  check(model: Readonly<Model>): boolean {
    return this.ready(model)
  }

  async run(model: Model, situation: Situation): Promise<void> {
    await this.act(model, situation)
    await situation.scene.settled()
    await requireSafe(situation)
  }

  toString(): string {
    return this.name
  }
}

/** S1: no two shares of different sharings signed together, and the address stays the same. */
const requireSafe = async ({ scene, isRestored }: Situation): Promise<void> => {
  const { faults, witness } = scene
  if (faults.length > 0) throw new Error(faults.join('; '))
  if (witness.met.length > 0) throw new Error(`signed together: ${witness.met.join(', ')}`)
  const { isSameWallet, active, provider, backups, held } = await scene.look()
  if (!isSameWallet) throw new Error('the wallet has another key or address')
  const existing = provider.find(({ shareId }) => shareId === active)
  if (existing === undefined) throw new Error('the provider lacks its half of the current sharing')
  const isOther = (share: (typeof backups)[number]) =>
    bytesToHex(share.shareId) === active &&
    (existing.share === undefined || scene.belongTogether(share, existing.share))
  // A device that brought its later sharing back to an older database has its only copy until it stores the backups.
  const copies = isRestored === true ? [...backups, ...held] : backups
  if (!copies.some(isOther)) throw new Error('no backup holds the current sharing')
  const known = [...backups, ...held].map(({ shareId }) => bytesToHex(shareId))
  if (!provider.some(({ shareId }) => known.includes(shareId))) throw new Error('no sharing has both halves')
}

const kinds: readonly Fault['kind'][] = [
  'request lost',
  'answer lost',
  'sent twice',
  'comes late',
  'comes again late',
  'device crashes before',
  'device crashes after',
  'co-signer dies',
  'another tab starts',
]

const fault = fc.option(
  fc.record({
    // More often at the confirmation, which is the 7th request with ED25519 and the 9th with DKLS.
    at: fc.oneof(fc.integer({ min: 1, max: 14 }), fc.constantFrom(7, 9)),
    kind: fc.constantFrom(...kinds),
    lasts: fc.boolean(),
    failpoint: fc.integer({ min: 0, max: 5 }),
  }),
  { nil: undefined, freq: 4 },
)

const device = fc.constantFrom(0, 1)

const told = (of: Fault | undefined) =>
  of === undefined
    ? ''
    : `, ${of.at}: ${of.kind}${of.kind === 'co-signer dies' ? ` at ${of.failpoint}` : ''}${of.lasts ? ' for good' : ''}`

const at = ({ scene }: Situation, index: number): SceneDevice => scene.devices[index === 0 ? 0 : 1]
const isUsable = (index: number) => (model: Model) => model.usable.has(index)

type Verb = 'refresh' | 'sign' | 'reload'
const verb = fc.constantFrom<Verb>('refresh', 'refresh', 'sign', 'reload')

const does = fc.tuple(verb, device, fault).map(
  ([what, index, wrong]) =>
    new Step(
      `${what} ${index}${told(wrong)}`,
      (model, situation) => {
        if (what === 'refresh') model.mayLogIn.add(1 - index)
        return at(situation, index)[what](wrong)
      },
      isUsable(index),
    ),
)

/** Two devices at once. */
const together = fc.tuple(verb, device, fault, verb).map(
  ([one, first, wrong, other]) =>
    new Step(
      `${one} ${first}${told(wrong)} while ${other} ${1 - first}`,
      async ({ mayLogIn }, situation) => {
        if (one === 'refresh') mayLogIn.add(1 - first)
        if (other === 'refresh') mayLogIn.add(first)
        const [here, there] = [at(situation, first), at(situation, 1 - first)]
        return Promise.all([here[one](wrong), there[other]()])
      },
      ({ usable }) => usable.size === 2,
    ),
)

const logsIn = fc.tuple(device, fc.boolean(), fault).map(
  ([index, leaves, wrong]) =>
    new Step(`${leaves ? 'logout, ' : ''}login ${index}${told(wrong)}`, async (model, situation) => {
      model.mayLogIn.add(index)
      if (leaves && model.usable.has(index)) await at(situation, index).logout()
      model.usable.add(index)
      return at(situation, index).login(wrong)
    }),
)

const wipes = device.map(
  (index) =>
    new Step(`wipe ${index}`, (model, situation) => {
      model.usable.delete(index)
      // Its earlier requests may still arrive.
      for (const one of [0, 1]) model.mayLogIn.add(one)
      at(situation, index).wipe()
      return Promise.resolve()
    }),
)

const turns = fc.constantFrom(1_000, refreshLimits.lease / 2, refreshLimits.lease, runLimits.life * 2).map(
  (ms) =>
    new Step(`${ms / 1000} s later`, (_, { scene }) => {
      scene.advance(ms)
      return Promise.resolve()
    }),
)

const arrives = fc.constant(new Step('what was late arrives', (_, { scene }) => scene.deliverLate()))

const cheats = device.map(
  (index) =>
    new Step(
      `cheat ${index}`,
      async (model, situation) => {
        const { witness } = situation.scene
        for (const one of [0, 1]) model.mayLogIn.add(one)
        witness.cheats = true
        await at(situation, index).sign()
        witness.cheats = false
      },
      isUsable(index),
    ),
)

const copies = fc.constant(
  new Step('a copy of the database', async (_, situation) => {
    situation.snapshot = await situation.scene.snapshot()
  }),
)

const restores = fc.constant(
  new Step('the copy is restored', async (model, situation) => {
    if (situation.snapshot === undefined) return
    for (const one of [0, 1]) model.mayLogIn.add(one)
    await situation.scene.restore(situation.snapshot)
    situation.isRestored = true
  }),
)

const steps = (arithmetic: Arithmetic): fc.Arbitrary<Command>[] => [
  ...[does, does, does, does, together, together],
  ...[logsIn, wipes, turns, arrives, copies, restores],
  // Only toy protocols have a cheater without arithmetic.
  ...(arithmetic === 'toy' ? [cheats] : []),
]

/**
 * L1: once nothing goes wrong any more, every device signs, at the latest after a login. A database that is older than the last refresh
 * may have to get its share back from the device that made it, before the other one signs; where that device lost it, too, the copy
 * has lost the wallet (adapters/service/vault/README.md).
 */
const heal = async (situation: Situation, model: Model): Promise<void> => {
  const { scene } = situation
  await scene.deliverLate()
  scene.advance(2 * refreshLimits.lease + runLimits.life)
  if (situation.isRestored === true)
    for (const [index] of scene.devices.entries()) await healDevice(situation, model, index)
  const healed = []
  for (const [index] of scene.devices.entries()) healed.push(await healDevice(situation, model, index))
  if (situation.isRestored === true && healed.every((failure) => failure?.endsWith('ProviderShareLost') === true))
    return
  const [failure] = healed.filter((one) => one !== undefined)
  if (failure !== undefined) throw new Error(failure)
  const refreshed = await scene.laptop.refresh()
  if (refreshed.kind !== 'done') throw new Error(`no refresh: ${JSON.stringify(refreshed)}`)
  const { provider } = await scene.look()
  if (provider.length !== 1) throw new Error('a retained half was never erased')
  const outdated = await scene.phone.sign()
  if (outdated.kind !== 'failed' || outdated.tag !== 'KeyShareOutOfDate') {
    throw new Error(`the old share is not out of date: ${JSON.stringify(outdated)}`)
  }
  if ((await scene.laptop.sign()).kind !== 'done') throw new Error('the new shares do not sign')
  await requireSafe({ scene })
}

/** Why the device does not sign, if it does not. */
const healDevice = async ({ scene }: Situation, model: Model, index: number): Promise<string | undefined> => {
  const one = scene.devices[index]
  if (one === undefined) throw new Error(`there is no device ${index}`)
  const resumed = await one.reload()
  const signs = model.usable.has(index) ? await one.sign() : undefined
  if (signs?.kind !== 'done') {
    if (!model.mayLogIn.has(index)) throw new Error(`${one.name} needs a login: ${JSON.stringify({ resumed, signs })}`)
    const entered = await one.login()
    const again = await one.sign()
    if (again.kind !== 'done') {
      const said = JSON.stringify({ resumed, signs, entered })
      return `${one.name} does not sign: ${said}, then ${again.kind === 'failed' ? again.tag : again.kind}`
    }
  }
  if ((await one.candidates()) > 0) throw new Error(`${one.name} keeps a candidate for ever`)
  return undefined
}

/**
 * Runs that many sequences, each on its own wallet, in a world that others may use at once. Fails with the shortest
 * that fails.
 */
export const runSequences = async (
  world: ModelWorld,
  {
    count,
    arithmetic,
    ...replay
  }: {
    readonly count: number
    readonly arithmetic: Arithmetic
    /** The report of a sequence that failed. */
    readonly seed?: number
    readonly path?: string
  },
): Promise<{ readonly sequences: number; readonly steps: number }> => {
  let [sequences, taken] = [0, 0]
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('DKLS' as const, 'ED25519' as const),
      fc.commands<Model, Situation, false>(steps(arithmetic), { maxCommands: 12 }),
      async (scheme, commands) => {
        const situation: Situation = { scene: await world.makeScene(scheme) }
        const model: Model = { usable: new Set([0, 1]), mayLogIn: new Set() }
        await fc.asyncModelRun(() => ({ model, real: situation }), commands)
        await heal(situation, model)
        sequences += 1
        taken += [...commands].length
      },
    ),
    { numRuns: count, ...replay },
  )
  return { sequences, steps: taken }
}
