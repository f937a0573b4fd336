/** What the engine and its worker threads say to each other. Bytes only; every secret in it is sealed. */
import type { KernelModule } from '../../../wasm/Kernel.ts'
import type { Answer } from '../../../domain/mpc/Frame.ts'
import type { Job, Outcome, Reattachment, ShareExport } from '../../../domain/service/ports/CosignerEngine.ts'

/** What a worker is started with. */
export type Equipment = {
  readonly name: string
  readonly sealedKey: Uint8Array
  readonly keyEncryptionKey: Uint8Array
  readonly runKeysFolder: string
  readonly shareKeysFolder: string
  /** The arithmetic kernel; without it noble computes, which is not constant time (mpc-review 19). */
  readonly kernel: KernelModule | undefined
}

export type Order =
  | {
      readonly kind: 'step'
      readonly id: number
      readonly job: Job
      /** The time of the engine: the run key of which day seals. */
      readonly now: number
    }
  | { readonly kind: 'sign'; readonly id: number; readonly request: Uint8Array; readonly answer: Answer }
  | { readonly kind: 'export'; readonly id: number; readonly asked: ShareExport }
  | { readonly kind: 'reattach'; readonly id: number; readonly asked: Reattachment }

export type Report =
  | { readonly kind: 'step'; readonly id: number; readonly outcome: Outcome }
  | { readonly kind: 'sign'; readonly id: number; readonly signed: Uint8Array }
  | { readonly kind: 'export'; readonly id: number; readonly sealed: string | undefined }
  | { readonly kind: 'reattach'; readonly id: number; readonly sealed: Uint8Array | undefined }
