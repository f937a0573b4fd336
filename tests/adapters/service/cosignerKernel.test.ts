import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import { readKernel, requireKernel } from '../../../adapters/service/cosigner/kernel.ts'
import { buildKernel, kernelFile, requirePinned } from '../../../wasm/build.ts'
import { kernelOf } from '../../../wasm/Kernel.ts'
import { kernelDigest } from '../../../wasm/kernelDigest.ts'

it('the co-signer finds the kernel where the build puts it, and it computes', async () => {
  await buildKernel()
  const kernel = readKernel()
  if (kernel === undefined) throw new Error('there is no kernel')
  const one = new Uint8Array(32).fill(1, 31)

  expect(readKernel()).toBe(kernel)
  expect(kernelOf(kernel).scalars.add(one, one)).toEqual(new Uint8Array(32).fill(2, 31))
  expect(kernelOf(kernel).ed25519.scalars.add(one, one).at(31)).toBe(2)
})

it('outside of DEV the co-signer does not start without the kernel', async () => {
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

it('outside of DEV the co-signer does not start with a kernel other than the pinned one', async () => {
  await buildKernel()
  const folder = mkdtempSync(join(tmpdir(), 'tandem-kernel-'))
  const other = pathToFileURL(join(folder, 'kernel.wasm'))
  const sentence =
    'The arithmetic kernel, wasm/build/kernel.wasm, is not the one of this version, and no co-signer runs in PROD with ' +
    'another; npm run build:pages builds it.'
  try {
    // An empty custom section at the end: a kernel that computes as the pinned one does.
    writeFileSync(other, Buffer.concat([readFileSync(kernelFile), Uint8Array.of(0, 1, 0)]))

    expect(WebAssembly.validate(new Uint8Array(readFileSync(other)))).toBe(true)
    expect(() => requireKernel('PROD', other)).toThrow(sentence)
    expect(() => requireKernel('BETA', other)).toThrow('no co-signer runs in BETA with another')
    expect(() => requireKernel('DEV', other)).not.toThrow()
  } finally {
    rmSync(folder, { recursive: true })
  }
})

it('the digest that pages, SDK and co-signer pin is that of the kernel of today’s sources', async () => {
  await buildKernel()

  expect(createHash('sha256').update(readFileSync(kernelFile)).digest('hex')).toBe(kernelDigest)
  expect(requirePinned).not.toThrow()
})
