/** One sealed text in IndexedDB for each wallet, under a key of its own. */
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import * as Option from 'effect/Option'
import * as Redacted from 'effect/Redacted'
import * as v from 'valibot'
import { RefreshAnswers, type RefreshAnswer } from '../../domain/client/ports/RefreshAnswers.ts'
import * as Json from '../../domain/model/Json.ts'
import { sealedText } from './sealedText.ts'
import { StorageFailed } from './StorageFailed.ts'

/**
 * What cannot be read, because it is damaged or of a later version, counts as none and stays. Nothing that signs is lost by
 * that: the job then uses its own share, and where that one does not sign, the co-signer refuses it, a REFRESH before its
 * answer is kept in this place.
 */
export const RefreshAnswersSealed = Layer.succeed(RefreshAnswers, {
  keep: (walletId, { protocolId, shareText }) =>
    textOf(walletId).write(JSON.stringify({ v: 1, protocolId, shareText: Redacted.value(shareText) })),
  find: (walletId) =>
    Effect.map(textOf(walletId).read, (text) => Option.map(Option.fromUndefinedOr(text), read)).pipe(
      Effect.catchDefect((defect) =>
        Effect.as(Effect.logWarning('the answer of a REFRESH cannot be read', defect), Option.none()),
      ),
    ),
  drop: (walletId) => textOf(walletId).write(undefined),
})

const textOf = (walletId: string) => sealedText(`refreshed/${walletId}`)

const form = v.object({ v: v.literal(1), protocolId: v.string(), shareText: v.string() })

const read = (text: string): RefreshAnswer => {
  const answer = Json.parse(form, text)
  if (answer === undefined)
    throw new StorageFailed({ cause: new Error('a later version wrote this key share, or it is damaged') })
  return { protocolId: answer.protocolId, shareText: Redacted.make(answer.shareText, { label: 'key share' }) }
}
