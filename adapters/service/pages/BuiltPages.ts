/** The output of react/build.ts: a folder for each page, and a manifest with the digests of its files. */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import * as Option from 'effect/Option'
import * as Schema from 'effect/Schema'
import type { Environment, Hosts } from '../../../domain/model/Environment.ts'
import type { StaticFile } from '../../../domain/model/PortalFiles.ts'
import { StaticFiles, StaticFileUnavailable } from '../../../domain/service/ports/StaticFiles.ts'
import { StartRefusal } from '../StartRefusal.ts'

export type RoleOfPages = 'portal' | 'connect'

export const isOfPages = (role: string): role is RoleOfPages => role === 'portal' || role === 'connect'

/** The parts of the build that each role serves. */
export const partsOf: { readonly [R in RoleOfPages]: readonly string[] } = {
  portal: ['portal', 'static'],
  connect: ['connect'],
}

/** Digests are SHA-256 in hex. */
const Files = Schema.Record(Schema.String, Schema.String)
export type Files = typeof Files.Type

const decodeManifest = Schema.decodeOption(Schema.fromJsonString(Schema.Struct({ files: Files })))

/** Undefined if the page was not built. */
export const filesOf = async (folder: string, name: string): Promise<Files | undefined> => {
  const text = await readFile(join(folder, `${name}.json`), 'utf8').catch(() => '')
  return Option.getOrUndefined(decodeManifest(text))?.files
}

/** The file if its digest is the manifest's, else undefined. */
const readBuilt = async (folder: string, name: string, path: string): Promise<Uint8Array | undefined> => {
  const digest = (await filesOf(folder, name))?.[path]
  return digest === undefined ? undefined : await readExactly(join(folder, name, path), digest)
}

/** Whether every file of the page exists with the manifest's digest. */
export const areBuilt = async (folder: string, name: string): Promise<boolean> => {
  const files = Object.entries((await filesOf(folder, name)) ?? {})
  const read = await Promise.all(files.map(([path, digest]) => readExactly(join(folder, name, path), digest)))
  return files.length > 0 && read.every((bytes) => bytes !== undefined)
}

/** Throws a `StartRefusal` if a file of the page is missing or changed. */
export const requireBuilt = async (folder: string, name: string): Promise<void> => {
  if (await areBuilt(folder, name)) return
  const message = `PAGES_FOLDER is '${folder}', where the files of ${name} are missing or not as they were built; npm run build:pages makes them.`
  throw new StartRefusal({ message })
}

const readExactly = async (file: string, digest: string): Promise<Uint8Array | undefined> => {
  const bytes = await readFile(file).catch(() => undefined)
  return bytes !== undefined && createHash('sha256').update(bytes).digest('hex') === digest ? bytes : undefined
}

/**
 * Reads and checks the files each time, so that a new build is served at once and a changed file is not served. The same
 * build serves every deployment, and the protocol worker runs under the origins of apps: so the line in front of it says
 * which hosts it asks.
 */
export const StaticFilesIn = (
  folder: string,
  deployment: { readonly environment: Environment; readonly hosts: Hosts },
) =>
  Layer.succeed(StaticFiles, {
    read: Effect.fn('staticFiles.read')(function* (file: StaticFile) {
      const bytes = yield* Effect.promise(() => readBuilt(folder, 'static', `js/${file}`))
      if (bytes === undefined) return yield* new StaticFileUnavailable({ file })
      return file === 'mpcWorker-bundle.js' ? Buffer.concat([Buffer.from(lineOf(deployment)), bytes]) : bytes
    }),
  })

const lineOf = ({ environment, hosts }: { readonly environment: Environment; readonly hosts: Hosts }): string =>
  `self.tandemDeployment=${JSON.stringify({ environment, hosts })};\n`
