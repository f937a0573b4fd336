/**
 * A client's side of one run, so used that its secrets serve one response only (mpc-review 6). The first response to
 * a request consumes the state: it is taken away before anything is computed. The same bytes again, a repeated
 * delivery, get the same answer; other bytes end the run. What was sent stays for sending it again. Nothing of it is
 * ever stored.
 */
import { equal } from '../crypto/Equal.ts'
import { wipe } from '../crypto/wipe.ts'
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
  /**
   * Ends the run and overwrites what it keeps (mpc-review 20): its state, and the share and OT record that it has answered
   * with. Whoever needs these has copies by then.
   */
  readonly end: () => void
}

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

/** Overwrites what is secret in a party's records. */
export const wipeRecords = ({ share, ot }: Pick<ClientInput, 'share' | 'ot'>): void => {
  if (share !== undefined) wipe(share.secret)
  if (ot !== undefined) wipe(ot)
}
