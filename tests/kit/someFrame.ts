import * as Frame from '../../domain/mpc/Frame.ts'

/** The bytes of a whole frame without a signature, for tests of the answer to it. */
export const frameWith = (changes: Partial<Frame.Frame>): Uint8Array =>
  Frame.appendSignature(
    Frame.encodeUnsigned({
      operation: 'ACK',
      scheme: 'DKLS',
      step: 1,
      protocolId: '00000000-0000-4000-8000-000000000001',
      sessionId: '00000000-0000-4000-8000-000000000002',
      walletId: '00000000-0000-4000-8000-000000000003',
      epoch: 1,
      shareId: new Uint8Array(32),
      attempt: new Uint8Array(16),
      deviceKeyThumb: new Uint8Array(32),
      body: new Uint8Array(0),
      ...changes,
    }),
    new Uint8Array(Frame.signatureLength),
  )

export const someFrame = frameWith({})
