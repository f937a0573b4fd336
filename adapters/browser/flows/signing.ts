/** Signatures of messages. */
import * as Effect from 'effect/Effect'
import { signMessage } from '../../../domain/client/sign.ts'
import type { Flows } from '../flows.ts'
import { messageOf, toMessageSignature } from './messageForm.ts'

export const flows = {
  signMessage: (input) => Effect.map(signMessage(input, messageOf(input)), toMessageSignature),
} satisfies Partial<Flows>
