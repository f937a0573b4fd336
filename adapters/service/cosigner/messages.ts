/** Messages between the engine and its worker threads. Every secret in an order or report is sealed. */
import type { KernelModule } from '../../../wasm/Kernel.ts'
import type { FrameAnswer } from '../../../domain/mpc/Frame.ts'
import type { AssociatedData } from '../../../domain/service/ports/Vault.ts'
import type { HeldKeys } from '../vault/KeyRing.ts'
import type {
  Job,
  Reattached,
  Reattachment,
  ShareExport,
  StepOutcome,
} from '../../../domain/service/ports/CosignerEngine.ts'
import type { ProviderShare } from '../../../domain/service/ports/ProviderShares.ts'

/** A worker's start data. */
export type WorkerOptions = {
  readonly runKeysFolder: string
  readonly shareKeysFolder: string
  /** The arithmetic kernel; without it noble computes, which is not constant time. */
  readonly kernel: KernelModule | undefined
}

export type Order =
  | {
      readonly kind: 'step'
      readonly id: number
      readonly job: Job
      /** The engine's time in milliseconds since 1970, which selects the run key. */
      readonly now: number
    }
  | {
      readonly kind: 'sign'
      readonly id: number
      readonly request: Uint8Array
      readonly answer: FrameAnswer
      /** The frame key. A thread keeps none, because a rotation of the ring seals it anew. */
      readonly sealedKey: Uint8Array
      readonly sealedFor: AssociatedData
    }
  | { readonly kind: 'export'; readonly id: number; readonly asked: ShareExport }
  | { readonly kind: 'reattach'; readonly id: number; readonly asked: Reattachment }
  | { readonly kind: 'reissue'; readonly id: number; readonly asked: Reattachment }
  | { readonly kind: 'opens'; readonly id: number; readonly share: ProviderShare }

/** What a thread is given: its order, and the keys of the co-signer's ring, which it wipes after it. */
export type Instruction = { readonly order: Order; readonly ring: HeldKeys }

export type Report =
  | { readonly kind: 'step'; readonly id: number; readonly outcome: StepOutcome }
  | { readonly kind: 'sign'; readonly id: number; readonly signed: Uint8Array }
  | { readonly kind: 'export'; readonly id: number; readonly sealed: string | undefined }
  | { readonly kind: 'reattach'; readonly id: number; readonly reattached: Reattached | undefined }
  | { readonly kind: 'reissue'; readonly id: number; readonly capsule: Uint8Array | undefined }
  | { readonly kind: 'opens'; readonly id: number; readonly opens: boolean }
