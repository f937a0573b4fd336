/** A device's signatures over documents of Cosmos, as the ante handler of the Cosmos SDK takes them (anteHandlerVerdicts.ts). */
import { afterAll, beforeAll, describe, it } from 'vitest'
import { startService, type TestService } from '../kit/service.ts'
import { anteHandlerTimeout, expectTakenByAnteHandler, hasAnteHandler } from './anteHandlerVerdicts.ts'
import { signUp } from './people.ts'

describe.skipIf(!hasAnteHandler)('the ante handler of the Cosmos SDK (which takes Go and its modules)', () => {
  let service: TestService

  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service.stop())

  it(
    'takes what a device signs directly and as amino JSON, and nothing else',
    { timeout: anteHandlerTimeout },
    async () => {
      const { device } = await signUp(service, { types: { COSMOS: true } })
      const [wallet] = await device.getWallets()
      if (wallet === undefined) throw new Error('the wallet is missing')

      await expectTakenByAnteHandler(device, wallet)
    },
  )
})
