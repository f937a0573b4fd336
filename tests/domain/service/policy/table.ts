/** Tables of payloads, each beside the attack that looks like it: what a policy says about both, and why. */
import * as Result from 'effect/Result'
import { describe, expect, it } from 'vitest'
import { factsOf } from '../../../../domain/service/policy/facts.ts'
import type { Asked } from '../../../../domain/service/policy/facts/Facts.ts'
import { judge, type Judgement } from '../../../../domain/service/policy/judge.ts'
import { read, type Policy, type Rule } from '../../../../domain/service/policy/Policy.ts'
import type { SigningRequest } from '../../../../domain/mpc/SigningRequest.ts'

export type Answer = {
  readonly asked: Asked
  readonly effect: Judgement['effect']
  /** Part of the sentence. */
  readonly because: string
}

export type Row = {
  readonly name: string
  readonly policy: Policy | undefined
  /** What was spent before, of every asset. */
  readonly spent?: bigint
  readonly good: Answer
  readonly attack: Answer & { readonly name: string }
}

export const policy = (byDefault: Policy['default'], rules: readonly Rule[], lists?: Policy['lists']): Policy =>
  Result.getOrThrow(read({ tandem: 'policy/1', default: byDefault, rules, ...(lists === undefined ? {} : { lists }) }))

export const rule = (effect: Rule['effect'], when: Rule['when'], more: Partial<Rule> = {}): Rule => ({
  id: effect,
  effect,
  when,
  ...more,
})

export const limit = (asset: string, max: string, over: 'deny' | 'review' = 'deny') => ({
  limits: [{ asset, max, per: '24h', of: 'user', over } as const],
})

export const ask = (request: SigningRequest, more: Partial<Asked> = {}): Asked => {
  const isSolana = request.kind.startsWith('solana')
  const type = isSolana ? 'SOLANA' : request.kind.startsWith('cosmos') ? 'COSMOS' : 'EVM'
  return {
    request,
    scheme: isSolana ? 'ED25519' : 'DKLS',
    wallet: { type, address: '', ageMs: 1_000_000_000 },
    deviceAgeMs: 1_000_000_000,
    origin: 'https://shop.example',
    optedIn: false,
    ...more,
  }
}

export const describeTable = (title: string, rows: readonly Row[]): void => {
  describe(title, () => {
    for (const { name, policy: by, spent = 0n, good, attack } of rows) {
      const judgementOf = ({ asked }: Answer) => judge(by, factsOf(asked), () => spent)
      it(name, () => {
        const { effect, because } = judgementOf(good)
        expect({ effect, because }).toEqual({ effect: good.effect, because: expect.stringContaining(good.because) })
      })
      it(`${name}; attack: ${attack.name}`, () => {
        const { effect, because } = judgementOf(attack)
        expect({ effect, because }).toEqual({ effect: attack.effect, because: expect.stringContaining(attack.because) })
      })
    }
  })
}
