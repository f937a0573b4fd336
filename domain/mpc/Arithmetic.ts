/** The arithmetic of both schemes, as one implementation gives it to a party. */
import type * as Dkls from './dkls/Arithmetic.ts'
import type * as Ed25519 from './ed25519/Arithmetic.ts'

export type Arithmetic = Dkls.Arithmetic & { readonly ed25519: Ed25519.Arithmetic }
