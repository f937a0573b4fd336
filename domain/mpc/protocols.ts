/** Every two-party protocol, by scheme and kind. */
import { enrol } from './dkls/enrol.ts'
import { keygen as dklsKeygen } from './dkls/keygen.ts'
import { refresh as dklsRefresh } from './dkls/refresh.ts'
import { sign as dklsSign } from './dkls/sign.ts'
import { keygen as ed25519Keygen } from './ed25519/keygen.ts'
import { refresh as ed25519Refresh } from './ed25519/refresh.ts'
import { sign as ed25519Sign } from './ed25519/sign.ts'
import type { Kind, Protocol, Scheme } from './Protocol.ts'

const protocols: Readonly<Record<Scheme, Readonly<Partial<Record<Kind, Protocol>>>>> = {
  DKLS: { keygen: dklsKeygen, attach: enrol, sign: dklsSign, refresh: dklsRefresh },
  ED25519: { keygen: ed25519Keygen, sign: ed25519Sign, refresh: ed25519Refresh },
}

/** `undefined` for a kind that the scheme does not have: ED25519 has no OT state to attach. */
export const protocolOf = (scheme: Scheme, kind: Kind): Protocol | undefined => protocols[scheme][kind]
