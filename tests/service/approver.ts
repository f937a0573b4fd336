/** The partner's server: it decides about reviews with the secret key of its API and the approver key of its policy. */
import { sign, type KeyObject } from 'node:crypto'
import { ask, type Answer, type Client } from './wire.ts'

export type Pending = { readonly id: string; readonly contentHash: string }
export type Decision = 'accept' | 'deny'

/** `approver`: its Ed25519 key. `server` has the secret key. */
export const decideFor = (
  server: Client,
  approver: KeyObject,
  { id, contentHash }: Pending,
  decision: Decision,
): Promise<Answer> => {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const exp = Math.floor(Date.now() / 1000) + 60
  const text = `${part({ alg: 'EdDSA' })}.${part({ id, contentHash, decision, exp })}`
  const jws = `${text}.${sign(null, Buffer.from(text), approver).toString('base64url')}`
  return ask(server, 'POST', `/pending-transactions/${id}/decision`, { jws })
}
