import * as Data from 'effect/Data'

/**
 * The other side of a portal page is not the one it claims to be: the opener to the page, or the page's result to the
 * host (flows 2.6, 3.9). Nothing was delivered.
 */
export class OpenerNotProven extends Data.TaggedError('OpenerNotProven') {
  override readonly message = 'opener not proven'
}
