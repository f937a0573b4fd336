/**
 * SHA-256 of build/kernel.wasm, hex(32), as the sources in assembly/ compile. It is among the reviewed sources and not
 * beside the built file, so that replacing that file alone has no effect: pages, the SDK and co-signers outside of DEV
 * refuse any other kernel. `node wasm/build.ts --pin` writes it after a change of assembly/.
 */
export const kernelDigest = 'bee397261b02ed19b4ef8f8a439e0c20bdd562c5ab6dc26cd5e045e2ad7d588c'
