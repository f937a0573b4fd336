import * as fc from 'fast-check'
import * as Result from 'effect/Result'
import { describe, expect, it } from 'vitest'
import * as Environment from '../../../domain/model/Environment.ts'

const hostsOf = (name: string): Environment.Hosts => ({
  api: `https://api.${name}.example`,
  cosigner: `https://mpc.${name}.example`,
  portal: `https://app.${name}.example`,
  connect: `https://connect.${name}.example`,
  oauth: `https://oauth.${name}.example`,
})

const configured: Environment.ConfiguredHosts = {
  SANDBOX: hostsOf('sandbox'),
  BETA: hostsOf('beta'),
  PROD: hostsOf('prod'),
}

const hosts = (name: string, given = configured) => Result.getOrThrow(Environment.hosts(name, given))
const sentence = (result: Result.Result<unknown, Error>) => Result.getOrThrow(Result.flip(result)).message

describe('environments', () => {
  it.each([
    ['DEV', 'DEV'],
    ['SANDBOX', 'SANDBOX'],
    ['BETA', 'BETA'],
    ['PROD', 'PROD'],
    ['DEVELOPMENT', 'BETA'],
    ['PRODUCTION', 'PROD'],
    ['E2E', 'SANDBOX'],
  ])('%s means %s', (name, environment) => {
    expect(Result.getOrThrow(Environment.parse(name))).toBe(environment)
  })

  it("any other name: 'unsupported env'", () => {
    const names = ['DEV', 'SANDBOX', 'BETA', 'PROD', 'DEVELOPMENT', 'PRODUCTION', 'E2E']
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.constantFrom('dev', 'constructor', '')), (name) => {
        fc.pre(!names.includes(name))

        expect(sentence(Environment.parse(name))).toBe('unsupported env')
        expect(sentence(Environment.hosts(name, configured))).toBe('unsupported env')
      }),
    )
  })

  it("an environment whose hosts are not configured: 'env: {env} not supported'", () => {
    expect(sentence(Environment.hosts('SANDBOX'))).toBe('env: SANDBOX not supported')
    expect(sentence(Environment.hosts('PRODUCTION', {}))).toBe('env: PRODUCTION not supported')
  })
})

describe('hosts', () => {
  it('dev uses localhost, app 3003, connect 3008, unless configured', () => {
    expect(hosts('DEV', {})).toEqual({
      api: 'http://localhost:8080',
      cosigner: 'http://localhost:3000',
      portal: 'http://localhost:3003',
      connect: 'http://localhost:3008',
      oauth: 'http://localhost:8080',
    })
    expect(hosts('DEV', { DEV: hostsOf('dev') })).toEqual(hostsOf('dev'))
  })

  it('each environment has its own, by any of its names', () => {
    expect(hosts('SANDBOX')).toEqual(hostsOf('sandbox'))
    expect(hosts('DEVELOPMENT')).toEqual(hostsOf('beta'))
    expect(hosts('PRODUCTION')).toEqual(hostsOf('prod'))
  })

  it('E2E has those of the sandbox, with a portal on this machine', () => {
    expect(hosts('E2E')).toEqual({ ...hostsOf('sandbox'), portal: 'http://localhost:3003' })
  })

  it('the portal host and the connect host are detected by the window host', () => {
    const place = (windowHost: string, partnerPortalUrl?: string | null) =>
      Environment.siteOf(windowHost, hostsOf('prod'), partnerPortalUrl)

    expect(place('app.prod.example')).toBe('portal')
    expect(place('APP.prod.example')).toBe('portal')
    expect(place('keys.shop.example', 'HTTPS://Keys.Shop.example')).toBe('portal')
    expect(place('connect.prod.example')).toBe('connect')
    expect(place('shop.example')).toBe('app')
    expect(place('app.prod.example.evil.example')).toBe('app')
    expect(place('keys.shop.example', 'https://keys.shop.example/start')).toBe('portal')
    expect(place('')).toBe('app')
    expect(place('', '')).toBe('app')
  })

  it("a scheme's own port is not part of the window host", () => {
    const given = { ...hostsOf('prod'), portal: 'https://app.example:443/', connect: 'http://connect.example:8443' }

    expect(Environment.siteOf('app.example', given)).toBe('portal')
    expect(Environment.siteOf('connect.example:8443', given)).toBe('connect')
    expect(Environment.siteOf('connect.example', given)).toBe('app')
  })

  it('on portal and connect all wallets are fetched; elsewhere only supported ones', () => {
    expect((['portal', 'connect', 'app'] as const).map(Environment.fetchesAllWallets)).toEqual([true, true, false])
  })
})

it("the dev and sandbox environments send version 'dev', the others the SDK's", () => {
  expect(Environment.environments.map(Environment.versionHeaderValue)).toEqual(['dev', 'dev', '1.17.0', '1.17.0'])
})
