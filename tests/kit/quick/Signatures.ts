/** The service's signatures, made and checked by noble: OpenSSL knows nothing of the curves that are replaced here. */
import * as Layer from 'effect/Layer'
import { noble } from '../../../domain/crypto/Signatures.ts'
import { Signatures } from '../../../domain/service/ports/Signatures.ts'

export const SignaturesOpenssl = Layer.succeed(Signatures, noble)
