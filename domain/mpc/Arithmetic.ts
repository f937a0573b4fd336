/** The arithmetic ports of both schemes, which one implementation provides together. */
import type * as Dkls from './dkls/Arithmetic.ts'
import type * as Ed25519 from './ed25519/Arithmetic.ts'

export type Arithmetic = Dkls.Arithmetic & { readonly ed25519: Ed25519.Arithmetic }
