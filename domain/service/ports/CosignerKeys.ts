import * as Context from 'effect/Context'
import type * as Effect from 'effect/Effect'
import type { CosignerKey } from '../CosignerKey.ts'

export class CosignerKeys extends Context.Service<
  CosignerKeys,
  {
    /** All that the co-signer of this name ever had, oldest first; empty before its first start. */
    readonly ofName: (name: string) => Effect.Effect<readonly CosignerKey[]>
    /** Of several first starts at once one makes it, and all get it. */
    readonly findOrCreate: <R>(
      name: string,
      make: Effect.Effect<Pick<CosignerKey, 'publicKey' | 'sealed'>, never, R>,
      now: number,
    ) => Effect.Effect<CosignerKey, never, R>
    /** False if the replaced key has a successor already, as by another caller at once: nothing is added. */
    readonly add: (
      name: string,
      key: CosignerKey & Required<Pick<CosignerKey, 'replaces'>>,
      now: number,
    ) => Effect.Effect<boolean>
    /** Forgets the secret half. */
    readonly retire: (name: string, publicKey: string) => Effect.Effect<void>
  }
>()('tandem/service/CosignerKeys') {}
