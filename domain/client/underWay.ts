/**
 * What this tab has opened the portal for, in session storage until that is over: a reload of the host, or a page that
 * returns by redirect, continues there.
 */
import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import * as v from 'valibot'
import { fromAuthObject, toAuthObject, type AuthObject, type Identity } from '../model/Identity.ts'
import * as Json from '../model/Json.ts'
import { Storage } from './ports/Storage.ts'
import { portalSessionEntry } from './unfinished.ts'

export type UnderWay =
  /** The identity that the app asked to log in. */
  { readonly kind: 'login'; readonly identity: Identity } | { readonly kind: 'set-up' }

/** The same as text, version 1. */
type Stored = { readonly v: 1; readonly kind: UnderWay['kind']; readonly auth?: AuthObject }

export const keepUnderWay = Effect.fn('portalSessions.keepUnderWay')(function* (portalSession: UnderWay) {
  const stored: Stored = {
    v: 1,
    kind: portalSession.kind,
    ...(portalSession.kind === 'login' ? { auth: toAuthObject(portalSession.identity) } : {}),
  }
  yield* (yield* Storage).session.set(portalSessionEntry, JSON.stringify(stored))
})

export const underWay = Effect.gen(function* () {
  const text = yield* (yield* Storage).session.get(portalSessionEntry)
  if (text === undefined) return Option.none<UnderWay>()
  const { kind, auth = {} } = Json.parse(storedForm, text) ?? {}
  if (kind === 'set-up') return Option.some<UnderWay>({ kind })
  const identity = fromAuthObject(auth)
  return kind === undefined || identity === undefined
    ? Option.none<UnderWay>()
    : Option.some<UnderWay>({ kind, identity })
})

const storedForm: Json.Schema<Stored> = v.object({
  v: v.literal(1),
  kind: v.picklist(['login', 'set-up']),
  auth: v.exactOptional(v.record(v.string(), v.nullish(v.string()))),
})

export const forgetUnderWay = Effect.gen(function* () {
  yield* (yield* Storage).session.remove(portalSessionEntry)
})
