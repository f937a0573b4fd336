import type { Failure } from '../../adapters/browser/portal.ts'
import { useOperator } from '../operator.tsx'
import { Notice } from '../ui/Notice.tsx'
import { failureWords } from './words.ts'

/** The failure of the last try, above a form that may be sent again. */
export const FailureNotice = ({ failure, app }: { readonly failure: Failure; readonly app: string }) => {
  const { title, text } = failureWords(failure, app, useOperator().name)
  return (
    <Notice tone="error" title={title}>
      {text}
    </Notice>
  )
}
