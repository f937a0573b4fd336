/** Hashes one password in a thread of its own. The thread ends afterwards, and its memory with it. */
import { argon2id } from './argon2id.ts'
import type { Argon2idInput } from '../../domain/client/ports/PasswordHash.ts'

const scope = globalThis as unknown as {
  readonly addEventListener: (type: 'message', listener: (event: MessageEvent<Argon2idInput>) => void) => void
  readonly postMessage: (hash: Uint8Array) => void
}

scope.addEventListener('message', ({ data }) => {
  void argon2id(data).then((hash) => scope.postMessage(hash))
})
