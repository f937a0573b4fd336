/** `tandem partner`: what operators do with partners. */
import * as Result from 'effect/Result'
import { authMethods } from '../../domain/model/Credential.ts'
import { walletTypes } from '../../domain/model/WalletTypes.ts'
import type { PartnerRecord } from '../../domain/service/Partner.ts'
import {
  addOrigins,
  changePartner,
  createPartner,
  freezePartner,
  listPartners,
  unfreezePartner,
  type PartnerSettings,
} from '../../domain/service/partnerChanges.ts'
import { existingPartner } from '../../domain/service/partnerKeys.ts'
import { onDeployment } from './deployment.ts'
import { missing, noPartner } from './partnerProblems.ts'
import { readJson } from './readJson.ts'
import { settingsOfApp } from './settingsOfApp.ts'
import type { Call, Ended, Finding, Problem } from './Verb.ts'

export const create = async (call: Call): Ended => {
  const settings = await settingsOf(call)
  if (Result.isFailure(settings)) return Result.fail(settings.failure)
  const given = { displayName: call.option('name') ?? '', origins: call.options('origin') ?? [], ...settings.success }
  const made = await onDeployment(call, createPartner(given, call.reason), missing(''))
  return Result.map(made, ({ partner, publishable, secret }) => {
    const ofApp = settingsOfApp(call.variables, publishable.key)
    return {
      exitCode: 0,
      text: [
        `Created partner ${partner.id}`,
        `  publishable key  ${publishable.key}  for the app`,
        `  secret key       ${secret.key}  for the partner's server; shown once`,
        `  in the app       ${JSON.stringify(ofApp)}`,
      ].join('\n'),
      data: {
        partner,
        settings: ofApp,
        keys: [
          { kind: 'publishable', ...publishable },
          { kind: 'secret', ...secret },
        ],
      },
    }
  })
}

export const list = async (call: Call): Ended =>
  Result.map(await onDeployment(call, listPartners, missing('')), (partners) => ({
    exitCode: 0,
    text: partners.length === 0 ? 'There is no partner.' : partners.map(line).join('\n'),
    data: { partners },
  }))

export const show = async (call: Call): Ended =>
  Result.map(await onDeployment(call, existingPartner(idOf(call)), noneOf(call)), shown)

export const set = async (call: Call): Ended => {
  const settings = await settingsOf(call)
  if (Result.isFailure(settings)) return Result.fail(settings.failure)
  const name = call.option('name')
  const changes = { ...settings.success, ...(name === undefined ? {} : { displayName: name }) }
  if (Object.keys(changes).length === 0)
    return wrongUsage('partner set takes a setting at least.', 'tandem partner set --help')
  return Result.map(await onDeployment(call, changePartner(idOf(call), changes, call.reason), noneOf(call)), shown)
}

export const setOrigins = async (call: Call): Ended => {
  const [id = '', ...origins] = call.given
  const flow = call.flag('add') ? addOrigins(id, origins, call.reason) : changePartner(id, { origins }, call.reason)
  return Result.map(await onDeployment(call, flow, noneOf(call)), shown)
}

export const freeze = async (call: Call): Ended =>
  Result.map(await onDeployment(call, freezePartner(idOf(call), call.reason), noneOf(call)), () => ({
    exitCode: 0,
    text: `Partner ${idOf(call)} is frozen: its calls are refused, within 5 s by every process.`,
    data: { partnerId: idOf(call), isFrozen: true },
  }))

export const unfreeze = async (call: Call): Ended =>
  Result.map(await onDeployment(call, unfreezePartner(idOf(call), call.reason), noneOf(call)), () => ({
    exitCode: 0,
    text: `Partner ${idOf(call)} is answered again, within 5 s by every process.`,
    data: { partnerId: idOf(call), isFrozen: false },
  }))

const idOf = ({ given: [id = ''] }: Call): string => id

const noneOf = (call: Call) => missing(noPartner(idOf(call)))

const wrongUsage = (message: string, fix: string): Result.Result<never, Problem> =>
  Result.fail({ code: 'usage', message, fix })

/** The settings that options name; those of other verbs are none. */
const settingsOf = async (call: Call): Promise<Result.Result<Partial<PartnerSettings>, Problem>> => {
  const theme = await themeOf(call)
  if (Result.isFailure(theme)) return Result.fail(theme.failure)
  const methods = allOf('auth-method', call.options('authMethod'), authMethods)
  if (Result.isFailure(methods)) return Result.fail(methods.failure)
  const types = allOf('wallet-type', call.options('walletType'), walletTypes)
  if (Result.isFailure(types)) return Result.fail(types.failure)
  const portalUrl = call.option('portalUrl')
  const settings: { readonly [K in keyof PartnerSettings]?: PartnerSettings[K] | undefined } = {
    portalUrl: portalUrl === 'none' ? null : portalUrl,
    returnUrls: call.options('returnUrl'),
    theme: theme.success,
    supportedAuthMethods: methods.success,
    supportedWalletTypes: types.success?.map((type) => ({ type })),
    cosmosPrefix: call.option('cosmosPrefix'),
    strict: switchOf(call, 'strict'),
    exports: switchOf(call, 'exports'),
    delegations: switchOf(call, 'delegations'),
    allowsNoOrigin: switchOf(call, 'allowsNoOrigin'),
    allowsUnprovenClients: switchOf(call, 'allowsUnprovenClients'),
  }
  const named = Object.entries(settings).filter(([, value]) => value !== undefined)
  return Result.succeed(Object.fromEntries(named))
}

const switchOf = (call: Call, name: string): boolean | undefined => {
  const value = call.option(name)
  return value === undefined ? undefined : value === 'on'
}

const allOf = <T extends string>(
  option: string,
  given: readonly string[] | undefined,
  known: readonly T[],
): Result.Result<readonly T[] | undefined, Problem> => {
  if (given === undefined) return Result.succeed(undefined)
  const found = known.filter((one) => given.includes(one))
  const strange = given.find((text) => !known.some((one) => one === text))
  return strange === undefined
    ? Result.succeed(found)
    : wrongUsage(
        `--${option} is '${strange}', which is none of ${known.join(', ')}.`,
        `Give one of ${known.join(', ')}.`,
      )
}

/** The domain says which fields it may have. */
const themeOf = async ({
  option,
  readFile,
}: Call): Promise<Result.Result<PartnerRecord['theme'] | undefined, Problem>> => {
  const file = option('theme')
  if (file === undefined) return Result.succeed(undefined)
  return Result.map(await readJson(readFile, file), (json) => json as PartnerRecord['theme'])
}

const line = ({ id, displayName, origins, isFrozen }: PartnerRecord): string =>
  [id, isFrozen === true ? 'frozen' : 'live  ', displayName, origins.join(' ')].join('  ')

const shown = (partner: PartnerRecord): Finding => {
  const rows: readonly (readonly [string, string])[] = [
    ['partner', partner.id],
    ['name', partner.displayName],
    ['frozen', partner.isFrozen === true ? 'yes' : 'no'],
    ['policy', partner.hasPolicy === true ? 'yes' : 'no'],
    ['origins', partner.origins.join(' ')],
    ['portal url', partner.portalUrl ?? 'none'],
    ['return urls', partner.returnUrls.join(' ')],
    ['auth methods', partner.supportedAuthMethods.join(' ')],
    ['wallet types', partner.supportedWalletTypes.map(({ type }) => type).join(' ')],
    ['cosmos prefix', partner.cosmosPrefix],
    ['strict', onOrOff(partner.strict)],
    ['exports', onOrOff(partner.exports !== false)],
    ['delegations', onOrOff(partner.delegations !== false)],
    ['allows no origin', onOrOff(partner.allowsNoOrigin)],
    ['allows unproven clients', onOrOff(partner.allowsUnprovenClients)],
    ['theme', JSON.stringify(partner.theme)],
  ]
  const width = Math.max(...rows.map(([name]) => name.length))
  const text = rows.map(([name, value]) => `${name.padEnd(width)}  ${value}`.trimEnd()).join('\n')
  return { exitCode: 0, text, data: { partner } }
}

const onOrOff = (value: boolean): string => (value ? 'on' : 'off')
