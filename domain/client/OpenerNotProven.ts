import * as Data from 'effect/Data'

/**
 * The other side of a portal session is not what it claims to be: for the page the window that opened it, for the host
 * the page's result. Nothing was delivered (domain/client/README.md#portal-session).
 */
export class OpenerNotProven extends Data.TaggedError('OpenerNotProven') {
  override readonly message = 'opener not proven'
}
