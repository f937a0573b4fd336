/** A new person of a development stack, whose mail a test reads: its mailbox answers on this machine alone. */
import * as v from 'valibot'
import * as Json from '../../../domain/model/Json.ts'

export type TestUserOptions = {
  /** Where `npm start` of the service says that its mailbox is, for example `http://localhost:8081`. */
  readonly mailbox: string
  /** What the address begins with, by default `person`. */
  readonly name?: string
  /** How long `code` waits for a mail, in milliseconds, by default 30 s. */
  readonly timeoutMs?: number
}

export type TestUser = {
  /** At example.com, and of no one yet. */
  readonly email: string
  /** The newest mailed code, once one has come since the last that this has answered. Fails when none comes in time. */
  readonly code: () => Promise<string>
}

export const newUser = ({ mailbox, name = 'person', timeoutMs = 30_000 }: TestUserOptions): TestUser => {
  const email = `${name}-${crypto.randomUUID()}@example.com`
  const address = new URL(`/dev/mailbox?to=${encodeURIComponent(email)}`, mailbox)
  let read = 0
  return {
    email,
    code: async () => {
      const until = Date.now() + timeoutMs
      while (Date.now() < until) {
        const codes = await codesAt(address)
        const newest = codes.at(-1)
        if (newest !== undefined && codes.length > read) {
          read = codes.length
          return newest
        }
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
      throw new Error(`no code was mailed to ${email} within ${timeoutMs} ms`)
    },
  }
}

/** Of all letters that have one, the oldest first. */
const codesAt = async (address: URL): Promise<readonly string[]> => {
  const answer = await fetch(address)
  const read = Json.check(mailboxForm, answer.ok ? await answer.json() : undefined)
  if (read === undefined)
    throw new Error(`${address.origin} is no mailbox of a development stack: it answers ${answer.status}`)
  return read.messages.flatMap(({ code }) => code ?? [])
}

const mailboxForm = v.object({ messages: v.array(v.object({ code: v.nullable(v.string()) })) })
