import { expect, it } from 'vitest'
import { readKernel, requireKernel } from '../../../adapters/service/cosigner/kernel.ts'
import { buildKernel, kernelFile } from '../../../wasm/build.ts'
import { kernelOf } from '../../../wasm/Kernel.ts'

it('the co-signer finds the kernel where the build puts it, and it computes', async () => {
  await buildKernel()
  const kernel = readKernel()
  if (kernel === undefined) throw new Error('there is no kernel')
  const one = new Uint8Array(32).fill(1, 31)

  expect(readKernel()).toBe(kernel)
  expect(kernelOf(kernel).scalars.add(one, one)).toEqual(new Uint8Array(32).fill(2, 31))
  expect(kernelOf(kernel).ed25519.scalars.add(one, one).at(31)).toBe(2)
})

it('outside of DEV the co-signer does not start without it', async () => {
  await buildKernel()
  const missing = new URL('no-kernel.wasm', kernelFile)
  const sentence =
    'The arithmetic kernel, wasm/build/kernel.wasm, is missing, and no co-signer runs in PROD without it; ' +
    'npm run build:pages builds it.'

  expect(() => requireKernel('PROD', missing)).toThrow(sentence)
  expect(() => requireKernel('BETA', missing)).toThrow('no co-signer runs in BETA without it')
  expect(() => requireKernel('DEV', missing)).not.toThrow()
  expect(() => requireKernel('PROD')).not.toThrow()
})
