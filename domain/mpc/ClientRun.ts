/**
 * A client's side of one run, whose secrets serve one response only: with two responses to one request the server could
 * compute the client's share. The first response to a request consumes the state, which is removed before anything is
 * computed. The same bytes again (a repeated delivery) get the same answer; other bytes end the run. What was sent is
 * kept for repeating it. Nothing of a run is stored. domain/mpc/README.md#randomness-of-the-client
 */
import { equal } from '../crypto/Equal.ts'
import { wipe } from '../crypto/wipe.ts'
import { abort, type Abort, type Ban, type ClientInput, type Protocol, type Result } from './Protocol.ts'

export type Progress =
  | { readonly kind: 'request'; readonly request: Uint8Array }
  /** The caller stores `result` durably before it sends `request`, the confirming call. */
  | { readonly kind: 'confirm'; readonly request: Uint8Array; readonly result: Result }
  | { readonly kind: 'done'; readonly result: Result }
  | Abort
  | Ban

export type ClientRun = {
  /** The first request. */
  readonly request: Uint8Array
  /** Reads the response to request `round`, the first being 1, once its answer frame is authenticated. */
  readonly receive: (round: number, response: Uint8Array) => Progress
  /**
   * Ends the run and overwrites what it keeps: its state, and the share and OT record that it has answered with. The
   * caller has copied these by then.
   */
  readonly end: () => void
}

/** Starts a run; an abort where the party's own records do not fit the context. */
export const begin = (protocol: Protocol, input: ClientInput): ClientRun | Abort => {
  const begun = protocol.start(input)
  if (begun.kind === 'abort') return begun
  let state: Uint8Array | undefined = begun.state
  const answers: { readonly response: Uint8Array; readonly progress: Progress }[] = []

  const forget = (): void => {
    state?.fill(0)
    state = undefined
    answers.length = 0
  }

  const end = (): void => {
    for (const { progress } of answers) if ('result' in progress) wipeRecords(progress.result)
    forget()
  }

  const stop = (reason: string): Abort => {
    forget()
    return abort(reason)
  }

  const receive = (round: number, response: Uint8Array): Progress => {
    const answered = answers[round - 1]
    if (answered !== undefined) {
      return equal(answered.response, response) ? answered.progress : stop('another response to an answered request')
    }
    const consumed = state
    const step = protocol.client[round - 1]
    if (consumed === undefined || step === undefined || round !== answers.length + 1) return stop('no such request')
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

  return { request: begun.request, receive, end }
}

/** Overwrites the secret fields of a party's records. */
export const wipeRecords = ({ share, ot }: Pick<ClientInput, 'share' | 'ot'>): void => {
  if (share !== undefined) wipe(share.secret)
  if (ot !== undefined) wipe(ot)
}
