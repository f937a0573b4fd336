/** Both schemes on @noble. */
import type { Arithmetic } from './Arithmetic.ts'
import { noble as dkls } from './dkls/noble.ts'
import { noble as ed25519 } from './ed25519/noble.ts'

export const noble: Arithmetic = { ...dkls, ed25519 }
