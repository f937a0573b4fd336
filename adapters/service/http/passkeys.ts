import { base64 } from '@scure/base'
import * as Effect from 'effect/Effect'
import type { HandlersOf } from '../../../generated/handlers.ts'
import * as flows from '../../../domain/service/passkeys.ts'
import type { Incoming } from './Incoming.ts'
import { present } from './present.ts'

export const passkeys = {
  createPasskey: ({ path, body }) => flows.createPasskey(path.userId, body?.type ?? 'WEB'),
  listPasskeys: ({ path }) =>
    Effect.map(flows.listPasskeys(path.userId), (keys) => ({ keys: keys.map(publicPasskey) })),
  getPasskey: ({ path }) => Effect.map(flows.getPasskey(path.userId, path.passkeyId), publicPasskey),
  updatePasskey: ({ path, body }) => Effect.as(flows.updatePasskey(path.userId, path.passkeyId, body), {}),
  getPasskeyChallenge: ({ query }) => Effect.map(flows.getPasskeyChallenge(query ?? {}), given),
  getUserPasskeyChallenge: ({ path }) => Effect.map(flows.getUserPasskeyChallenge(path.userId), given),
  verifyPasskey: ({ body }) => flows.verifyPasskey(body),
  verifyUserPasskey: ({ path, body: { publicKey, signature } }) =>
    Effect.as(flows.verifyUserPasskey(path.userId, { publicKey, signature }), {}),
  getPasskeyLocationHints: ({ query }) =>
    Effect.map(flows.getPasskeyLocationHints(query ?? {}), (hints) => ({ hints })),
} satisfies Partial<HandlersOf<'passkeys', Incoming, unknown>>

const publicPasskey = ({ id, status, type, partnerId, completion, createdAt }: flows.ShownPasskey) => ({
  id,
  status: status === 'PENDING' ? ('PENDING' as const) : ('COMPLETE' as const),
  type,
  partnerId,
  createdAt: new Date(createdAt).toISOString(),
  ...present({
    publicKey: completion?.credentialId,
    sigDerivedPublicKey: completion?.sigDerivedPublicKey,
    variant: completion?.variant,
    rootPublicKey: completion?.rootPublicKey,
    rootSignature: completion?.rootSignature,
  }),
})

/** The challenge is base64 text; an empty list is omitted. Public clients expect both. */
const given = ({ challenge, allowed }: Effect.Success<ReturnType<typeof flows.getPasskeyChallenge>>) => ({
  challenge: base64.encode(challenge),
  ...present({ allowedPublicKeys: allowed.length === 0 ? undefined : allowed }),
})
