import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { readKernel } from '../../../adapters/service/cosigner/kernel.ts'
import { buildKernel, kernelFile } from '../../../wasm/build.ts'
import { kernelFrom } from '../../../wasm/Kernel.ts'

it('the co-signer finds the kernel where the build puts it, and it computes', async () => {
  await buildKernel()
  const bytes = readKernel()
  if (bytes === undefined) throw new Error('there is no kernel')
  expect(Buffer.from(bytes).equals(readFileSync(kernelFile))).toBe(true)
  const one = new Uint8Array(32).fill(1, 31)
  expect(kernelFrom(bytes).scalars.add(one, one)).toEqual(new Uint8Array(32).fill(2, 31))
})
