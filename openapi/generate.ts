/**
 * `npm run generate`: writes generated/ from the contract. The same contract gives the same bytes. A contract that does
 * not lint generates nothing (openapi/README.md#compatibility).
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createClient } from '@hey-api/openapi-ts'
import { bundle, createConfig, lint } from '@redocly/openapi-core'
import openapiTypes, { astToString, type OpenAPI3 } from 'openapi-typescript'
import ts from 'typescript'
import { type Bundle, type Document, operationsOf } from './Document.ts'
import { errorsTable, handlers, operationsTable, requestsTable, validatorsTable } from './tables.ts'

/** Only the service's own contract has refusals before any operation, which no response names. */
const contracts = [
  { source: 'openapi.yaml', folder: '', allErrors: true },
  { source: 'offload.yaml', folder: 'offload', allErrors: false },
] as const

/** Writes both contracts' files into the folder. */
export const generate = async (target: string): Promise<void> => {
  for (const { source, folder, allErrors } of contracts) {
    await generateFrom(join(import.meta.dirname, source), join(target, folder), allErrors)
  }
}

const generateFrom = async (source: string, folder: string, allErrors: boolean): Promise<void> => {
  await check(source)
  const document = (await bundled(source, false)) as OpenAPI3
  const plain = await resolved(source)
  const operations = operationsOf(plain)
  const write = async (name: string, text: string) => {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), text)
  }
  await write('openapi.json', `${JSON.stringify(document, undefined, 1)}\n`)
  await write('api.ts', `${banner}${await types(document)}`)
  await write('operations.ts', `${banner}${operationsTable(operations)}`)
  await write('requests.ts', `${banner}${requestsTable(operations)}`)
  await write('errors.ts', `${banner}${errorsTable(plain, document as unknown as Bundle, allErrors)}`)
  await write('handlers.ts', `${banner}${handlers}`)
  const schemas = await valibot(document, folder)
  await write(schemasFile, schemas)
  await write('validators.ts', `${banner}${validatorsTable(operations, schemas)}`)
}

const banner = '// Generated from the contract by `npm run generate`, never edited.\n\n'

const config = await createConfig({
  extends: ['recommended'],
  rules: {
    'no-invalid-media-type-examples': 'error',
    // Development runs on localhost, and an operator's own hosts are configuration.
    'no-server-example.com': 'off',
    // /users/exists and its kin stand beside /users/{userId}: the public client's paths are fixed.
    'no-ambiguous-paths': 'off',
  },
})

const check = async (source: string): Promise<void> => {
  const problems = await lint({ ref: source, config })
  const messages = problems.map(({ ruleId, message, location: [location] }) => {
    const where = location === undefined ? source : `${location.source.absoluteRef}${location.pointer ?? ''}`
    return `${where}\n  ${ruleId}: ${message}`
  })
  if (messages.length > 0) throw new Error(`The contract is not in order.\n${messages.join('\n')}`)
}

/** The contract without any reference. */
export const resolved = async (source: string): Promise<Document> => (await bundled(source, true)) as Document

/** The contract as one document. */
const bundled = async (source: string, dereference: boolean): Promise<unknown> => {
  const { bundle: document } = await bundle({ ref: source, config, dereference })
  return document.parsed
}

/** openapi-typescript: types only, and read-only. A binary body is bytes. */
const types = async (document: OpenAPI3): Promise<string> => {
  const bytes = ts.factory.createTypeReferenceNode('Uint8Array')
  const nodes = await openapiTypes(structuredClone(document), {
    immutable: true,
    transform: (schema) => (schema.format === 'binary' ? bytes : undefined),
  })
  return astToString(nodes)
}

const schemasFile = 'validators/valibot.gen.ts'

/**
 * hey-api: a valibot schema for each part of each request and for each answer, as the text of a module. JSON has no
 * `undefined`, so what is optional is absent: the types are then those of openapi-typescript.
 */
const valibot = async (document: OpenAPI3, folder: string): Promise<string> => {
  await createClient({
    input: { ...structuredClone(document) },
    output: { path: join(folder, dirname(schemasFile)) },
    logs: { level: 'silent', file: false },
    plugins: [
      {
        name: 'valibot',
        requests: {
          body: { name: 'v{{name}}RequestBody' },
          headers: { name: 'v{{name}}RequestHeader' },
          path: { name: 'v{{name}}RequestPath' },
          query: { name: 'v{{name}}RequestQuery' },
        },
        responses: { name: 'v{{name}}Success' },
      },
    ],
  })
  const written = await readFile(join(folder, schemasFile), 'utf8')
  return banner + written.slice(written.indexOf('import ')).replaceAll('v.optional(', 'v.exactOptional(')
}

if (import.meta.main) await generate(join(import.meta.dirname, '..', 'generated'))
