/** What happens in a schedule: its swarm by the seed, and people, cheaters and operators at times that the schedule chooses. */
import { policyNames } from './policies.ts'
import { prng } from './Sim.ts'
import { calm, skewsMs, verbs, type Restores, type Swarm, type Verb } from './swarm.ts'

/** `policy`: any of the others, with a policy. */
export const families = ['honest', 'hostile', 'restore', 'policy'] as const
export type Family = (typeof families)[number]

/** Which seeds have a cheater, and which a restored older database. */
const familyOf = (seed: number): Exclude<Family, 'policy'> => {
  const drawn = prng(seed ^ 0x3c6ef372)() % 10
  return drawn < 4 ? 'honest' : drawn < 8 ? 'hostile' : 'restore'
}

/** Verbs of most schedules. */
const core: readonly Verb[] = ['sign', 'refresh', 'resume', 'attach']

export const swarmOf = (seed: number, only?: Family): Swarm => {
  const family = only === undefined || only === 'policy' ? familyOf(seed) : only
  const next = prng(seed ^ 0x2545f491)
  const below = (n: number) => next() % n
  const drawn = faultsOf(seed, family)
  // A clock of another day has that day's failed setups.
  const swarm = drawn.setupGuesses > 0 ? { ...drawn, skew: Math.min(drawn.skew, skewsMs[0]) } : drawn
  const hasPolicy = below(policyOneIn) === 0 || only === 'policy'
  if (swarm.onKernel) return swarm
  return hasPolicy ? withPolicy(swarm, below) : withSecond(swarm, seed)
}

/** Where a recovery may leave the other wallet behind, people recover more often. */
const withSecond = (swarm: Swarm, seed: number): Swarm => {
  const second = secondOf(seed)
  const lacksBackup = second !== undefined && prng(seed ^ 0x3ade68b1)() % 6 === 0
  return lacksBackup ? { ...swarm, second, lacksBackup, kinds: ['recover', ...swarm.kinds] } : { ...swarm, second }
}

/** Drawn by itself: a wallet of the other scheme, or of the other chain of the same. */
const secondOf = (seed: number): Swarm['second'] => {
  const drawn = prng(seed ^ 0x2c1b3c6d)() % 6
  return drawn === 0 ? 'SOLANA' : drawn === 1 ? 'COSMOS' : undefined
}

/** It is drawn by itself, so that the schedules without one are as they would be if none had one. */
const withPolicy = (swarm: Swarm, below: (n: number) => number): Swarm => ({
  ...swarm,
  // Versions of policies are counted by the marks.
  restores: swarm.restores === undefined ? undefined : { ...swarm.restores, setsMarksBack: false },
  verbs: swarm.verbs + 2 + below(3),
  kinds: ['pay', 'pay', 'pay', ...swarm.kinds],
  policy: {
    names: Array.from({ length: 1 + below(3) }, () => policyNames[below(policyNames.length)] ?? 'open'),
    forges: below(2) === 0,
    writes: below(4) === 0,
    late: below(3) === 0,
  },
})

const policyOneIn = 6

const faultsOf = (seed: number, family: Exclude<Family, 'policy'>): Swarm => {
  const next = prng(seed ^ 0x77777777)
  const below = (n: number) => next() % n
  const maybe = (oneIn: number, chance = 2) => (below(chance) === 0 ? oneIn : 0)
  // Drawn by itself: most schedules that reach these failpoints have no process die before.
  const rareKills = prng(seed ^ 0x1f83d9ab)() % 3 === 0 ? 4 : 0
  const swarm: Swarm = {
    ...calm,
    losses: maybe(12),
    doubles: maybe(8),
    lates: maybe(16, 3),
    kills: maybe(32),
    statementKills: maybe(200, 3),
    rareKills,
    lostCommits: maybe(40, 4),
    fullDisk: fullDiskOf(prng(seed ^ 0x3f84d5b5)),
    silentNode: prng(seed ^ 0x2f1c4b87)() % 6 === 0 ? 3 : 0,
    lateReads: prng(seed ^ 0x1b873593)() % 3 === 0 ? 8 : 0,
    lostThreads: maybe(10, 4),
    threads: 1 + below(2),
    queue: below(8) === 0 ? 1 : 64,
    replicas: below(2) === 0 ? 1 : 2,
    pageKills: maybe(4),
    evictions: below(4) === 0,
    skew: below(4) === 0 ? skewOf(prng(seed ^ 0x64e1b3a5)) : 0,
    upkeep: below(4) === 0,
    shuffles: below(2) === 0,
    verbs: below(4) === 0 ? 3 + below(3) : 1 + below(3),
    kinds: kindsOf(below),
  }
  const posted = postsMail(seed, swarm.kinds) ? { postsMail: true } : {}
  switch (family) {
    case 'honest':
      return { ...swarm, ...posted, onKernel: below(kernelOneIn) === 0 }
    case 'hostile':
      return {
        ...swarm,
        ...posted,
        ...cheats(seed, below),
        restores: below(4) === 0 ? restoresOf(seed, below) : undefined,
      }
    case 'restore':
      return { ...swarm, ...posted, ...(below(2) === 0 ? cheats(seed, below) : {}), restores: restoresOf(seed, below) }
  }
}

/** It costs a look of the worker each two seconds, so only where somebody asks for a code, and there in one of four. Drawn by itself. */
const postsMail = (seed: number, kinds: readonly Verb[]): boolean =>
  (kinds.includes('signUp') || kinds.includes('recover')) && prng(seed ^ 0x52dce729)() % 4 === 0

/** Drawn by itself. Nearly always for as long as people try again, or now and then. */
const fullDiskOf = (next: () => number): number => (next() % 12 === 0 ? ([2, 6][next() % 2] ?? 0) : 0)

/** Drawn by itself. */
const skewOf = (next: () => number): number => skewsMs[next() % 4] ?? skewsMs[0]

/** How rarely an honest schedule, and these are 4 in 10, computes the product's protocols: it takes as long as 30 others. */
const kernelOneIn = 400

/** A schedule lacks some verbs, so that the others meet often. */
const kindsOf = (below: (n: number) => number): readonly Verb[] => {
  const others = verbs.filter((verb) => !core.includes(verb))
  const chosen = below(2) === 0 ? others.filter(() => below(3) === 0) : []
  const left = below(3) === 0 ? core.filter(() => below(2) === 0) : core
  return [...(left.length > 0 ? left : core), ...chosen]
}

const cheats = (seed: number, below: (n: number) => number): Partial<Swarm> => {
  const cheating = {
    ...otherCheats(prng(seed ^ 0x6c078965)),
    guesses: 2 + below(2),
    guessesApart: below(3) === 0,
    forks: below(2) === 0,
    replays: below(2) === 0,
    setupGuesses: below(12) === 0 ? 12 + below(20) : 0,
    writes: below(8) === 0,
  }
  // A wrong guess in a signature bans the wallet, which ends the guesses in its setups. Drawn by itself.
  const inSetupsAlone = cheating.setupGuesses > 0 && prng(seed ^ 0x4f1bbcdc)() % 2 === 0
  return inSetupsAlone ? { ...cheating, guesses: 0 } : cheating
}

/** Drawn by themselves, so that the schedules without them are as they would be if there were none. */
const otherCheats = (next: () => number): Partial<Swarm> => ({
  foreign: next() % 4 === 0,
  abandoned: next() % 4 === 0 ? 1 + (next() % 3) : 0,
  twin: next() % 8 === 0,
})

const restoresOf = (seed: number, below: (n: number) => number): Restores => {
  const restarts = below(3) > 0
  const setsFolderBack = restarts && below(3) === 0
  const restores = { restarts, setsFolderBack, ...folderOf(prng(seed ^ 0x510e527f), setsFolderBack) }
  return restores.setsFolderBack && prng(seed ^ 0x4be98134)() % 4 === 0 ? { ...restores, losesFolder: true } : restores
}

/** Drawn by itself, so that the schedules in which no folder is older alone are as they would be if none were. */
const folderOf = (next: () => number, setsFolderBack: boolean): Partial<Restores> => {
  if (next() % 4 === 0)
    return {
      restarts: true,
      setsFolderBack: true,
      keepsDatabase: true,
      setsMarksBack: next() % 2 === 0,
      refuses: next() % 2 === 0,
    }
  return setsFolderBack && next() % 3 === 0 ? { setsMarksBack: true } : {}
}
