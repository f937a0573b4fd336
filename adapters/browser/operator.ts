/** Who runs the deployment of this page. */
import * as Effect from 'effect/Effect'
import type { Operator } from '../../domain/model/Operator.ts'
import { readDeployment } from './deployment.ts'

/** Undefined where the deployment cannot be read. */
export const readOperator = (): Promise<Operator | undefined> =>
  Effect.runPromise(Effect.match(readDeployment, { onFailure: () => undefined, onSuccess: ({ operator }) => operator }))
