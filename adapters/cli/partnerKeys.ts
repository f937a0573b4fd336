/** `tandem partner keys`: the text of a key is shown where it is made, and nowhere else. */
import * as Result from 'effect/Result'
import type { PartnerKeyKind } from '../../domain/service/Partner.ts'
import { createKey, listKeys, revokeKey, rotateKey } from '../../domain/service/partnerKeys.ts'
import { onDeployment } from './deployment.ts'
import { missing, noPartner } from './partnerProblems.ts'
import type { Call, Ended } from './Verb.ts'

export const list = async (call: Call): Ended => {
  const [partnerId = ''] = call.given
  return Result.map(await onDeployment(call, listKeys(partnerId), missing(noPartner(partnerId))), (keys) => ({
    exitCode: 0,
    text: [
      row('KEY', 'KIND', 'MADE', 'LAST USE', 'END'),
      ...keys.map(({ id, kind, createdAt, lastUsedOn, endsAt }) =>
        row(id, kind, dayOf(createdAt), lastUsedOn === null ? 'none noted' : dayOf(lastUsedOn), timeOf(endsAt)),
      ),
    ].join('\n'),
    data: { keys },
  }))
}

export const create = async (call: Call): Ended => {
  const [partnerId = ''] = call.given
  const kind: PartnerKeyKind = call.option('kind') === 'secret' ? 'secret' : 'publishable'
  const made = await onDeployment(call, createKey(partnerId, kind, call.reason), missing(noPartner(partnerId)))
  return Result.map(made, (data) => ({
    exitCode: 0,
    text: `${data.kind} key ${data.id}  ${data.key}  shown once`,
    data,
  }))
}

export const rotate = async (call: Call): Ended => {
  const [partnerId = '', keyId = ''] = call.given
  const flow = rotateKey(partnerId, keyId, Number(call.option('overlap')), call.reason)
  return Result.map(await onDeployment(call, flow, missing(noKey(partnerId, keyId))), (data) => ({
    exitCode: 0,
    text: [
      `${data.kind} key ${data.id}  ${data.key}  shown once`,
      `Key ${data.old.id} is refused from ${timeOf(data.old.endsAt)} on.`,
    ].join('\n'),
    data,
  }))
}

export const revoke = async (call: Call): Ended => {
  const [partnerId = '', keyId = ''] = call.given
  const revoked = await onDeployment(call, revokeKey(partnerId, keyId, call.reason), missing(noKey(partnerId, keyId)))
  return Result.map(revoked, (data) => ({
    exitCode: 0,
    text: `The ${data.kind} key ${data.id} is revoked: it is refused within 5 s by every process.`,
    data,
  }))
}

const noKey = (partnerId: string, keyId: string): string => `Partner ${partnerId} has no key ${keyId}, or it is over.`

const row = (id: string, kind: string, made: string, used: string, end: string): string =>
  [id.padEnd(12), kind.padEnd(11), made.padEnd(10), used.padEnd(10), end].join('  ')

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

const timeOf = (ms: number | null): string => (ms === null ? 'none' : new Date(ms).toISOString())
