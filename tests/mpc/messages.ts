/**
 * The messages of every run, by the tables of their fields, and the required outcome when a field is not genuine.
 */
import { codec, type Codec, type Shape } from '../../domain/mpc/Codec.ts'
import * as Attach from '../../domain/mpc/dkls/enrol.ts'
import * as Keygen from '../../domain/mpc/dkls/keygen.ts'
import * as Refresh from '../../domain/mpc/dkls/refresh.ts'
import * as Setup from '../../domain/mpc/dkls/setup.ts'
import * as Sign from '../../domain/mpc/dkls/sign.ts'
import * as EdKeygen from '../../domain/mpc/ed25519/keygen.ts'
import * as EdRefresh from '../../domain/mpc/ed25519/refresh.ts'
import * as EdSign from '../../domain/mpc/ed25519/sign.ts'
import { noble } from '../../domain/mpc/noble.ts'
import type { Outcome, Position } from './run.ts'

/**
 * Which party ends the run over a field, in which round, and by which check. Where it is not the receiver, the field is
 * used only later, and the next session id or the base OT's own checks bind it. Where a point, scalar or ephemeral key
 * has two outcomes, the first is for a value that does not decode.
 */
type Ends = Readonly<Record<string, readonly string[]>>

export type Sent = {
  readonly name: string
  readonly to: Position['to']
  readonly round: number
  readonly codec: Codec<Shape>
  readonly kinds: Kinds
  readonly ends: Ends
}

export type Kind = 'scalars' | 'point' | 'points' | 'hashes' | 'proof' | 'signature' | 'edwardsPoint' | 'exchange'
/** The kind of a field's value; without one it is a hash, a nonce or the like. */
type Kinds = Readonly<Record<string, Kind>>

const dklsKinds: Kinds = {
  base: 'point',
  exchange: 'point',
  share: 'point',
  R: 'point',
  gammaU: 'point',
  gammaV: 'point',
  points: 'points',
  baseProof: 'proof',
  shareProof: 'proof',
  proof: 'proof',
  tau: 'scalars',
  eta: 'scalars',
  psi: 'scalars',
  w: 'scalars',
  u: 'scalars',
  challenge: 'hashes',
  response: 'hashes',
  openings: 'hashes',
  signature: 'signature',
}
const edKinds: Kinds = {
  constant: 'edwardsPoint',
  slope: 'edwardsPoint',
  hiding: 'edwardsPoint',
  binding: 'edwardsPoint',
  exchange: 'exchange',
}

type Table = { readonly shape: Shape }
type Said = readonly [Table, Ends]
const sent = (
  protocol: string,
  kinds: Kinds,
  rounds: readonly (readonly [request: Said, response?: Said])[],
): readonly Sent[] =>
  rounds.flatMap(([request, response], index) => {
    const round = index + 1
    const messageOf = (word: string, to: Position['to'], [table, ends]: Said): Sent => {
      return { name: `${protocol} ${word} ${round}`, to, round, codec: codec(table.shape), kinds, ends }
    }
    const asked = messageOf('request', 'server', request)
    return response === undefined ? [asked] : [asked, messageOf('response', 'client', response)]
  })

const sid1 = { sid1: ['server 1: sid1'], nonce: ['server 1: sid1'] }
const sid2 = { nonce: ['client 1: sid2'], sid2: ['client 1: sid2'] }
const sid3 = { sid3: ['server 2: sid3'] }

const clientBase = {
  base: ['server 1: base is no point', 'server 1: proof base/C'],
  baseProof: ['server 1: proof base/C'],
}
const serverBase = {
  base: ['client 1: base', 'client 1: proof base/S'],
  baseProof: ['client 1: proof base/S'],
  points: ['client 1: points of the base OT', 'server 2: sid3'],
}
const clientTransfers = {
  ...sid3,
  points: ['server 2: points of the base OT', 'server 3: response of the base OT'],
  challenge: ['server 3: opening of the base OT', 'client 2: response of the base OT'],
}
/** Request 2 with the additional fields of a kind, and the rounds after it, which all kinds share. */
const afterFirstRound = (request: Table, own: Ends = {}): readonly (readonly [Said, Said?])[] => [
  [
    [request, { ...clientTransfers, ...own }],
    [
      Setup.secondResponse,
      {
        response: ['client 2: response of the base OT'],
        challenge: ['client 3: opening of the base OT', 'server 3: response of the base OT'],
      },
    ],
  ],
  [
    [
      Setup.thirdRequest,
      { openings: ['server 3: opening of the base OT'], response: ['server 3: response of the base OT'] },
    ],
    [Setup.thirdResponse, { openings: ['client 3: opening of the base OT'], proof: ['client 3: proof conf/S'] }],
  ],
  [[Setup.confirmation, { proof: ['server 4: proof conf/C'] }]],
]

const shareProofs = [{ shareProof: ['server 1: proof share/C'] }, { shareProof: ['client 1: proof share/S'] }] as const

/** The fields of a product, for the party that reads them in a round. */
const product = (reader: string): Ends => ({
  tau: [`${reader}: tau`, `${reader}: multiplication check`],
  eta: [`${reader}: eta`, `${reader}: multiplication check`],
  mu: [`${reader}: multiplication check`],
  gammaU: [`${reader}: gamma`, `${reader}: gamma check`],
  gammaV: [`${reader}: gamma`, `${reader}: gamma check`],
})
const extension = (reader: string): Ends => {
  const end = [`${reader}: consistency of the OT extension`]
  return { matrix: end, choiceHash: end, rowHashes: end }
}

export const dkls = {
  keygen: sent('keygen', dklsKinds, [
    [
      [Keygen.firstRequest, { ...sid1, ...clientBase, commitment: ['client 1: sid2'] }],
      [
        Keygen.firstResponse,
        {
          ...sid2,
          ...serverBase,
          share: ['client 1: share is no point', 'client 1: proof share/S'],
          shareProof: ['client 1: proof share/S'],
          chainCode: ['server 2: sid3'],
        },
      ],
    ],
    ...afterFirstRound(Keygen.secondRequest, {
      share: ['server 2: commitment'],
      shareProof: ['server 2: commitment'],
      chainCode: ['server 2: commitment'],
      blind: ['server 2: commitment'],
    }),
  ]),
  attach: sent('attach', dklsKinds, [
    [
      [Attach.firstRequest, { ...sid1, ...clientBase, ...shareProofs[0] }],
      [Attach.firstResponse, { ...sid2, ...serverBase, ...shareProofs[1] }],
    ],
    ...afterFirstRound(Attach.secondRequest),
  ]),
  refresh: sent('refresh', dklsKinds, [
    [
      [
        Refresh.firstRequest,
        { ...sid1, ...clientBase, ...shareProofs[0], exchange: ['server 1: ephemeral key', 'client 1: sid2'] },
      ],
      [
        Refresh.firstResponse,
        { ...sid2, ...serverBase, ...shareProofs[1], exchange: ['client 1: ephemeral key', 'server 2: sid3'] },
      ],
    ],
    ...afterFirstRound(Refresh.secondRequest),
  ]),
  sign: sent('sign', dklsKinds, [
    [
      [Sign.firstRequest, { ...sid1, ...extension('server 1'), commitment: ['client 1: sid2'] }],
      [
        Sign.firstResponse,
        {
          ...sid2,
          ...extension('client 1'),
          ...product('client 1'),
          R: ['client 1: R is no point', 'client 1: gamma check'],
          psi: ['client 1: psi', 'server 2: sid3'],
        },
      ],
    ],
    [
      [
        Sign.secondRequest,
        {
          ...sid3,
          ...product('server 2'),
          R: ['server 2: R is no point', 'server 2: commitment'],
          blind: ['server 2: commitment'],
          psi: ['server 2: psi', 'server 2: final signature'],
          w: ['server 2: final shares', 'server 2: final signature'],
          u: ['server 2: final shares', 'server 2: final signature'],
        },
      ],
      [Sign.secondResponse, { signature: ['client 2: r', 'client 2: final signature'] }],
    ],
  ]),
}

export const ed25519 = {
  keygen: sent('keygen', edKinds, [
    [
      [
        EdKeygen.firstRequest,
        {
          ...sid1,
          constant: ['server 1: commitment', 'server 1: proof of knowledge'],
          slope: ['server 1: commitment', 'client 1: sid2'],
          proof: ['server 1: proof of knowledge'],
          exchange: ['client 1: sid2'],
        },
      ],
      [
        EdKeygen.firstResponse,
        {
          ...sid2,
          constant: ['client 1: commitment', 'client 1: proof of knowledge'],
          slope: ['client 1: commitment', 'server 2: sid3'],
          proof: ['client 1: proof of knowledge'],
          exchange: ['client 1: ephemeral key', 'server 2: sid3'],
        },
      ],
    ],
    [
      [EdKeygen.secondRequest, { ...sid3, sealed: ['server 2: sealed share'] }],
      [EdKeygen.secondResponse, { sealed: ['client 2: sealed share'], confirmation: ['client 2: proof conf/S'] }],
    ],
    [[EdKeygen.confirmation, { confirmation: ['server 3: proof conf/C'] }]],
  ]),
  refresh: sent('refresh', edKinds, [
    [
      [
        EdRefresh.firstRequest,
        { ...sid1, proof: ['server 1: proof share/C'], exchange: ['server 1: ephemeral key', 'client 1: sid2'] },
      ],
      [
        EdRefresh.firstResponse,
        {
          ...sid2,
          exchange: ['client 1: ephemeral key', 'client 1: proof conf/S'],
          confirmation: ['client 1: proof conf/S'],
        },
      ],
    ],
    [[EdRefresh.confirmation, { confirmation: ['server 2: proof conf/C'] }]],
  ]),
  sign: sent('sign', edKinds, [
    [
      [
        EdSign.request,
        {
          ...sid1,
          hiding: ['server 1: commitment', 'client 1: sid2'],
          binding: ['server 1: commitment', 'client 1: sid2'],
        },
      ],
      [
        EdSign.response,
        {
          ...sid2,
          hiding: ['client 1: commitment', 'client 1: signature share of S'],
          binding: ['client 1: commitment', 'client 1: signature share of S'],
          share: ['client 1: signature share of S'],
        },
      ],
    ],
  ]),
}

/** The checks whose failure bans. All others abort. domain/mpc/README.md#aborts-and-bans */
const bans = ['consistency of the OT extension', 'multiplication check', 'gamma check']

const withClass = (end: string): string => {
  const [by, reason = ''] = end.split(': ')
  return `${bans.includes(reason) ? 'ban' : 'abort'} by ${by}: ${reason}`
}

/** Whether a value decodes as one of its kind, so that the later checks see it. */
const isDecodable = (kind: Kind | undefined, bytes: Uint8Array): boolean => {
  switch (kind) {
    case 'scalars':
      return noble.scalars.areCanonical(bytes)
    case 'point':
    case 'points':
      return noble.points.areValid(bytes)
    case 'edwardsPoint':
      return noble.ed25519.points.areValid(bytes)
    case 'exchange':
      return noble.ed25519.exchange.shared(new Uint8Array(32).fill(9), bytes) !== undefined
    default:
      throw new Error('nothing is decoded')
  }
}
const decoded: readonly (Kind | undefined)[] = ['scalars', 'point', 'points', 'edwardsPoint', 'exchange']

/** The allowed outcomes when a message has that value in place of a field's genuine one. */
export const endsOf = ({ ends, kinds }: Sent, field: string, value: Uint8Array): readonly string[] => {
  const [first, second] = ends[field] ?? []
  if (first === undefined) throw new Error(`nothing is said of ${field}`)
  if (second === undefined) return [withClass(first)]
  if (!decoded.includes(kinds[field])) return [withClass(first), withClass(second)]
  return [withClass(isDecodable(kinds[field], value) ? second : first)]
}

const givenBack: Readonly<Record<string, string>> = {
  base: 'base',
  exchange: 'ephemeral key given back',
  constant: 'commitment given back',
  slope: 'commitment given back',
}

/** The same where that value is the one that the receiver itself sent in a field of the same name. */
export const endsOfReflected = (message: Sent, field: string, value: Uint8Array): readonly string[] => {
  const reason = givenBack[field]
  return reason === undefined ? endsOf(message, field, value) : [withClass(`${message.to} ${message.round}: ${reason}`)]
}

/** How a run ended: nothing follows the message of that round. */
export const endOf = ({ stopped, positions, client, server }: Outcome): string => {
  const last = positions.at(-1)
  if (stopped === undefined || client !== undefined || server !== undefined) return 'goes on'
  if (last?.to !== stopped.by) return `goes on after ${stopped.reason}`
  return `${stopped.kind} by ${stopped.by} ${last.round}: ${stopped.reason}`
}
