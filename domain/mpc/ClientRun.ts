/**
 * A client's side of one run, so used that its secrets serve one response only (mpc-review 6). The first response to
 * a request consumes the state: it is taken away before anything is computed. The same bytes again, a repeated
 * delivery, get the same answer; other bytes end the run. What was sent stays for sending it again. Nothing of it is
 * ever stored.
 */
import { equal } from '../crypto/Equal.ts'
import { abort, type Abort, type Ban, type ClientInput, type Protocol, type Result } from './Protocol.ts'

export type Progress =
  | { readonly kind: 'request'; readonly request: Uint8Array }
  /** `result` has to be stored durably before `request`, the confirming call, is sent (mpc-review 4). */
  | { readonly kind: 'confirm'; readonly request: Uint8Array; readonly result: Result }
  | { readonly kind: 'done'; readonly result: Result }
  | Abort
  | Ban

export type ClientRun = {
  /** The first request. */
  readonly request: Uint8Array
  /** Reads the response to request `round`, the first being 1, once the frame that brought it was authenticated. */
  readonly receive: (round: number, response: Uint8Array) => Progress
}

export const begin = (protocol: Protocol, input: ClientInput): ClientRun | Abort => {
  const begun = protocol.start(input)
  if (begun.kind === 'abort') return begun
  let state: Uint8Array | undefined = begun.state
  const answers: { readonly response: Uint8Array; readonly progress: Progress }[] = []

  const end = (reason: string): Abort => {
    state?.fill(0)
    state = undefined
    answers.length = 0
    return abort(reason)
  }

  const receive = (round: number, response: Uint8Array): Progress => {
    const answered = answers[round - 1]
    if (answered !== undefined) {
      return equal(answered.response, response) ? answered.progress : end('another response to an answered request')
    }
    const consumed = state
    const step = protocol.client[round - 1]
    if (consumed === undefined || step === undefined || round !== answers.length + 1) return end('no such request')
    state = undefined
    try {
      const answer = step({ ...input, state: consumed, response })
      if (answer.kind === 'request') state = answer.state
      const progress: Progress = answer.kind === 'request' ? { kind: 'request', request: answer.request } : answer
      answers.push({ response: response.slice(), progress })
      return progress
    } finally {
      consumed.fill(0)
    }
  }

  return { request: begun.request, receive }
}
