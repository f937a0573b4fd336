/** The messages of every run, by the tables of their fields. */
import { codec, type Codec, type Shape } from '../../domain/mpc/Codec.ts'
import * as Attach from '../../domain/mpc/dkls/attach.ts'
import * as Keygen from '../../domain/mpc/dkls/keygen.ts'
import * as Refresh from '../../domain/mpc/dkls/refresh.ts'
import * as Setup from '../../domain/mpc/dkls/setup.ts'
import * as Sign from '../../domain/mpc/dkls/sign.ts'
import * as EdKeygen from '../../domain/mpc/ed25519/keygen.ts'
import * as EdRefresh from '../../domain/mpc/ed25519/refresh.ts'
import * as EdSign from '../../domain/mpc/ed25519/sign.ts'
import type { Position } from './run.ts'

export type Sent = {
  readonly name: string
  readonly to: Position['to']
  readonly round: number
  readonly codec: Codec<Shape>
}
type Table = { readonly shape: Shape }
const sent = (protocol: string, rounds: readonly (readonly [Table, Table?])[]): readonly Sent[] =>
  rounds.flatMap(([request, response], index) => {
    const round = index + 1
    const asked = { name: `${protocol} request ${round}`, to: 'server' as const, round, codec: codec(request.shape) }
    if (response === undefined) return [asked]
    return [asked, { name: `${protocol} response ${round}`, to: 'client', round, codec: codec(response.shape) }]
  })

export const dkls = {
  keygen: sent('keygen', [
    [Keygen.firstRequest, Keygen.firstResponse],
    [Keygen.secondRequest, Setup.secondResponse],
    [Setup.thirdRequest, Setup.thirdResponse],
    [Setup.confirmation],
  ]),
  attach: sent('attach', [
    [Attach.firstRequest, Attach.firstResponse],
    [Attach.secondRequest, Setup.secondResponse],
    [Setup.thirdRequest, Setup.thirdResponse],
    [Setup.confirmation],
  ]),
  refresh: sent('refresh', [
    [Refresh.firstRequest, Refresh.firstResponse],
    [Refresh.secondRequest, Setup.secondResponse],
    [Setup.thirdRequest, Setup.thirdResponse],
    [Setup.confirmation],
  ]),
  sign: sent('sign', [
    [Sign.firstRequest, Sign.firstResponse],
    [Sign.secondRequest, Sign.secondResponse],
  ]),
}

export const ed25519 = {
  keygen: sent('keygen', [
    [EdKeygen.firstRequest, EdKeygen.firstResponse],
    [EdKeygen.secondRequest, EdKeygen.secondResponse],
    [EdKeygen.confirmation],
  ]),
  refresh: sent('refresh', [[EdRefresh.firstRequest, EdRefresh.firstResponse], [EdRefresh.confirmation]]),
  sign: sent('sign', [[EdSign.request, EdSign.response]]),
}

/** DKLS: the fields whose change bans the one who receives it, while it decodes. All others abort. */
export const banned: Readonly<Record<string, readonly string[]>> = {
  'sign request 1': ['matrix', 'choiceHash', 'rowHashes'],
  'sign response 1': ['R', 'matrix', 'choiceHash', 'rowHashes', 'tau', 'eta', 'mu', 'gammaU', 'gammaV'],
  'sign request 2': ['tau', 'eta', 'mu', 'gammaU', 'gammaV'],
}
