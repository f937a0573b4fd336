import type { Hosts } from './Environment.ts'
import * as Url from './Url.ts'

/** Files that workers load from the portal. */
export const staticFiles = ['prime.worker.min.js', 'main.wasm', 'mpcWorker-bundle.js'] as const
export type StaticFile = (typeof staticFiles)[number]

/** The address of a worker's file on the portal's host. */
export const staticFile = (hosts: Pick<Hosts, 'portal'>, file: StaticFile): string =>
  Url.join(hosts.portal, `/static/js/${file}`)
