import { describe, expect, it } from 'vitest'
import { pay, signingProblem, type Started } from '../../react/example/pay.ts'

const failing = (code: string, more: object = {}) =>
  Object.assign(new Error(`${code}.\nmore lines`), { name: code, code, ...more })

/** A shop whose transactions are numbered, and whose n-th step fails with the n-th error where there is one. */
const makeShop = (
  fails: { readonly send?: readonly (Error | undefined)[]; readonly mined?: readonly Error[] } = {},
  isUsed: () => Promise<boolean> = () => Promise.resolve(false),
) => {
  const sent: string[] = []
  const [sends, mines] = [[...(fails.send ?? [])], [...(fails.mined ?? [])]]
  let made = 0
  const steps = {
    make: () => Promise.resolve(`0x0${++made}` as const),
    send: (transaction: string) => {
      sent.push(transaction)
      const error = sends.shift()
      return error === undefined ? Promise.resolve('0xaa' as const) : Promise.reject(error)
    },
    mined: () => {
      const error = mines.shift()
      return error === undefined ? Promise.resolve(7n) : Promise.reject(error)
    },
    isNonceUsed: isUsed,
  }
  const goOn = async (before?: Started) => {
    const ended = await pay(before, steps)
    return { ended, started: 'started' in ended ? ended.started : undefined }
  }
  return { sent, steps, goOn }
}

const review = failing('TransactionReviewError', { transactionReviewUrl: 'https://portal.example/review' })

describe('a payment of the example', () => {
  it.each(['TransactionNotSent', 'OperationTimedOut'])(
    'may have been made where it fails with %s, and goes on with the same transaction',
    async (code) => {
      const { sent, goOn } = makeShop({ send: [failing(code), failing('NoSignedInUser'), review] })

      const first = await goOn()
      expect(first.ended).toMatchObject({ name: 'unknown', reason: code })
      const second = await goOn(first.started)
      expect(second.ended).toMatchObject({ name: 'unknown', reason: 'NoSignedInUser' })
      const third = await goOn(second.started)
      expect(third.ended).toMatchObject({ name: 'held', started: { mayBePaid: true } })

      expect((await goOn(third.started)).ended).toEqual({ name: 'paid', hash: '0xaa', block: 7n })
      expect(sent).toEqual(['0x01', '0x01', '0x01', '0x01'])
    },
  )

  it('that has a hash and no block yet is looked for, and not sent again', async () => {
    const { sent, goOn } = makeShop({ mined: [failing('WaitForTransactionReceiptTimeoutError')] })

    const first = await goOn()
    expect(first.ended).toMatchObject({ name: 'unknown' })

    expect((await goOn(first.started)).ended).toMatchObject({ name: 'paid', block: 7n })
    expect(sent).toEqual(['0x01'])
  })

  it('is sent again where its hash is not found, because the node may have dropped it', async () => {
    const notFound = failing('WaitForTransactionReceiptTimeoutError')
    const { sent, goOn } = makeShop({ mined: [notFound, notFound] })

    const first = await goOn()

    expect((await goOn(first.started)).ended).toMatchObject({ name: 'paid', block: 7n })
    expect(sent).toEqual(['0x01', '0x01'])
  })

  it.each([
    ['its end was not known', { send: [failing('TransactionNotSent'), failing('BroadcastRefused')] }],
    [
      'its hash is not found',
      {
        send: [undefined, failing('BroadcastRefused')],
        mined: [failing('WaitForTransactionReceiptTimeoutError'), failing('WaitForTransactionReceiptTimeoutError')],
      },
    ],
  ])('was not made where the node says that it does not have it, after %s', async (_, fails) => {
    const { goOn } = makeShop(fails)

    const first = await goOn()
    expect(first.ended).toMatchObject({ name: 'unknown' })

    await expect(goOn(first.started)).rejects.toMatchObject({ code: 'BroadcastRefused' })
  })

  it.each([
    ['its nonce is used', () => Promise.resolve(true)],
    ['the chain does not say', () => Promise.reject(new Error('no answer'))],
  ])(
    'may have been made although the node refuses it, where %s: a transaction of before may be there',
    async (_, isUsed) => {
      const { goOn } = makeShop({ send: [failing('TransactionNotSent'), failing('BroadcastRefused')] }, isUsed)

      const first = await goOn()

      expect((await goOn(first.started)).ended).toMatchObject({ name: 'unknown', started: { mayBePaid: true } })
    },
  )

  it('was not made where it is refused, and by a policy is held as it is', async () => {
    const { sent, goOn } = makeShop({ send: [failing('DeniedByPolicy'), review, failing('DeniedByPolicy')] })

    await expect(goOn()).rejects.toMatchObject({ code: 'DeniedByPolicy' })
    const held = await goOn()
    expect(held.ended).toMatchObject({ name: 'held', review: 'https://portal.example/review' })
    await expect(goOn(held.started)).rejects.toMatchObject({ code: 'DeniedByPolicy' })
    expect(sent).toEqual(['0x01', '0x02', '0x02'])
  })

  it('was not made where the chain refuses it', async () => {
    const { steps } = makeShop()

    await expect(pay(undefined, { ...steps, mined: () => Promise.resolve(undefined) })).rejects.toThrow(
      'the chain refused the payment',
    )
  })
})

describe('a signature of the example', () => {
  it('that another window may have made is called neither missing nor there', () => {
    expect(signingProblem(failing('TransactionReviewUsed'))).not.toContain('Nothing was signed')
    expect(signingProblem(failing('TransactionReviewUsed'))).toContain('may have signed this already')
    expect(signingProblem(failing('TransactionReviewDenied'))).toContain('Nothing was signed')
  })
})
