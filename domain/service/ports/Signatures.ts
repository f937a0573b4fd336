import * as Context from 'effect/Context'
import type * as Crypto from '../../crypto/Signatures.ts'

/** The checks that every request pays for. They refuse what domain/crypto refuses, and nothing else. */
export class Signatures extends Context.Service<Signatures, Crypto.Signatures>()('tandem/service/Signatures') {}
