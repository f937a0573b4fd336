/** The co-signer's queue alone: its threads do what a test says, and its time passes when a test says so. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { makeQueue, restMs, type End, type Limits, type Order } from '../../../adapters/service/cosigner/queue.ts'
import { times } from '../../kit/long.ts'

type Report = { readonly of: string; readonly isBan: boolean }

const patienceMs = 90_000

const makeScene = (changes: Partial<Limits<Report>> = {}) => {
  const spawned: { given: string[]; isEnded: boolean; report: (report: Report) => void; lost: () => void }[] = []
  const timers = new Map<number, { at: number; call: () => void }>()
  /** What came of each order's callers, in the order in which they were told. */
  const ends: string[] = []
  const checks = new Map<string, (mayBegin: boolean) => void>()
  let [now, lastTimer] = [0, 0]

  const queue = makeQueue<string, Report>(
    {
      spawn: ({ report, lost }) => {
        const thread = { given: [] as string[], isEnded: false, report, lost }
        spawned.push(thread)
        return { give: (work) => void thread.given.push(work), end: () => void (thread.isEnded = true) }
      },
      after: (ms, call) => {
        const id = ++lastTimer
        timers.set(id, { at: now + ms, call })
        return () => void timers.delete(id)
      },
    },
    {
      threads: 1,
      waiting: 64,
      waitingOfWallet: 4,
      waitingOfUser: 8,
      callers: 16,
      patienceMs,
      isBan: ({ isBan }) => isBan,
      ...changes,
    },
  )

  const put = (order: Order<string>) =>
    queue.put(
      order,
      (end: End<Report>) =>
        void ends.push(`${order.work} ${end.kind === 'reported' ? `is ${end.report.of}` : end.kind}`),
    )

  return {
    queue,
    spawned,
    timers,
    ends,
    sign: (work: string) => put({ work, goesFirst: true }),
    /** Computes no step. */
    open: (work: string, user = work, partner = 'partner') =>
      put({ work, goesFirst: false, asker: { userId: user, partnerId: partner } }),
    /** A step whose check passes at once, unless the test holds it back. */
    step: (
      work: string,
      of: { wallet?: string; user?: string; partner?: string; key?: string; transfers?: string; isHeld?: boolean } = {},
    ) =>
      put({
        work,
        goesFirst: false,
        step: {
          walletId: of.wallet ?? work,
          userId: of.user ?? work,
          partnerId: of.partner ?? 'partner',
          key: of.key ?? work,
          transfers: of.transfers,
          check: (done) => (of.isHeld === true ? void checks.set(work, done) : done(true)),
        },
      }),
    check: (work: string, mayBegin: boolean) => checks.get(work)?.(mayBegin),
    isChecked: (work: string) => checks.has(work),
    /** What the threads that have not ended were given, in their order. */
    given: () => spawned.filter(({ isEnded }) => !isEnded).map(({ given }) => given.join(' ')),
    /** The thread that has this work reports. */
    report: (of: string, isBan = false) => spawned.find(({ given }) => given.at(-1) === of)?.report({ of, isBan }),
    pass: (ms: number) => {
      now += ms
      for (const [id, { at, call }] of [...timers].sort(([, one], [, other]) => one.at - other.at)) {
        if (at <= now && timers.delete(id)) call()
      }
    },
  }
}

it('works on one step of a wallet at a time, and on steps of other wallets meanwhile', () => {
  const { step, report, given, ends } = makeScene({ threads: 2 })
  step('a1', { wallet: 'a' })
  step('a2', { wallet: 'a' })
  step('b1', { wallet: 'b' })

  expect(given()).toEqual(['a1', 'b1', ''])
  report('a1')
  expect(given()).toEqual(['a1 a2', 'b1', ''])
  expect(ends).toEqual(['a1 is a1'])
})

it('gives priority to signed answers', () => {
  const { step, sign, report, given } = makeScene()
  step('one')
  step('two')
  sign('answer')
  report('one')
  report('answer')

  expect(given()).toEqual(['one answer two', ''])
})

it('computes the same step once for all callers', () => {
  const { step, report, given, ends } = makeScene({ callers: 3 })
  step('first', { key: 'k' })
  const leave = step('second', { key: 'k' })
  step('third', { key: 'k' })
  step('fourth', { key: 'k' })
  leave()
  report('first')

  expect(given()).toEqual(['first', ''])
  expect(ends).toEqual(['fourth busy', 'first is first', 'third is first'])
  step('later', { key: 'k' })
  const leaveWaiting = step('waiting', { key: 'w' })
  step('with it', { key: 'w' })
  leaveWaiting()
  report('later')
  expect(given()).toEqual(['first later waiting', ''])
})

it('drops the waiting steps of a wallet with a failed check, and no others', () => {
  const { step, report, given, ends } = makeScene({ threads: 2 })
  step('a1', { wallet: 'a' })
  step('a2', { wallet: 'a', key: 'a2' })
  step('again', { wallet: 'a', key: 'a2' })
  step('b1', { wallet: 'b' })
  step('c1', { wallet: 'c' })
  report('a1', true)

  expect(ends).toEqual(['a1 is a1', 'a2 dropped', 'again dropped'])
  expect(given()).toEqual(['b1', 'c1'])
})

it('computes nothing more for transfers with a failed check, also where its check says yes', () => {
  const { step, report, given, ends, pass } = makeScene()
  step('a1', { wallet: 'a', transfers: 'a/1' })
  report('a1', true)
  step('a2', { wallet: 'a', transfers: 'a/1' })
  step('anew', { wallet: 'a', transfers: 'a/2' })

  expect(ends).toEqual(['a1 is a1', 'a2 dropped'])
  expect(given()).toEqual(['anew'])
  report('anew')
  pass(patienceMs)
  step('a3', { wallet: 'a', transfers: 'a/1' })
  expect(ends).toEqual(['a1 is a1', 'a2 dropped', 'anew is anew'])
})

it('drops the steps and replaces the thread before it reports the failed check', () => {
  const { step, spawned, queue, ends } = makeScene()
  const putAgain = () => void step('after', { wallet: 'a' })
  const caller = () => putAgain()
  queue.put(
    {
      work: 'bad',
      goesFirst: false,
      step: { walletId: 'a', userId: 'u', partnerId: 'p', key: 'bad', check: (done) => done(true) },
    },
    caller,
  )
  step('waiting', { wallet: 'a' })
  spawned[0]?.report({ of: 'bad', isBan: true })

  expect(spawned.map(({ given, isEnded }) => [given, isEnded])).toEqual([
    [['bad'], true],
    [['after'], false],
  ])
  expect(ends).toEqual(['waiting dropped'])
})

it('continues with the spare thread at once, and starts the next spare later', () => {
  const { step, report, given, spawned, pass } = makeScene()
  step('bad')
  step('next')
  expect(spawned).toHaveLength(2)
  report('bad', true)

  expect(spawned.map(({ isEnded }) => isEnded)).toEqual([true, false])
  expect(given()).toEqual(['next'])
  pass(restMs)
  expect(given()).toEqual(['next', ''])
  report('next', true)
  step('third')
  expect(given()).toEqual(['third'])
})

it('restores its number of threads after several losses at once, of the spare one too', () => {
  const { spawned, given, pass } = makeScene({ threads: 2 })
  for (const thread of [...spawned]) thread.lost()
  expect(given()).toEqual([])
  for (const thread of spawned) thread.lost()
  pass(restMs)

  expect(given()).toEqual(['', '', ''])
  pass(restMs)
  expect(spawned).toHaveLength(6)
})

it('runs the check directly before the order goes to a thread, with the wallet and a thread reserved', () => {
  const { step, check, isChecked, report, given, ends } = makeScene({ threads: 2 })
  step('a1', { wallet: 'a' })
  step('a2', { wallet: 'a', isHeld: true })
  expect(isChecked('a2')).toBe(false)
  report('a1')
  expect(isChecked('a2')).toBe(true)
  step('a3', { wallet: 'a' })
  step('b1', { wallet: 'b' })
  step('c1', { wallet: 'c' })
  expect(given()).toEqual(['a1', 'b1', ''])
  check('a2', true)
  check('a2', false)

  expect(given()).toEqual(['a1 a2', 'b1', ''])
  expect(ends).toEqual(['a1 is a1'])
})

it('drops an order whose check fails, and continues with the next', () => {
  const { step, check, given, ends } = makeScene()
  step('no', { wallet: 'a', isHeld: true })
  step('yes', { wallet: 'a' })
  check('no', false)

  expect(ends).toEqual(['no dropped'])
  expect(given()).toEqual(['yes', ''])
})

it('limits the orders in total, per user at a partner and per wallet', () => {
  const full = (limits: Partial<Limits<Report>>, of: { wallet?: string; user?: string }) => {
    const { step, ends, queue } = makeScene(limits)
    step('at work')
    const room = () =>
      queue.hasRoom({ walletId: of.wallet ?? 'other', userId: of.user ?? 'other', partnerId: 'partner' })
    const before = [room(), step('1', of), room(), step('2', of), room(), step('3', of)].filter(
      (is) => typeof is === 'boolean',
    )
    return [before, ends]
  }
  const refused = [[true, true, false], ['3 busy']]

  expect(full({ waiting: 2 }, {})).toEqual(refused)
  expect(full({ waitingOfUser: 2 }, { user: 'u' })).toEqual(refused)
  expect(full({ waitingOfWallet: 2 }, { wallet: 'w' })).toEqual(refused)
  expect(full({ waitingOfUser: 2, waitingOfWallet: 2 }, {})).toEqual([[true, true, true], []])
})

it('leaves a user whose orders of one partner wait the places of another', () => {
  const { step, ends } = makeScene({ waitingOfUser: 1 })
  step('at work')
  step('waits', { user: 'u', partner: 'a' })
  step('refused', { user: 'u', partner: 'a' })
  step('of b', { user: 'u', partner: 'b' })

  expect(ends).toEqual(['refused busy'])
})

it('counts all that a user has asked for at a partner, also orders that compute no step', () => {
  const { step, open, ends, queue } = makeScene({ waitingOfUser: 2 })
  const hasRoom = (userId: string, partnerId: string) => queue.hasRoom({ walletId: 'other', userId, partnerId })
  step('at work')
  open('1', 'u')
  step('2', { user: 'u' })
  open('3', 'u')
  step('4', { user: 'u' })
  open('5', 'u', 'another')
  open('6', 'v')

  expect(ends).toEqual(['3 busy', '4 busy'])
  expect([hasRoom('u', 'partner'), hasRoom('u', 'another'), hasRoom('v', 'partner')]).toEqual([false, true, true])
})

it('counts signed answers separately, and orders without a wallet in the total', () => {
  const { step, sign, open, ends, given } = makeScene({ waiting: 1 })
  step('at work')
  open('opened')
  step('late')
  sign('answer')
  sign('another')

  expect(ends).toEqual(['late busy', 'another busy'])
  expect(given()).toEqual(['at work', ''])
})

it('refuses everything without threads', () => {
  const { step, sign, open, ends, spawned, queue } = makeScene({ threads: 0 })
  step('step')
  sign('answer')
  open('opened')

  expect(ends).toEqual(['step busy', 'answer busy', 'opened busy'])
  expect(spawned).toEqual([])
  expect(queue.hasRoom({ walletId: 'w', userId: 'u', partnerId: 'p' })).toBe(false)
})

it('drops the order of a caller that leaves: one that still waits is not begun, one that a thread has is finished', () => {
  const { step, report, given, ends, timers } = makeScene()
  const leaveFirst = step('first')
  const leaveSecond = step('second')
  leaveFirst()
  leaveSecond()
  report('first')

  expect(given()).toEqual(['first', ''])
  expect(ends).toEqual([])
  expect(timers.size).toBe(0)
})

it('gives up an order that waits too long, and ends a thread that works too long', () => {
  const { step, given, ends, pass, spawned } = makeScene()
  step('slow')
  step('behind', { wallet: 'slow' })
  step('last')
  pass(patienceMs - 1)
  expect(ends).toEqual([])
  pass(1)

  expect(ends.toSorted()).toEqual(['behind busy', 'last busy', 'slow busy'])
  expect(spawned[0]?.isEnded).toBe(true)
  pass(restMs)
  step('new')
  expect(given().some((works) => works === 'new')).toBe(true)
})

it('keeps the thread of a check that does not answer in time, and ignores its late answer', () => {
  const { step, check, given, ends, pass, spawned } = makeScene()
  step('held', { isHeld: true })
  pass(patienceMs)
  step('next')
  check('held', true)

  expect(ends).toEqual(['held busy'])
  expect(given()).toEqual(['next', ''])
  expect(spawned.map(({ isEnded }) => isEnded)).toEqual([false, false])
})

it('settles the order of a thread that ends by itself, and ignores reports of threads that have ended', () => {
  const { step, report, given, ends, spawned, pass } = makeScene()
  step('poison')
  step('next')
  spawned[0]?.lost()
  spawned[0]?.lost()
  report('poison')

  expect(ends).toEqual(['poison busy'])
  expect(given()).toEqual(['next'])
  pass(restMs)
  spawned[0]?.lost()
  report('next', true)
  step('last')
  expect(given()).toEqual(['last'])
})

it('ends everything when it stops', () => {
  const { step, sign, queue, ends, spawned, pass, report } = makeScene()
  step('at work')
  step('waiting')
  sign('answer')
  spawned.at(-1)?.lost()
  queue.stop()
  report('at work')
  step('late')
  pass(patienceMs)

  expect(ends).toEqual(['answer busy', 'waiting busy', 'at work busy', 'late busy'])
  expect(spawned.map(({ isEnded }) => isEnded)).toEqual([true, true])
})

it('never has two steps of a wallet at work, loses no order, and gives none to a thread that was replaced', () => {
  const moves = fc.array(fc.tuple(fc.nat(5), fc.nat(7), fc.nat(3)), { maxLength: 60 })
  fc.assert(
    fc.property(moves, fc.integer({ min: 1, max: 3 }), (sequence, threads) => {
      const scene = makeScene({ threads, waiting: 5, waitingOfWallet: 2, waitingOfUser: 3 })
      const put: string[] = []
      const walletOf = (work: string) => work.split('.')[0]
      const working = () =>
        scene.spawned.filter(({ isEnded, given }) => !isEnded && given.length > 0 && !isDone(given.at(-1)))
      const isDone = (work: string | undefined) => scene.ends.some((end) => end.startsWith(`${work} `))
      for (const [move, which, wallet] of sequence) {
        const work = `${wallet}.${put.length}`
        if (move < 3) {
          put.push(work)
          scene.step(work, { wallet: String(wallet), user: String(wallet % 2), isHeld: move === 2 })
        } else if (move === 3) scene.check(put[which] ?? '', which % 2 === 0)
        else if (move === 4) scene.pass(restMs)
        else {
          const thread = working()[which % Math.max(1, working().length)]
          const given = thread?.given.at(-1)
          if (given !== undefined) thread?.report({ of: given, isBan: which === 7 })
        }
        const wallets = working().map(({ given }) => walletOf(given.at(-1) ?? ''))
        expect(new Set(wallets).size).toBe(wallets.length)
        expect(working().length).toBeLessThanOrEqual(threads)
      }
      scene.pass(patienceMs)
      scene.pass(patienceMs)
      expect(scene.ends.map((end) => end.split(' ')[0]).toSorted()).toEqual(put.toSorted())
    }),
    { numRuns: times(100, 1_000) },
  )
})
