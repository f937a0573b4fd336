/**
 * The wallet types that an app supports: a developer's configuration, the array in the answer of touch, and the map in
 * a portal URL.
 */
import * as Data from 'effect/Data'
import * as Result from 'effect/Result'
import { defaultCosmosPrefix } from './Limits.ts'

export const walletTypes = ['EVM', 'SOLANA', 'COSMOS'] as const
export type WalletType = (typeof walletTypes)[number]

export type SupportedWalletType = { readonly type: WalletType; readonly optional?: boolean; readonly prefix?: string }
export type SupportedWalletTypes = readonly SupportedWalletType[]

/** One entry of a developer's map: `true`, or its details. */
export type WalletTypeSetting = boolean | { readonly optional?: boolean; readonly prefix?: string }
export type WalletTypesMap = { readonly [T in WalletType]?: WalletTypeSetting }

export const isWalletType = (text: string): text is WalletType => walletTypes.some((type) => type === text)

/** Reads one type by name. */
export const parseType = (text: string): Result.Result<WalletType, UnsupportedWalletType> =>
  isWalletType(text) ? Result.succeed(text) : Result.fail(new UnsupportedWalletType())

/** Accepts a configuration in which each type is known and at least one is not optional. */
export const check = (
  types: readonly (Omit<SupportedWalletType, 'type'> & { readonly type: string })[],
): Result.Result<SupportedWalletTypes, UnsupportedWalletType | AllWalletTypesOptional> => {
  const known = types.flatMap(({ type, ...setting }) => (isWalletType(type) ? [{ ...setting, type }] : []))
  if (known.length < types.length) return Result.fail(new UnsupportedWalletType())
  if (known.every(({ optional }) => optional)) return Result.fail(new AllWalletTypesOptional())
  return Result.succeed(known)
}

/** The same from a developer's map, in which `false` is as good as absent. */
export const fromMap = (
  map: Readonly<Record<string, WalletTypeSetting | undefined>>,
): Result.Result<SupportedWalletTypes, UnsupportedWalletType | AllWalletTypesOptional> =>
  check(
    Object.entries(map).flatMap(([type, setting]) => {
      if (setting === undefined || setting === false) return []
      return [setting === true ? { type } : { type, ...setting }]
    }),
  )

/** The map that goes into portal URLs. */
export const toMap = (types: SupportedWalletTypes): WalletTypesMap =>
  Object.fromEntries(
    types.map(({ type, ...setting }) => [type, Object.keys(setting).length === 0 ? true : setting] as const),
  )

/** The array that touch answers with. */
export const toTouch = (
  types: SupportedWalletTypes,
): readonly { readonly type: WalletType; readonly optional?: boolean }[] =>
  types.map(({ type, optional }) => (optional === undefined ? { type } : { type, optional }))

export const names = (types: SupportedWalletTypes): readonly WalletType[] => types.map(({ type }) => type)

export const includes = (types: SupportedWalletTypes, type: WalletType): boolean => names(types).includes(type)

/** Refuses a type that exists but that the app does not support. */
export const requireSupported = (
  types: SupportedWalletTypes,
  type: WalletType,
): Result.Result<WalletType, WalletTypeNotSupported> =>
  includes(types, type) ? Result.succeed(type) : Result.fail(new WalletTypeNotSupported({ type }))

/** The types that have to exist after sign-up. */
export const mandatory = (types: SupportedWalletTypes): readonly WalletType[] =>
  names(types.filter(({ optional }) => !optional))

/** The prefix of Cosmos addresses in this app. */
export const cosmosPrefix = (types: SupportedWalletTypes): string =>
  types.find(({ type }) => type === 'COSMOS')?.prefix ?? defaultCosmosPrefix

/** The text names no wallet type, or the type and the scheme do not go together. */
export class UnsupportedWalletType extends Data.TaggedError('UnsupportedWalletType') {
  override readonly message = 'unsupported wallet type'
}

/** The wallet type exists, but this app does not support it. */
export class WalletTypeNotSupported extends Data.TaggedError('WalletTypeNotSupported')<{ readonly type: string }> {
  override readonly message = `wallet type ${this.type} is not supported`
}

export class AllWalletTypesOptional extends Data.TaggedError('AllWalletTypesOptional') {
  override readonly message = 'at least one wallet type must be non-optional'
}
